import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type OnApplicationShutdown } from '@nestjs/common';
import { commandLine } from './command-line.js';
import { officeFormat } from './conversion/office-formats.js';
import { ReadingFailed } from './extractor.js';
import { isolation, PDF_FOLDER } from './isolation.js';
import { PreviewTask } from './preview-task.js';
import {
  type Preview,
  type PreviewRequest,
  type PreviewSupport,
  Previewer,
  RENDERER_VERSION,
  hasPreview,
} from './previewer.js';
import { ProcessPool, type ProcessPoolOptions } from './process-pool.js';

const run = promisify(execFile);

/** Renders pages in separate processes, which may load native code. */
export class PreviewerPool extends Previewer implements OnApplicationShutdown {
  readonly #pool: ProcessPool;

  constructor(private readonly options: ProcessPoolOptions) {
    super();
    const native = { addons: true, programs: false };
    this.#pool = new ProcessPool(options, async () => commandLine(options.limits, native, await isolation()));
  }

  get pids(): { busy: number[]; idle: number[] } {
    return this.#pool.pids;
  }

  override readonly version = String(RENDERER_VERSION);

  /** Whether this machine can render pictures. */
  isAvailable(): Promise<boolean> {
    return canLoadCanvas();
  }

  override async supportFor(mediaType: string): Promise<PreviewSupport> {
    if (officeFormat(mediaType)) return 'ProgramMissing';
    if (!hasPreview(mediaType)) return 'Unsupported';
    return (await this.isAvailable()) ? 'Supported' : 'ProgramMissing';
  }

  override async render(request: PreviewRequest, signal?: AbortSignal): Promise<Preview> {
    try {
      return await this.#render(request, signal);
    } catch (error) {
      if (!(error instanceof ReadingFailed && error.hasCrashed)) throw error;
    }
    // Again in a new process, because an earlier file may have damaged the memory of the first one.
    try {
      return await this.#render(request, signal);
    } catch (error) {
      if (!(error instanceof ReadingFailed && error.hasCrashed)) throw error;
      this.options.debug?.(`A preview crashed two processes (${error.message}).`);
      return { image: null, failure: 'Corrupted', pages: null };
    }
  }

  /** Rejects the pending requests. */
  onApplicationShutdown(): void {
    this.#pool.close();
  }

  async #render(request: PreviewRequest, signal: AbortSignal | undefined): Promise<Preview> {
    const { preview, detail } = await this.#pool.run(new PreviewTask(request), signal);
    if (preview.failure) this.options.debug?.(`No preview of a file: ${preview.failure} (${detail}).`);
    return preview;
  }
}

let canvas: Promise<boolean> | undefined;

/**
 * Whether the native package can be loaded; determined once, in another process, because the service loads no native code. Also true if
 * the process did not start or did not end in time: that says nothing about the package.
 */
function canLoadCanvas(): Promise<boolean> {
  const script = `require('@napi-rs/canvas')`;
  canvas ??= run(process.execPath, ['--eval', script], { cwd: PDF_FOLDER, env: {}, timeout: 60_000 }).then(
    () => true,
    ({ code }: { code?: unknown }) => typeof code !== 'number',
  );
  return canvas;
}
