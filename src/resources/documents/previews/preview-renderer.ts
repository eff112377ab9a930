import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { FairQueue } from '../../../common/fair-queue.js';
import { Problem, unavailable } from '../../../common/problem.js';
import { type Owner, Shares } from '../../../common/shares.js';
import { ContentStore } from '../../../platform/content/content-store.js';
import { UnitOfWork } from '../../../platform/database/transactions/unit-of-work.js';
import { PREVIEW_PROCESSES } from '../../../platform/extraction/extraction-limits.js';
import { ReadingFailed } from '../../../platform/extraction/extractor.js';
import { MAX_PREVIEWED_BYTES, Previewer } from '../../../platform/extraction/previewer.js';
import { Log } from '../../../platform/logging/log.js';
import { serviceContext } from '../../../platform/tenancy/access/access.directory.js';
import { DocumentPreviewsRepository, type PreviewKey } from './document-previews.repository.js';

/** A tenant renders one page at a time, so that its slow files do not delay another tenant. */
const RENDERING = { total: PREVIEW_PROCESSES, tenant: 1, caller: 1 };
/** Pages that wait or are being rendered. */
const WAITING = { total: 400, tenant: 100, caller: 50 };
const WAIT_MS = 30_000;
/** With the time for copying the file, and for a second attempt. */
const TIMEOUT_MS = 90_000;
/** Seconds after which the client should retry. */
const RETRY_AFTER = 5;
/** Failures that say nothing about the file are not stored; the page is tried again after `ttl`. */
const FAILURES = { max: 1000, ttl: 60_000 };

export interface PreviewedContent {
  readonly sha256: string;
  readonly mediaType: string;
  /** In bytes. */
  readonly size: number;
}

/** Renders pages and stores the results. Concurrent requests for the same page share one rendering. */
@Injectable()
export class PreviewRenderer {
  private readonly queue = new FairQueue(RENDERING, () => WAIT_MS);
  private readonly waiting = new Shares(WAITING);
  private readonly inProgress = new Map<string, Promise<Buffer | null>>();
  private readonly failures = new LRUCache<string, true>(FAILURES);

  constructor(
    private readonly uow: UnitOfWork,
    private readonly previews: DocumentPreviewsRepository,
    private readonly previewer: Previewer,
    private readonly store: ContentStore,
    private readonly log: Log,
  ) {}

  /**
   * Returns the image; null if the page cannot be rendered.
   *
   * @throws Problem 404 `document.without-page`; 503 if too many pages wait, or for a failure that is not in the file
   */
  render(owner: Owner, key: PreviewKey, content: PreviewedContent): Promise<Buffer | null> {
    const { documentId, version, page, width } = key;
    const name = [owner.tenant, documentId, version, page, width].join('/');
    if (this.failures.has(name)) return Promise.reject(unavailable(FAILURES.ttl / 1000));
    const shared = this.inProgress.get(name);
    if (shared) return shared;
    const rendering = this.renderInTurn(owner, key, content, name).finally(() =>
      this.inProgress.delete(name),
    );
    this.inProgress.set(name, rendering);
    return rendering;
  }

  private async renderInTurn(
    owner: Owner,
    key: PreviewKey,
    content: PreviewedContent,
    name: string,
  ): Promise<Buffer | null> {
    if (content.size > MAX_PREVIEWED_BYTES || !(await this.previewer.isAvailable())) return null;
    if (this.waiting.exceeded(owner, 1)) throw unavailable(RETRY_AFTER);
    this.waiting.add(owner, 1);
    try {
      const release = await this.queue.acquire(owner);
      try {
        return await this.renderNow(owner.tenant, key, content);
      } finally {
        release();
      }
    } catch (err) {
      if (!(err instanceof ReadingFailed)) throw err;
      this.failures.set(name, true);
      this.log.warn({ err, tenantId: owner.tenant, ...key }, 'a preview could not be rendered');
      throw unavailable(FAILURES.ttl / 1000, { cause: err });
    } finally {
      this.waiting.add(owner, -1);
    }
  }

  private async renderNow(
    tenantId: string,
    key: PreviewKey,
    { sha256, mediaType, size }: PreviewedContent,
  ): Promise<Buffer | null> {
    const { page, width } = key;
    const open = () => this.store.open(tenantId, sha256);
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const request = { owner: tenantId, sha256, mediaType, size, open, page, width };
    const { image, failure } = await this.previewer.render(request, timeout).catch((cause: unknown) => {
      throw timeout.aborted ? unavailable(RETRY_AFTER, { cause }) : cause;
    });
    if (failure === 'WithoutPage') throw new Problem('document.without-page');
    await this.save(tenantId, key, image);
    return image;
  }

  /** An error only means that the page is rendered again. */
  private async save(tenantId: string, key: PreviewKey, image: Buffer | null): Promise<void> {
    await this.uow
      .write(serviceContext(tenantId), async (tx) => {
        await this.previews.save(tx, key, image);
        await this.previews.limit(tx);
      })
      .catch((err: unknown) => this.log.warn({ err, tenantId, ...key }, 'a preview could not be stored'));
  }
}
