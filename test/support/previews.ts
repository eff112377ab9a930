import { Readable } from 'node:stream';
import { type ExtractionLimits, PREVIEW_LIMITS } from '../../src/platform/extraction/extraction-limits.js';
import { PreviewerPool } from '../../src/platform/extraction/previewer-pool.js';
import {
  type Preview,
  type PreviewRequest,
  type PreviewSize,
} from '../../src/platform/extraction/previewer.js';
import { type ProcessPoolOptions } from '../../src/platform/extraction/process-pool.js';

type Options = Omit<Partial<ProcessPoolOptions>, 'limits'> & { readonly limits?: Partial<ExtractionLimits> };

/** A request for the first page of a file. */
export function previewOf(bytes: Buffer | string, more: Partial<PreviewRequest> = {}): PreviewRequest {
  const buffer = Buffer.from(bytes);
  const open = () => Promise.resolve(Readable.from([buffer]));
  // The bytes decide the format, not the media type.
  const file = { owner: 'one', sha256: '', mediaType: '', size: buffer.length, open };
  return { ...file, page: 1, width: 400, ...more };
}

/** A pool of processes that render, with more time for busy machines. */
export class TestPreviews {
  readonly pool: PreviewerPool;

  constructor({ limits, ...options }: Options = {}) {
    const all = { ...PREVIEW_LIMITS, timeMs: 240_000, ...limits };
    this.pool = new PreviewerPool({ processes: 1, ...options, limits: all });
  }

  render(bytes: Buffer | string, size?: Partial<PreviewSize>): Promise<Preview> {
    return this.pool.render(previewOf(bytes, size));
  }

  /** The picture; throws the failure if there is none. */
  async picture(bytes: Buffer | string, size?: Partial<PreviewSize>): Promise<Buffer> {
    const { image, failure } = await this.render(bytes, size);
    if (!image) throw new Error(`No picture: ${failure}`);
    return image;
  }

  stop(): void {
    this.pool.onApplicationShutdown();
  }
}
