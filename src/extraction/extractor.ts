/** One local file to look into. */
export interface ExtractionRequest {
  /** A local copy, which nobody changes while it is read. */
  readonly path: string;
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

/** Finds out from its bytes what a file is and what stands in it (docs/adr/0021). */
export abstract class Extractor {
  /**
   * Never rejects for what the bytes are, however hostile: that is a `failure`. Rejects for faults of the machine
   * (the file cannot be read, no process can be started, the service is stopping) and with the reason of `signal`.
   */
  abstract extract(request: ExtractionRequest, signal?: AbortSignal): Promise<Extraction>;
}
