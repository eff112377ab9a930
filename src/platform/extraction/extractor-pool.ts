import path from 'node:path';
import { type OnApplicationShutdown } from '@nestjs/common';
import { commandLine } from './command-line.js';
import { type OcrSettings } from './extraction-limits.js';
import { ExtractionTask } from './extraction-task.js';
import { type Extraction, type ExtractionRequest, Extractor } from './extractor.js';
import { isolation } from './isolation.js';
import { ProcessPool, type ProcessPoolOptions } from './process-pool.js';

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
