import { type ExtractionLimits, type OcrSettings } from './extraction-limits.js';
import {
  type Extraction,
  type ExtractionFailure,
  type ExtractionRequest,
  type FileMetadata,
} from './extractor.js';
import { type InputFile } from './input-file.js';
import { type FileMessage, UNKNOWN_METADATA, maxBytesOf } from './messages.js';
import { type ReadingTask, UnexpectedMessage } from './reading-task.js';

interface Reading {
  readonly extraction: Extraction;
  /** Cause of a failure, for the log; usually the message of a library. */
  readonly detail: string | null;
}

/** Reads media type, page count, dimensions and text of a file. */
export class ExtractionTask implements ReadingTask<Reading> {
  readonly owner: string;
  readonly order: ReadingTask<Reading>['order'];
  readonly maxBytes: number;
  metadata: FileMetadata | null = null;
  #text = '';

  constructor(
    private readonly request: ExtractionRequest,
    private readonly limits: ExtractionLimits,
    ocr: OcrSettings | null,
  ) {
    const { owner, fileName, claimedType } = request;
    this.owner = owner;
    this.order = { hints: { fileName, claimedType }, ocr, preview: null };
    this.maxBytes = maxBytesOf(limits);
  }

  copyTo(file: InputFile): Promise<number> {
    return file.copyFrom(this.request.path);
  }

  receive(message: FileMessage): Reading | undefined {
    if (message.kind === 'metadata') this.metadata = message.metadata;
    else if (message.kind === 'text') {
      this.#text += message.text;
      if (this.#text.length > this.limits.text) throw new UnexpectedMessage('sent more text than the limit');
    } else if (message.kind === 'done') {
      const text = this.#text === '' ? null : this.#text;
      return { extraction: { ...message.extraction, text }, detail: message.detail };
    } else throw new UnexpectedMessage('sent an invalid message');
    return undefined;
  }

  endedBy(failure: ExtractionFailure): Reading {
    const metadata = this.metadata ?? UNKNOWN_METADATA;
    const extraction = { ...metadata, text: null, recognisedPages: [], failure };
    return { extraction, detail: 'ended by the service' };
  }
}
