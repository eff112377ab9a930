import { createReadStream } from 'node:fs';
import { type OnApplicationShutdown } from '@nestjs/common';
import { EXTRACTION_LIMITS } from '../extraction-limits.js';
import { type Extraction, type ExtractionRequest, Extractor } from '../extractor.js';
import { type Converter } from './converter.js';
import { officeFormat } from './office-formats.js';

/** Maximum size of a converted file, in bytes. */
const MAX_BYTES = 128 * 1024 * 1024;

/** Reads the formats that the service cannot read itself, after converting them. */
export class ConvertingExtractor extends Extractor implements OnApplicationShutdown {
  constructor(
    private readonly extractor: Extractor & Partial<OnApplicationShutdown>,
    private readonly converter: Converter,
  ) {
    super();
  }

  override async extract(request: ExtractionRequest, signal?: AbortSignal): Promise<Extraction> {
    const found = await this.extractor.extract(request, signal);
    const format = officeFormat(found.mediaType);
    if (!format?.readAs || found.failure) return found;
    const { extension: to, mediaType } = format.readAs;
    const { result, failure } = await this.converter.convert(
      {
        open: () => createReadStream(request.path),
        from: format.extension,
        to,
        timeMs: EXTRACTION_LIMITS.timeMs,
        maxBytes: MAX_BYTES,
      },
      (path) =>
        this.extractor.extract(
          { path, owner: request.owner, fileName: null, claimedType: mediaType },
          signal,
        ),
      signal,
    );
    return result ? { ...result, mediaType: found.mediaType } : { ...found, failure };
  }

  onApplicationShutdown(): void {
    this.extractor.onApplicationShutdown?.();
  }
}
