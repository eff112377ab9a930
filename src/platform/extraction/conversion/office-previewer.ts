import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type Preview, type PreviewRequest, Previewer } from '../previewer.js';
import { type Converter } from './converter.js';
import { officeFormat } from './office-formats.js';

const MIB = 1024 * 1024;
const CONVERSION_MS = 30_000;
const MAX_PDF = 64 * MIB;
/** Readers turn pages: the PDFs of the last minutes are not converted again. `maxSize` in bytes. */
const KEPT = { max: 100, maxSize: 64 * MIB, ttl: 10 * 60_000, ttlAutopurge: true, updateAgeOnGet: true };

/** Renders pages of Office files, after converting them to PDF. */
export class OfficePreviewer extends Previewer implements OnApplicationShutdown {
  readonly #kept = new LRUCache<string, Buffer>({ ...KEPT, sizeCalculation: (pdf) => pdf.length });

  constructor(
    private readonly previewer: Previewer & Partial<OnApplicationShutdown>,
    private readonly converter: Converter,
  ) {
    super();
  }

  override isAvailable(): Promise<boolean> {
    return this.previewer.isAvailable();
  }

  override supports(mediaType: string): boolean {
    return officeFormat(mediaType) !== undefined || this.previewer.supports(mediaType);
  }

  override async render(request: PreviewRequest, signal?: AbortSignal): Promise<Preview> {
    if (!officeFormat(request.mediaType)) return this.previewer.render(request, signal);
    const key = `${request.owner}/${request.sha256}`;
    let pdf = this.#kept.get(key);
    if (!pdf) {
      // The stored media type can be a claim of the client, if the file could not be read.
      const direct = await this.previewer.render(request, signal);
      const format = direct.failure === 'Unsupported' && officeFormat(direct.mediaType);
      if (!format) return direct;
      const { result, failure } = await this.converter.convert(
        {
          size: request.size,
          open: request.open,
          from: format.extension,
          to: 'pdf',
          timeMs: CONVERSION_MS,
          maxBytes: MAX_PDF,
        },
        buffer,
        signal,
      );
      if (failure) return { image: null, failure };
      pdf = result;
      this.#kept.set(key, pdf);
    }
    const open = () => Promise.resolve(Readable.from([pdf]));
    return this.previewer.render({ ...request, size: pdf.length, open }, signal);
  }

  onApplicationShutdown(): void {
    this.#kept.clear();
    this.previewer.onApplicationShutdown?.();
  }
}
