import { createRequire } from 'node:module';
import path from 'node:path';
import { type Canvas, GlobalFonts, createCanvas } from '@napi-rs/canvas';
import { type PdfObject, buildPdfFile, pageContent } from './pdf-files.js';
import { type TiffPicture } from './pictures.js';

/** Size of a scan, in pixels. */
export const SCAN = { width: 1240, height: 400 };

/** Black text on white, like a scan with 150 dots per inch. */
export function scan(lines: readonly string[], { width, height } = SCAN, size = 32): Canvas {
  const fonts = path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
  GlobalFonts.registerFromPath(path.join(fonts, 'standard_fonts', 'LiberationSans-Regular.ttf'), 'Scan');
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillStyle = 'white';
  context.fillRect(0, 0, width, height);
  context.fillStyle = 'black';
  context.font = `${size}px Scan`;
  for (const [index, line] of lines.entries()) context.fillText(line, 60, 48 + size + index * 50);
  return canvas;
}

/** @param degrees clockwise: 90, 180 or 270 */
export function turn(canvas: Canvas, degrees: number): Canvas {
  const isSideways = degrees % 180 !== 0;
  const turned = isSideways
    ? createCanvas(canvas.height, canvas.width)
    : createCanvas(canvas.width, canvas.height);
  const context = turned.getContext('2d');
  context.translate(turned.width / 2, turned.height / 2);
  context.rotate((degrees * Math.PI) / 180);
  context.drawImage(canvas, -canvas.width / 2, -canvas.height / 2);
  return turned;
}

/** Numbers from 0 to 1, the same in every run. */
function randomNumbers(): () => number {
  let state = 1;
  return () => (state = (state * 1_103_515_245 + 12_345) & 0x7fffffff) / 0x7fffffff;
}

/** Changes each grey value by up to half of `amount`, and adds black and white specks. */
export function addNoise(canvas: Canvas, amount: number): Canvas {
  const random = randomNumbers();
  const context = canvas.getContext('2d');
  const image = context.getImageData(0, 0, canvas.width, canvas.height);
  for (let at = 0; at < image.data.length; at += 4) {
    const change = (random() - 0.5) * amount;
    const speck = random() < amount / 8000 ? (random() < 0.5 ? 0 : 255) : null;
    for (let colour = at; colour < at + 3; colour += 1)
      image.data[colour] = speck ?? Math.max(0, Math.min(255, (image.data[colour] ?? 0) + change));
  }
  context.putImageData(image, 0, 0);
  return canvas;
}

/** Grass and stones: many edges, and no text. */
export function photo(width: number, height: number): Canvas {
  const random = randomNumbers();
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillStyle = '#7a8450';
  context.fillRect(0, 0, width, height);
  for (let count = 0; count < 4000; count += 1) {
    context.strokeStyle = `hsl(${90 + random() * 60} 40% ${20 + random() * 50}%)`;
    context.lineWidth = 1 + random() * 5;
    const [x, y] = [random() * width, random() * height];
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + (random() - 0.5) * 60, y + (random() - 0.5) * 120);
    context.stroke();
  }
  for (let count = 0; count < 150; count += 1) {
    context.fillStyle = `hsl(${random() * 360} 50% 50% / 50%)`;
    context.beginPath();
    context.arc(random() * width, random() * height, 5 + random() * 60, 0, 7);
    context.fill();
  }
  return addNoise(canvas, 40);
}

/** Where an image is painted on a page of 595 by 842 points, from the bottom left corner. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PlacedImage {
  readonly canvas: Canvas;
  readonly place: Place;
  /** Stored as a mask that is painted in black, like many bilevel scans. */
  readonly isMask?: boolean;
}

export interface MixedPage {
  readonly lines: readonly string[];
  readonly images: readonly PlacedImage[];
}

/** A page with text and images. With `isInvisible`, the text is like that of a scan recognised before. */
export function buildMixedPdf(
  lines: readonly string[],
  images: readonly PlacedImage[],
  options: { readonly isInvisible?: boolean } = {},
): Buffer {
  return buildMixedPages([{ lines, images }], options);
}

/** Pages with text and images. An image on several places is stored once. */
export function buildMixedPages(pages: readonly MixedPage[], { isInvisible = false } = {}): Buffer {
  const first = 4;
  const kids = pages.map((_, index) => `${first + index * 2} 0 R`).join(' ');
  const stored = new Map(pages.flatMap(({ images }) => images.map((image) => [image.canvas, image])));
  const canvases = [...stored.keys()];
  const names = canvases.map((_, index) => `/Im${index} ${first + pages.length * 2 + index} 0 R`).join(' ');
  return buildPdfFile([
    { dictionary: '<</Type /Catalog /Pages 2 0 R>>' },
    { dictionary: `<</Type /Pages /Kids [${kids}] /Count ${pages.length}>>` },
    { dictionary: '<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>' },
    ...pages.flatMap(({ lines, images }, index) => {
      const painted = images.map(
        ({ canvas, place: { x, y, width, height } }) =>
          `q ${width} 0 0 ${height} ${x} ${y} cm /Im${canvases.indexOf(canvas)} Do Q\n`,
      );
      const text = pageContent(lines).toString('latin1');
      return [
        {
          dictionary: `<</Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${first + index * 2 + 1} 0 R /Resources <</XObject <<${names}>> /Font <</F1 3 0 R>>>>>>`,
        },
        {
          dictionary: '<<>>',
          stream: Buffer.from(`${painted.join('')}${isInvisible ? '3 Tr ' : ''}${text}`, 'latin1'),
        },
      ];
    }),
    ...[...stored.values()].map(imageObject),
  ]);
}

function imageObject({ canvas, isMask }: PlacedImage): PdfObject {
  const size = `/Type /XObject /Subtype /Image /Width ${canvas.width} /Height ${canvas.height}`;
  return isMask
    ? { dictionary: `<<${size} /ImageMask true /BitsPerComponent 1>>`, stream: bilevel(canvas).bits }
    : {
        dictionary: `<<${size} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode>>`,
        stream: canvas.encodeSync('jpeg', 90),
      };
}

/** One bit for each pixel: 0 is black. */
export function bilevel(canvas: Canvas): TiffPicture {
  const { width, height } = canvas;
  const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
  const bytes = Math.ceil(width / 8);
  const bits = Buffer.alloc(bytes * height, 0xff);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      if ((data[(y * width + x) * 4] ?? 255) < 128) {
        const at = y * bytes + (x >> 3);
        bits[at] = (bits[at] ?? 0) & ~(0x80 >> (x & 7));
      }
  return { width, height, bits };
}
