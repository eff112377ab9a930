import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type OnApplicationShutdown } from '@nestjs/common';
import { lookup } from 'mime-types';
import { EXTRACTION_LIMITS } from '../extraction-limits.js';
import { type Extraction, type ExtractionRequest, type Extractor, ReadingFailed } from '../extractor.js';
import { type Converter } from './converter.js';
import { officeFormat } from './office-formats.js';

/** Maximum size of a converted file, in bytes. */
const MAX_BYTES = 128 * 1024 * 1024;

/** Reads the formats that the service cannot read itself, after converting them. */
export class ConvertingExtractor implements Extractor, OnApplicationShutdown {
  /** @param folder for converted files; default: that of the file */
  constructor(
    private readonly extractor: Extractor & Partial<OnApplicationShutdown>,
    private readonly converter: Converter,
    private readonly folder?: string,
  ) {}

  async extract(request: ExtractionRequest, signal?: AbortSignal): Promise<Extraction> {
    const found = await this.extractor.extract(request, signal);
    const format = officeFormat(found.mediaType);
    if (!format?.readAs || found.failure !== 'ConverterMissing') return found;
    const converted = path.join(this.folder ?? path.dirname(request.path), randomUUID());
    try {
      const { failure } = await this.converter.convert(
        {
          size: (await stat(request.path)).size,
          open: () => createReadStream(request.path),
          from: format.extension,
          to: format.readAs,
          timeMs: EXTRACTION_LIMITS.timeMs,
          maxBytes: MAX_BYTES,
        },
        (result) => writeFile(converted, result, { flag: 'wx', mode: 0o600 }),
        signal,
      );
      if (failure) return { ...found, failure };
      const claimedType = lookup(format.readAs) || '';
      const file = { path: converted, owner: request.owner, fileName: null, claimedType };
      return { ...(await this.extractor.extract(file, signal)), mediaType: found.mediaType };
    } catch (error) {
      if (!(error instanceof ReadingFailed)) throw error;
      // With what is known of the file itself, not of the converted one.
      throw new ReadingFailed(error.message, found, error.hasCrashed);
    } finally {
      await rm(converted, { force: true });
    }
  }

  onApplicationShutdown(): void {
    this.extractor.onApplicationShutdown?.();
  }
}
