import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { PDF_FOLDER } from './isolation.js';
import { officeFormat } from './conversion/office-formats.js';
import { type ExtractionFailure, ReadingFailed } from './extractor.js';
import { type InputFile } from './input-file.js';
import { type FileMessage } from './messages.js';
import {
  MAX_PREVIEW_BYTES,
  type Preview,
  type PreviewRequest,
  type PreviewSupport,
  type Previewer,
  RENDERER_VERSION,
  hasPreview,
} from './previewer.js';
import { ProcessPool, type ProcessPoolOptions } from './process-pool.js';
import { type ReadingTask, UnexpectedMessage } from './reading-task.js';

const execute = promisify(execFile);

/** Renders pages in separate processes, which may load native code. */
export class PreviewerPool extends ProcessPool implements Previewer {
  static #canvas: Promise<boolean> | undefined;

  readonly version = String(RENDERER_VERSION);

  constructor(options: ProcessPoolOptions) {
    super(options, { addons: true, programs: false });
  }

  /**
   * Whether the native package can be loaded that renders pictures; determined once, in another process, because the
   * service loads no native code. Also true if the process did not start or did not end in time: that says nothing about
   * the package.
   */
  isAvailable(): Promise<boolean> {
    const script = `require('@napi-rs/canvas')`;
    const options = { cwd: PDF_FOLDER, env: {}, timeout: 60_000 };
    PreviewerPool.#canvas ??= execute(process.execPath, ['--eval', script], options).then(
      () => true,
      ({ code }: { code?: unknown }) => typeof code !== 'number',
    );
    return PreviewerPool.#canvas;
  }

  converts(): boolean {
    return false;
  }

  async supportFor(mediaType: string): Promise<PreviewSupport> {
    if (officeFormat(mediaType)) return 'ProgramMissing';
    if (!hasPreview(mediaType)) return 'Unsupported';
    return (await this.isAvailable()) ? 'Supported' : 'ProgramMissing';
  }

  async render(request: PreviewRequest, signal?: AbortSignal): Promise<Preview> {
    let outcome = await this.#render(request, signal);
    // Again in a new process, because an earlier file may have damaged the memory of the first one.
    if (outcome instanceof ReadingFailed) outcome = await this.#render(request, signal);
    if (!(outcome instanceof ReadingFailed)) return outcome;
    this.options.debug?.(`A preview crashed two processes (${outcome.message}).`);
    return { image: null, failure: 'Corrupted', pages: null };
  }

  /** Returns the error if the process has crashed. */
  async #render(request: PreviewRequest, signal?: AbortSignal): Promise<Preview | ReadingFailed> {
    try {
      const { preview, detail } = await this.run(new PreviewTask(request), signal);
      if (preview.failure) this.options.debug?.(`No preview of a file: ${preview.failure} (${detail}).`);
      return preview;
    } catch (error) {
      if (error instanceof ReadingFailed && error.hasCrashed) return error;
      throw error;
    }
  }
}

interface Rendering {
  readonly preview: Preview;
  /** Cause of a failure, for the log. */
  readonly detail: string | null;
}

const UNKNOWN = { fileName: null, claimedType: 'application/octet-stream' } as const;

/** Renders one page of a file. Only its bytes decide how. */
class PreviewTask implements ReadingTask<Rendering> {
  readonly owner: string;
  readonly order: ReadingTask<Rendering>['order'];
  /** In base64, and other messages. */
  readonly maxBytes = 2 * MAX_PREVIEW_BYTES;
  readonly metadata = null;
  #pieces: Buffer[] = [];
  #length = 0;

  constructor(private readonly request: PreviewRequest) {
    const { owner, page, width } = request;
    this.owner = owner;
    this.order = { hints: UNKNOWN, ocr: null, preview: { page, width } };
  }

  async copyTo(file: InputFile): Promise<number> {
    return file.fill(await this.request.open(), this.request.size);
  }

  receive(message: FileMessage): Rendering | undefined {
    if (message.kind === 'image') {
      const piece = Buffer.from(message.data, 'base64');
      this.#length += piece.length;
      if (this.#length > MAX_PREVIEW_BYTES)
        throw new UnexpectedMessage('sent a larger picture than the limit');
      this.#pieces.push(piece);
      return undefined;
    }
    if (message.kind !== 'rendered') throw new UnexpectedMessage('sent an invalid message');
    const { failure, mediaType, pages, isLegible, detail } = message;
    if (failure === 'Unsupported') {
      if (mediaType === null) throw new UnexpectedMessage('sent no media type');
      return { preview: { image: null, failure, mediaType, pages }, detail };
    }
    if (failure !== null) return { preview: { image: null, failure, pages }, detail };
    const image = Buffer.concat(this.#pieces);
    if (!isWebp(image)) throw new UnexpectedMessage('sent a picture that is not WebP');
    return { preview: { image, failure, pages, isLegible }, detail };
  }

  endedBy(failure: ExtractionFailure): Rendering {
    return { preview: { image: null, failure, pages: null }, detail: 'ended by the service' };
  }
}

/** Whether the header of the container is that of a WebP file with this length (RFC 9649, 2.4). */
function isWebp(bytes: Buffer): boolean {
  return (
    bytes.length > 20 &&
    bytes.toString('latin1', 0, 4) === 'RIFF' &&
    bytes.readUInt32LE(4) === bytes.length - 8 &&
    /^WEBPVP8[ LX]$/.test(bytes.toString('latin1', 8, 16))
  );
}
