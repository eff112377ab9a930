import { rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EXTRACTION_LIMITS, type ExtractionLimits } from '../../src/platform/extraction/extraction-limits.js';
import { type Extraction } from '../../src/platform/extraction/extractor.js';
import { ExtractorPool, type PoolOptions } from '../../src/platform/extraction/extractor-pool.js';

/** The limits of the service, with more time for busy machines. */
const LIMITS: ExtractionLimits = { ...EXTRACTION_LIMITS, timeMs: 240_000 };

/** Maximum number of characters that the shared pool extracts. */
export const SHARED_TEXT_LIMIT = 500_000;

export type ExtractionOptions = Omit<Partial<PoolOptions>, 'limits'> & {
  readonly limits?: Partial<ExtractionLimits>;
};

/** A pool of extraction processes with a folder for the files that it reads. */
export class TestExtraction {
  static #shared: Promise<TestExtraction> | undefined;

  private constructor(
    readonly pool: ExtractorPool,
    readonly folder: string,
  ) {}

  /** The pool that the specs of a jest worker share. Use it when the default limits suffice; do not stop it. */
  static shared(): Promise<TestExtraction> {
    this.#shared ??= TestExtraction.start({ limits: { text: SHARED_TEXT_LIMIT } }).then((shared) => {
      process.once('exit', () => rmSync(shared.folder, { recursive: true, force: true }));
      return shared;
    });
    return this.#shared;
  }

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
