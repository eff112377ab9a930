import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';

/** Some items of an array, and the position of the next ones; null after the last item. */
interface Batch<P> {
  readonly items: readonly object[];
  readonly next: P | null;
}

/**
 * Streams a JSON array that is too large for memory. The next batch is read when the client has received the previous
 * one. A slow client therefore occupies the bytes of one batch, and no database connection.
 */
export function streamJsonArray<P>(read: (after: P | null) => Promise<Batch<P>>): StreamableFile {
  return new StreamableFile(Readable.from(chunks(read)), { type: 'application/json; charset=utf-8' });
}

async function* chunks<P>(read: (after: P | null) => Promise<Batch<P>>): AsyncGenerator<Buffer> {
  let separator = '[';
  let chunk: Buffer;
  let next: P | null = null;
  do {
    // While waiting for the client, keep only the bytes: the items take several times as much memory.
    [chunk, next] = await chunkOf(read, next, separator);
    yield chunk;
    separator = ',';
  } while (next !== null);
  yield Buffer.from(']');
}

async function chunkOf<P>(
  read: (after: P | null) => Promise<Batch<P>>,
  after: P | null,
  separator: string,
): Promise<[Buffer, P | null]> {
  const { items, next } = await read(after);
  return [Buffer.from(separator + JSON.stringify(items).slice(1, -1)), next];
}
