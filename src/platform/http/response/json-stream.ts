import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';

/** Some items of an array, and where the others begin; null after the last ones. */
interface Batch<P> {
  readonly items: readonly object[];
  readonly next: P | null;
}

/**
 * Answers with a JSON array that is too large for memory: the next batch is read when the client has taken the one
 * before. A slow client holds the bytes of a batch, and no connection of the database.
 */
export function streamJsonArray<P>(read: (after: P | null) => Promise<Batch<P>>): StreamableFile {
  return new StreamableFile(Readable.from(chunks(read)), { type: 'application/json; charset=utf-8' });
}

async function* chunks<P>(read: (after: P | null) => Promise<Batch<P>>): AsyncGenerator<Buffer> {
  let separator = '[';
  let chunk: Buffer;
  let next: P | null = null;
  do {
    // Keep only the bytes while the client is waited for: the items take several times as much.
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
