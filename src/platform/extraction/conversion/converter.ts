import { type Readable } from 'node:stream';
import { type ExtractionFailure } from '../extractor.js';

export interface ConversionRequest {
  /** Size of the file in bytes. */
  readonly size: number;
  /** Opens the file. */
  readonly open: () => Readable | Promise<Readable>;
  /** Extensions of the formats, such as `doc` and `pdf`. */
  readonly from: string;
  readonly to: string;
  readonly timeMs: number;
  /** Maximum size of the result, in bytes. */
  readonly maxBytes: number;
}

/** Reads the result. It is incomplete or empty if the conversion fails. */
export type UseResult<T> = (result: AsyncIterable<Buffer>) => Promise<T>;

export type Conversion<T> =
  | { readonly result: T; readonly failure: null }
  | { readonly result: null; readonly failure: ExtractionFailure };

/** Converts Office files with an installed program (docs/adr/0046). */
export interface Converter {
  /** Changes when the program is replaced. */
  readonly version: string;

  /**
   * Returns what `use` returns, or the failure for files that cannot be converted.
   *
   * @throws ReadingFailed for a reason that is not in the file, the reason of `signal`, an error when the service stops,
   *   or what `open` or `use` throws
   */
  convert<T>(request: ConversionRequest, use: UseResult<T>, signal?: AbortSignal): Promise<Conversion<T>>;
}
