import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EXTRACTION_LIMITS, type ExtractionLimits } from '../../src/platform/extraction/extraction-limits.js';
import { type Extraction } from '../../src/platform/extraction/extractor.js';
import { ExtractorPool, type PoolOptions } from '../../src/platform/extraction/extractor-pool.js';

/** The limits of the service, with more time for busy machines. */
const LIMITS: ExtractionLimits = { ...EXTRACTION_LIMITS, timeMs: 240_000 };

export type ExtractionOptions = Omit<Partial<PoolOptions>, 'limits'> & {
  readonly limits?: Partial<ExtractionLimits>;
};

/** What is expected of a file. All that is not given is missing. */
export function extractionOf(found: Partial<Extraction>): Extraction {
  return {
    mediaType: 'application/octet-stream',
    pageCount: null,
    image: null,
    text: null,
    recognisedPages: [],
    failure: null,
    ...found,
  };
}

/** A pool of extraction processes with a folder for the files that it reads. */
export class TestExtraction {
  private constructor(
    readonly pool: ExtractorPool,
    readonly folder: string,
  ) {}

  static async start({ limits, ...options }: ExtractionOptions = {}): Promise<TestExtraction> {
    const pool = new ExtractorPool({ processes: 1, ocr: null, ...options, limits: { ...LIMITS, ...limits } });
    return new TestExtraction(pool, await mkdtemp(path.join(tmpdir(), 'extraction-test-')));
  }

  async write(bytes: Buffer | string, name = 'content'): Promise<string> {
    const file = path.join(this.folder, name);
    await writeFile(file, bytes);
    return file;
  }

  async extract(
    bytes: Buffer | string,
    {
      fileName = null,
      claimedType = 'application/octet-stream',
      owner = 'one',
    }: { fileName?: string | null; claimedType?: string; owner?: string } = {},
    signal?: AbortSignal,
  ): Promise<Extraction> {
    return this.pool.extract({ path: await this.write(bytes), owner, fileName, claimedType }, signal);
  }

  async stop(): Promise<void> {
    this.pool.onApplicationShutdown();
    await rm(this.folder, { recursive: true, force: true });
  }
}
