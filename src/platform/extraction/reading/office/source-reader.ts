import { Readable } from 'node:stream';
import yauzl from 'yauzl';
import { type Source } from '../source.js';

const CHUNK = 64 * 1024;

export class SourceReader extends yauzl.RandomAccessReader {
  constructor(private readonly source: Source) {
    super();
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const { source } = this;
    return Readable.from(
      (async function* () {
        for (let position = start; position < end; position += CHUNK) {
          yield await source.read(position, Math.min(CHUNK, end - position));
        }
      })(),
      { objectMode: false },
    );
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.source.read(position, length).then(
      (bytes) => {
        bytes.copy(buffer, offset);
        callback(bytes.length < length ? new Error('unexpected end of the file') : null);
      },
      (error: unknown) => callback(error as Error),
    );
  }

  override close(callback: (error: Error | null) => void): void {
    callback(null);
  }
}
