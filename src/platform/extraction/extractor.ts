export interface ExtractionRequest {
  /** Path of a local copy that does not change while it is read. */
  readonly path: string;
  /** A process reads only files of one owner, so that a hostile file can harm only its own owner. */
  readonly owner: string;
  /** File name from the client. Used only if the bytes do not show the media type. */
  readonly fileName: string | null;
  /** Media type from the client. Used only if the bytes do not show the media type. */
  readonly claimedType: string;
}

/** Why no text was extracted from a format that can contain text. */
export const EXTRACTION_FAILURES = [
  'Encrypted',
  'Corrupted',
  'TimeLimitExceeded',
  'MemoryLimitExceeded',
  /** The decompressed file exceeds the limit. A text that is too long is only truncated, without failure. */
  'OutputLimitExceeded',
  /** The service cannot read the format itself, and no converter is configured. */
  'ConverterMissing',
] as const;

export type ExtractionFailure = (typeof EXTRACTION_FAILURES)[number];

export interface Extraction {
  /** In lower case without parameters; `application/octet-stream` if unknown. */
  readonly mediaType: string;
  readonly pageCount: number | null;
  /** Dimensions in pixels as displayed (EXIF orientation applied). */
  readonly image: { readonly width: number; readonly height: number } | null;
  /** Normalised for PostgreSQL (NFC, no control characters); pages are separated by form feeds. Null: no text. */
  readonly text: string | null;
  /** Pages whose text is from character recognition (OCR), ascending from 1; a text without pages is page 1. */
  readonly recognisedPages: readonly number[];
  readonly failure: ExtractionFailure | null;
}

/** Known before the text is read, and returned even if the reading is ended early. */
export type FileMetadata = Pick<Extraction, 'mediaType' | 'pageCount' | 'image'>;

/** Reading failed without a result about the file, for example because the process crashed. The message is for the log. */
export class ReadingFailed extends Error {
  constructor(
    message: string,
    readonly metadata: FileMetadata | null = null,
    /** Whether the process has crashed, which a file can cause in native code. */
    readonly hasCrashed = false,
  ) {
    super(message);
    this.name = 'ReadingFailed';
  }
}

/** Determines media type, page count, dimensions and text of a file (docs/adr/0021). */
export abstract class Extractor {
  /**
   * Resolves with a `failure` for damaged or hostile files. Rejects with the reason of `signal`, and when the service
   * stops.
   *
   * @throws ReadingFailed when the process cannot be started or crashes, or the file cannot be opened; may be retried
   */
  abstract extract(request: ExtractionRequest, signal?: AbortSignal): Promise<Extraction>;
}
