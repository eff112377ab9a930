import path from 'node:path';
import { type ExtractionLimits } from './extraction-limits.js';
import {
  type Extraction,
  type ExtractionFailure,
  type ExtractionRequest,
  type Extractor,
  type FileMetadata,
} from './extractor.js';
import { type InputFile } from './input-file.js';
import { type FileMessage, UNKNOWN_METADATA, maxBytesOf } from './messages.js';
import { ProcessPool, type ProcessPoolOptions } from './process-pool.js';
import { type ReadingTask, UnexpectedMessage } from './reading-task.js';

export interface PoolOptions extends ProcessPoolOptions {
  /** Languages of character recognition (OCR): names of tesseract, joined by `+`. Null without OCR. */
  readonly ocr: string | null;
}

/** Reads files in separate processes. If all processes are busy, requests wait in the order of arrival. */
export class ExtractorPool extends ProcessPool<PoolOptions> implements Extractor {
  constructor(options: PoolOptions) {
    const usesOcr = options.ocr !== null;
    super(options, { addons: usesOcr, programs: usesOcr }, usesOcr ? tesseractEnvironment() : {});
  }

  async extract(request: ExtractionRequest, signal?: AbortSignal): Promise<Extraction> {
    const { limits, ocr, debug } = this.options;
    // Absolute, because the processes have another working folder.
    const task = new ExtractionTask({ ...request, path: path.resolve(request.path) }, limits, ocr);
    const { extraction, detail } = await this.run(task, signal);
    const { mediaType, failure } = extraction;
    if (failure) debug?.(`No text extracted from a file of type ${mediaType}: ${failure} (${detail}).`);
    return extraction;
  }
}

function tesseractEnvironment(): NodeJS.ProcessEnv {
  const { PATH, TESSDATA_PREFIX } = process.env;
  return { PATH, TESSDATA_PREFIX, OMP_THREAD_LIMIT: '1' };
}

interface Reading {
  readonly extraction: Extraction;
  /** Cause of a failure, for the log; usually the message of a library. */
  readonly detail: string | null;
}

/** Reads media type, page count, dimensions and text of a file. */
class ExtractionTask implements ReadingTask<Reading> {
  readonly owner: string;
  readonly order: ReadingTask<Reading>['order'];
  readonly maxBytes: number;
  metadata: FileMetadata | null = null;
  readonly #text = new ReceivedText();

  constructor(
    private readonly request: ExtractionRequest,
    private readonly limits: ExtractionLimits,
    ocr: string | null,
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
    else if (message.kind === 'text') this.#text.append(message.text);
    else if (message.kind === 'recognised') this.#text.insert(message.text, message.at, message.page);
    else if (message.kind === 'done') return this.#reading(message.extraction, message.detail);
    else throw new UnexpectedMessage('sent an invalid message');
    if (this.#text.length > this.limits.text) throw new UnexpectedMessage('sent more text than the limit');
    return undefined;
  }

  endedBy(failure: ExtractionFailure): Reading {
    return this.#reading({ ...(this.metadata ?? UNKNOWN_METADATA), failure }, 'ended by the service');
  }

  /** Text that was sent before a failure is the result. The process sends text early only before it recognises images or opens attached files. */
  #reading(found: Omit<Extraction, 'text' | 'recognisedPages'>, detail: string | null): Reading {
    const text = this.#text.finish();
    if (text === null) return { extraction: { ...found, text, recognisedPages: [] }, detail };
    const { recognisedPages } = this.#text;
    return { extraction: { ...found, text, recognisedPages, failure: null }, detail };
  }
}

/** More pages cannot be recognised within the time limit. */
const MAX_RECOGNISED_PAGES = 1000;

interface Recognised {
  /** Offset in the appended text. */
  readonly at: number;
  text: string;
}

/** Puts together the text that a reading process sends: first that of the file, then recognised texts for places in it. */
export class ReceivedText {
  #text = '';
  readonly #recognised: Recognised[] = [];
  readonly #pages = new Set<number>();
  /** In UTF-16 units. */
  length = 0;

  append(text: string): void {
    this.#text += text;
    this.length += text.length;
  }

  /** @param at offset in the appended text; null continues the last recognised text */
  insert(text: string, at: number | null, page: number): void {
    const last = this.#recognised.at(-1);
    if (at === null && last) last.text += text;
    else this.#recognised.push({ at: at ?? 0, text });
    this.#pages.add(page);
    this.length += text.length;
  }

  /** Pages with recognised text, in ascending order, from 1; a text without pages is page 1. */
  get recognisedPages(): number[] {
    return [...this.#pages].sort((one, other) => one - other).slice(0, MAX_RECOGNISED_PAGES);
  }

  /** Pages are separated by form feeds, empty ones too. Null if there is only white space. */
  finish(): string | null {
    const pieces: string[] = [];
    let last = '\f';
    const add = (text: string): void => {
      if (text === '') return;
      // A recognised text is a paragraph of its page.
      if (pieces.length > 0 && !/[\n\f]/.test(last + text.charAt(0))) pieces.push('\n\n');
      pieces.push(text);
      last = text.slice(-1);
    };
    let from = 0;
    for (const { at, text } of this.#recognised.toSorted((one, other) => one.at - other.at)) {
      add(this.#text.slice(from, at));
      add(text);
      from = at;
    }
    add(this.#text.slice(from));
    const text = pieces.join('');
    return /\S/.test(text) ? text : null;
  }
}
