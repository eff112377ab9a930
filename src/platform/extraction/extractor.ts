/** One local file to look into. */
export interface ExtractionRequest {
  /** A local copy, which nobody changes while it is read. */
  readonly path: string;
  /** Files of different owners are never read by the same process: what a hostile file does to it harms only its owner. */
  readonly owner: string;
  /** As the client named it; a hint where the bytes alone cannot tell what they are. */
  readonly fileName: string | null;
  /** As the client claimed it; a hint like the file name, never believed against the bytes. */
  readonly claimedType: string;
}

/** Why there is no text although the format is one that has some. */
export type ExtractionFailure =
  | 'Encrypted'
  | 'Corrupted'
  | 'TimeLimitExceeded'
  | 'MemoryLimitExceeded'
  /** It grows beyond all measure when it is decompressed. Merely long text is cut off instead, without failure. */
  | 'OutputLimitExceeded';

/** What is in a file. */
export interface Extraction {
  /** Without parameters, in lower case; `application/octet-stream` where nothing is known. */
  readonly mediaType: string;
  readonly pageCount: number | null;
  /** In pixels, as the picture is to be shown (EXIF orientation applied). */
  readonly image: { readonly width: number; readonly height: number } | null;
  /** Normalised (NFC, line feeds, no control characters), fit for PostgreSQL; null where there is none. */
  readonly text: string | null;
  readonly failure: ExtractionFailure | null;
}

/** What is known about a file before its text is read; all that remains when the reading has to be ended. */
export type FileMetadata = Pick<Extraction, 'mediaType' | 'pageCount' | 'image'>;

/** The file was not read to its end, for a reason that says nothing about its bytes. The message is for the log. */
export class ReadingFailed extends Error {
  constructor(
    message: string,
    readonly metadata: FileMetadata | null = null,
  ) {
    super(message);
    this.name = 'ReadingFailed';
  }
}

/** Finds out from its bytes what a file is and what stands in it (docs/adr/0021). */
export abstract class Extractor {
  /**
   * What the reader finds in the bytes, however hostile, is a `failure`. Also rejects with the reason of `signal`, and
   * when the service stops.
   *
   * @throws ReadingFailed when a process cannot be started or dies, or the file cannot be opened; may be retried
   */
  abstract extract(request: ExtractionRequest, signal?: AbortSignal): Promise<Extraction>;
}
