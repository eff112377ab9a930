import path from 'node:path';
import { type OnApplicationShutdown } from '@nestjs/common';
import { commandLine, isolation } from './isolation.js';
import { type ExtractionLimits, type OcrSettings } from './extraction-limits.js';
import {
  type Extraction,
  type ExtractionFailure,
  type ExtractionRequest,
  Extractor,
  type FileMetadata,
} from './extractor.js';
import { type InputFile } from './input-file.js';
import { type FileMessage, UNKNOWN_METADATA, maxBytesOf } from './messages.js';
import { ProcessPool, type ProcessPoolOptions } from './process-pool.js';
import { type ReadingTask, UnexpectedMessage } from './reading-task.js';
import { ReceivedText } from './received-text.js';

export interface PoolOptions extends ProcessPoolOptions {
  readonly ocr: OcrSettings | null;
}

/** Reads files in separate processes. If all processes are busy, requests wait in the order of arrival. */
export class ExtractorPool extends Extractor implements OnApplicationShutdown {
  readonly #pool: ProcessPool;

  constructor(private readonly options: PoolOptions) {
    super();
    const { ocr, limits } = options;
    const native = { addons: ocr !== null, programs: ocr !== null };
    this.#pool = new ProcessPool(
      options,
      async () => commandLine(limits, native, await isolation()),
      ocr ? tesseractEnvironment() : {},
    );
  }

  get pids(): { busy: number[]; idle: number[] } {
    return this.#pool.pids;
  }

  override async extract(request: ExtractionRequest, signal?: AbortSignal): Promise<Extraction> {
    const { limits, ocr, debug } = this.options;
    // Absolute, because the processes have another working folder.
    const task = new ExtractionTask({ ...request, path: path.resolve(request.path) }, limits, ocr);
    const { extraction, detail } = await this.#pool.run(task, signal);
    const { mediaType, failure } = extraction;
    if (failure) debug?.(`No text extracted from a file of type ${mediaType}: ${failure} (${detail}).`);
    return extraction;
  }

  /** Rejects the pending requests. */
  onApplicationShutdown(): void {
    this.#pool.close();
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
