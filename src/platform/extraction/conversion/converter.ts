import { type Readable } from 'node:stream';
import { type ExtractionFailure } from '../extractor.js';

export interface ConversionRequest {
  /** Opens the file. */
  readonly open: () => Readable | Promise<Readable>;
  /** Extensions of the formats, such as `doc` and `pdf`. */
  readonly from: string;
  readonly to: string;
  readonly timeMs: number;
  /** Maximum size of the result, in bytes. */
  readonly maxBytes: number;
}

/** Converts Office files with an installed program (docs/adr/0046). */
export abstract class Converter {
  /**
   * Passes the path of the result to `use`, and deletes it afterwards. Returns the failure for files that cannot be
   * converted.
   *
   * @throws ReadingFailed when the program cannot be started, the reason of `signal`, or what `open` or `use` throws
   */
  abstract convert<T>(
    request: ConversionRequest,
    use: (path: string) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<{ result: T; failure: null } | { result: null; failure: ExtractionFailure }>;
}
