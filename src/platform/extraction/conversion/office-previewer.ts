import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ReadingFailed } from '../extractor.js';
import {
  type Preview,
  type PreviewRequest,
  type PreviewSupport,
  type PreviewedFile,
  type Previewer,
} from '../previewer.js';
import { type Conversion, type Converter } from './converter.js';
import { officeFormat } from './office-formats.js';

const MIB = 1024 * 1024;
/** `contendedMs`: limit while previews of other files wait. */
const LIMITS = { timeMs: 30_000, contendedMs: 10_000, checkMs: 250 };
const MAX_PDF = 64 * MIB;
/** Readers turn pages: the PDFs of the last minutes are not converted again. `maxSize` in bytes. */
const KEPT = { max: 100, maxSize: 64 * MIB, ttl: 10 * 60_000, ttlAutopurge: true, updateAgeOnGet: true };

/** Renders pages of Office files, after converting them to PDF. */
export class OfficePreviewer implements Previewer, OnApplicationShutdown {
  readonly #kept = new LRUCache<string, Buffer>({ ...KEPT, sizeCalculation: (pdf) => pdf.length });

  constructor(
    private readonly previewer: Previewer & Partial<OnApplicationShutdown>,
    private readonly converter: Converter,
    private readonly limits = LIMITS,
  ) {}

  get version(): string {
    return `${this.previewer.version} ${this.converter.version}`;
  }

  supportFor(mediaType: string): Promise<PreviewSupport> {
    return this.previewer.supportFor(officeFormat(mediaType) ? 'application/pdf' : mediaType);
  }

  converts({ owner, sha256, mediaType }: PreviewedFile): boolean {
    return officeFormat(mediaType) !== undefined && !this.#kept.has(`${owner}/${sha256}`);
  }

  async render(request: PreviewRequest, signal?: AbortSignal): Promise<Preview> {
    if (!officeFormat(request.mediaType)) return this.previewer.render(request, signal);
    const key = `${request.owner}/${request.sha256}`;
    let pdf = this.#kept.get(key);
    if (!pdf) {
      // The stored media type can be a claim of the client, if the file could not be read.
      const direct = await this.previewer.render(request, signal);
      const format = direct.failure === 'Unsupported' && officeFormat(direct.mediaType);
      if (!format) return direct;
      const { result, failure } = await this.#convert(request, format.extension, signal);
      if (failure) return { image: null, failure, pages: null };
      pdf = result;
      this.#kept.set(key, pdf);
    }
    const open = () => Promise.resolve(Readable.from([pdf]));
    return this.previewer.render({ ...request, size: pdf.length, open }, signal);
  }

  /** @throws ReadingFailed if others wait for a long conversion, and what Converter.convert throws */
  async #convert(
    { size, open, othersWait }: PreviewRequest,
    from: string,
    signal?: AbortSignal,
  ): Promise<Conversion<Buffer>> {
    const overtime = new AbortController();
    const { timeMs, contendedMs, checkMs } = this.limits;
    const began = performance.now();
    const timer = setInterval(() => {
      if (performance.now() - began >= contendedMs && othersWait?.())
        overtime.abort(
          new ReadingFailed(`A conversion took more than ${contendedMs} ms while others waited`),
        );
    }, checkMs);
    const stop = signal ? AbortSignal.any([signal, overtime.signal]) : overtime.signal;
    try {
      const request = { size, open, from, to: 'pdf', timeMs, maxBytes: MAX_PDF };
      return await this.converter.convert(request, buffer, stop);
    } finally {
      clearInterval(timer);
    }
  }

  onApplicationShutdown(): void {
    this.#kept.clear();
    this.previewer.onApplicationShutdown?.();
  }
}
