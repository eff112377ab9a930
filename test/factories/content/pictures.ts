import { createCanvas } from '@napi-rs/canvas';

export type PictureFormat = 'png' | 'jpeg' | 'webp' | 'avif';

/** White with a red top left quarter and a blue bottom right quarter. */
export function buildPicture(format: PictureFormat, width: number, height: number): Buffer {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillStyle = 'white';
  context.fillRect(0, 0, width, height);
  context.fillStyle = 'red';
  context.fillRect(0, 0, width / 2, height / 2);
  context.fillStyle = 'blue';
  context.fillRect(width / 2, height / 2, width / 2, height / 2);
  // Synchronous: the asynchronous variant crashes if the canvas is collected as garbage meanwhile.
  if (format === 'png') return canvas.encodeSync(format);
  return format === 'avif' ? canvas.encodeSync(format) : canvas.encodeSync(format, 95);
}

/** Adds an EXIF orientation (1 to 8) to a JPEG. */
export function withOrientation(jpeg: Buffer, orientation: number): Buffer {
  const directory = Buffer.alloc(2 + 12 + 4);
  directory.writeUInt16BE(1, 0);
  directory.writeUInt16BE(274, 2);
  directory.writeUInt16BE(3, 4);
  directory.writeUInt32BE(1, 6);
  directory.writeUInt16BE(orientation, 10);
  const data = Buffer.concat([Buffer.from('Exif\0\0MM\0\x2a\0\0\0\x08', 'latin1'), directory]);
  const marker = Buffer.from([0xff, 0xe1, 0, data.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), marker, data, jpeg.subarray(2)]);
}

/** A BMP with 24 bits per pixel: red above blue. */
export function buildBmpPicture(width: number, height: number): Buffer {
  const line = Math.ceil((width * 3) / 4) * 4;
  const bytes = Buffer.alloc(54 + line * height);
  bytes.write('BM', 'latin1');
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(54, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  // The last line comes first.
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) bytes[54 + y * line + x * 3 + (y < height / 2 ? 0 : 2)] = 255;
  return bytes;
}

export interface TiffPicture {
  readonly width: number;
  readonly height: number;
  readonly orientation?: number;
  /** Bits, without compression: 0 is black. Or a stream of CCITT group 4. Default: none. */
  readonly bits?: Buffer;
  readonly group4?: boolean;
  readonly isThumbnail?: boolean;
}

/** The bits of a page: black in the top left quarter, white elsewhere. The width is a multiple of 16. */
export function quarterBits(width: number, height: number): Buffer {
  const line = (black: boolean): Buffer =>
    Buffer.alloc(width / 8, 0xff).fill(black ? 0 : 0xff, 0, width / 16);
  return Buffer.concat(Array.from({ length: height }, (_, y) => line(y < height / 2)));
}

/** CCITT group 4 of a page of 16 columns: the left half white, the right half black. */
export function group4Bits(height: number): Buffer {
  const bits = `001${'10011'}${'000101'}${'11'.repeat(height - 1)}${'000000000001'.repeat(2)}`;
  const bytes = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0').match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => parseInt(byte, 2)));
}

/** A bilevel TIFF with these pages. With `circular`, the last directory points to the first. */
export function buildTiffPictures(pages: readonly TiffPicture[], { circular = false } = {}): Buffer {
  const pieces: Buffer[] = [Buffer.from('II\x2a\0\0\0\0\0', 'latin1')];
  let length = 8;
  let pointer = { buffer: pieces[0]!, at: 4 };
  for (const { width, height, orientation = 1, bits = Buffer.alloc(0), group4, isThumbnail } of pages) {
    const data = bits.length % 2 === 0 ? bits : Buffer.concat([bits, Buffer.alloc(1)]);
    pieces.push(data);
    const fields = [
      [254, isThumbnail ? 1 : 0],
      [256, width],
      [257, height],
      [258, 1],
      [259, group4 ? 4 : 1],
      [262, group4 ? 0 : 1],
      [273, length],
      [274, orientation],
      [277, 1],
      [278, height],
      [279, bits.length],
    ];
    length += data.length;
    const directory = Buffer.alloc(2 + fields.length * 12 + 4);
    directory.writeUInt16LE(fields.length, 0);
    for (const [index, [tag = 0, value = 0]] of fields.entries()) {
      directory.writeUInt16LE(tag, 2 + index * 12);
      directory.writeUInt16LE(4, 4 + index * 12);
      directory.writeUInt32LE(1, 6 + index * 12);
      directory.writeUInt32LE(value, 10 + index * 12);
    }
    pointer.buffer.writeUInt32LE(length, pointer.at);
    pointer = { buffer: directory, at: directory.length - 4 };
    pieces.push(directory);
    length += directory.length;
  }
  if (circular) pointer.buffer.writeUInt32LE(pieces[0]!.readUInt32LE(4), pointer.at);
  return Buffer.concat(pieces);
}
