import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Logger } from '@nestjs/common';
import { type ExtractionLimits, type OcrSettings } from '../../src/extraction/extraction-limits.js';
import { type Extraction } from '../../src/extraction/extractor.js';
import { ExtractorPool } from '../../src/extraction/extractor-pool.js';

const MIB = 1024 * 1024;

/** What the service has by default, but for the time, which is nobody's business where the machine is busy. */
const LIMITS: ExtractionLimits = {
  timeMs: 240_000,
  memory: 512 * MIB,
  decompressed: 256 * MIB,
  text: 2_000_000,
};

export interface ExtractionOptions {
  readonly limits?: Partial<ExtractionLimits>;
  readonly processes?: number;
  readonly idleMs?: number;
  readonly ocr?: OcrSettings;
}

/** A pool of a test's own, and a folder for the files that it reads. */
export class TestExtraction {
  private constructor(
    readonly pool: ExtractorPool,
    readonly folder: string,
  ) {}

  static async start({
    limits,
    processes = 1,
    ocr,
    ...rest
  }: ExtractionOptions = {}): Promise<TestExtraction> {
    // Every hostile file is a line of the log.
    Logger.overrideLogger(['error']);
    const pool = new ExtractorPool({
      ...rest,
      processes,
      ocr: ocr ?? null,
      limits: { ...LIMITS, ...limits },
    });
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
    }: { fileName?: string | null; claimedType?: string } = {},
    signal?: AbortSignal,
  ): Promise<Extraction> {
    return this.pool.extract({ path: await this.write(bytes), fileName, claimedType }, signal);
  }

  async stop(): Promise<void> {
    this.pool.onApplicationShutdown();
    await rm(this.folder, { recursive: true, force: true });
  }
}
