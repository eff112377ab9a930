import { type Source } from '../source.js';

const END_RECORD = 'PK\x05\x06';
const END_RECORD_SIZE = 22;
const MAX_COMMENT = 0xffff;
const CHUNK = 64 * 1024;

/**
 * The size of a ZIP file without zeros after its end, which fill blocks of some stores and tapes. The library expects the
 * end record at the end of the file.
 */
export async function zipSize(source: Source): Promise<number> {
  const end = await sizeWithoutZeros(source);
  const start = Math.max(0, end - END_RECORD_SIZE - MAX_COMMENT);
  // The record itself usually ends with zeros.
  const tail = await source.read(start, end + END_RECORD_SIZE - start);
  const at = tail.lastIndexOf(END_RECORD, undefined, 'latin1');
  if (at < 0 || at + END_RECORD_SIZE > tail.length) return source.size;
  const size = start + at + END_RECORD_SIZE + tail.readUInt16LE(at + END_RECORD_SIZE - 2);
  return size < end ? source.size : Math.min(size, source.size);
}

async function sizeWithoutZeros(source: Source): Promise<number> {
  for (let end = source.size; end > 0; end -= CHUNK) {
    const start = Math.max(0, end - CHUNK);
    const chunk = await source.read(start, end - start);
    const last = chunk.findLastIndex((byte) => byte !== 0);
    if (last >= 0) return start + last + 1;
  }
  return 0;
}
