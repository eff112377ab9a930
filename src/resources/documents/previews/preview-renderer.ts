import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { FairQueue } from '../../../common/fair-queue.js';
import { Problem, unavailable } from '../../../common/problem.js';
import { type Owner, Shares } from '../../../common/shares.js';
import { ContentStore } from '../../../platform/content/content-store.js';
import { holdLock } from '../../../platform/database/held-lock.js';
import { UnitOfWork } from '../../../platform/database/transactions/unit-of-work.js';
import { PREVIEW_PROCESSES } from '../../../platform/extraction/extraction-limits.js';
import { ReadingFailed } from '../../../platform/extraction/extractor.js';
import { MAX_PREVIEWED_BYTES, type Preview, Previewer } from '../../../platform/extraction/previewer.js';
import { Log } from '../../../platform/logging/log.js';
import { serviceContext } from '../../../platform/tenancy/access/access.directory.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import {
  DocumentPreviewsRepository,
  type PreviewKey,
  type StoredPreview,
} from './document-previews.repository.js';

/** A tenant renders one page at a time, so that its slow files do not delay another tenant. */
const RENDERING = { total: PREVIEW_PROCESSES, tenant: 1, caller: 1 };
/** Pages that wait or are being rendered. */
const WAITING = { total: 400, tenant: 100, caller: 50 };
const WAIT_MS = 30_000;
/** How long a page waits for a conversion in another process while previews of other files wait. */
const CONTENDED_WAIT_MS = 10_000;
/** With the time for copying the file, and for a second attempt. */
const TIMEOUT_MS = 90_000;
/** Seconds after which the client should retry. */
const RETRY_AFTER = 5;
/** Failures that say nothing about the file are not stored; the page is tried again after `ttl`. */
const FAILURES = { max: 1000, ttl: 60_000 };

/** Milliseconds of rendering that cost one request of the rate limit. */
const MS_PER_REQUEST = 200;

export interface PreviewedContent {
  readonly sha256: string;
  readonly mediaType: string;
  /** In bytes. */
  readonly size: number;
  /** Number of pages; null if it is not known. */
  readonly pages: number | null;
}

/** Renders pages and stores the results. Concurrent requests for the same page share one rendering. */
@Injectable()
export class PreviewRenderer {
  private readonly queue = new FairQueue(RENDERING, () => WAIT_MS);
  private readonly shares = new Shares(WAITING);
  /** Names of the contents of pages that wait for a process. */
  private readonly waiting: string[] = [];
  private readonly inProgress = new Map<string, Promise<StoredPreview | null>>();
  private readonly failures = new LRUCache<string, true>(FAILURES);

  constructor(
    private readonly uow: UnitOfWork,
    private readonly previews: DocumentPreviewsRepository,
    private readonly previewer: Previewer,
    private readonly store: ContentStore,
    private readonly dataSource: DataSource,
    private readonly log: Log,
  ) {}

  /**
   * Returns the picture; null if the page cannot be rendered. The caller pays for the time, except for a page that is
   * being rendered for another request.
   *
   * @throws Problem 404 `document.without-page`; 503 if too many pages wait, or for a failure that is not in the file
   */
  render(caller: Caller, key: PreviewKey, content: PreviewedContent): Promise<StoredPreview | null> {
    const { documentId, version, page, width } = key;
    if (this.failures.has(nameOf(caller, content))) return Promise.reject(unavailable(FAILURES.ttl / 1000));
    const name = [caller.tenantId, documentId, version, page, width].join('/');
    const shared = this.inProgress.get(name);
    if (shared) return shared;
    const rendering = this.renderInTurn(caller, key, content).finally(() => this.inProgress.delete(name));
    this.inProgress.set(name, rendering);
    return rendering;
  }

  private async renderInTurn(
    caller: Caller,
    key: PreviewKey,
    content: PreviewedContent,
  ): Promise<StoredPreview | null> {
    if (content.size > MAX_PREVIEWED_BYTES) return null;
    const owner = { tenant: caller.tenantId, caller: caller.user.id };
    if (this.shares.exceeded(owner, 1)) throw unavailable(RETRY_AFTER);
    this.shares.add(owner, 1);
    try {
      const release = await this.waitForProcess(owner, nameOf(caller, content));
      try {
        const unlock = await this.waitForConversion(caller, content);
        const began = performance.now();
        try {
          return await this.renderNow(caller, key, content);
        } finally {
          caller.debit((performance.now() - began) / MS_PER_REQUEST);
          await unlock?.();
        }
      } finally {
        release();
      }
    } catch (err) {
      if (!(err instanceof ReadingFailed)) throw err;
      this.failures.set(nameOf(caller, content), true);
      this.log.warn({ err, tenantId: caller.tenantId, ...key }, 'a preview could not be rendered');
      throw unavailable(FAILURES.ttl / 1000, { cause: err });
    } finally {
      this.shares.add(owner, -1);
    }
  }

  private async waitForProcess(owner: Owner, name: string): Promise<() => void> {
    this.waiting.push(name);
    try {
      return await this.queue.acquire(owner);
    } finally {
      this.waiting.splice(this.waiting.indexOf(name), 1);
    }
  }

  /**
   * Before a conversion: waits while another process converts the same content, and makes others wait until the returned
   * function is called. An error only means that several processes can convert it at the same time.
   */
  private async waitForConversion(
    caller: Caller,
    content: PreviewedContent,
  ): Promise<(() => Promise<void>) | undefined> {
    if (!this.previewer.converts({ owner: caller.tenantId, ...content })) return undefined;
    const name = nameOf(caller, content);
    const began = performance.now();
    const mayWait = () => performance.now() - began < (this.othersWait(name) ? CONTENDED_WAIT_MS : WAIT_MS);
    const held = await holdLock(this.dataSource, `conversion/${name}`, mayWait).catch((err: unknown) => {
      this.log.warn({ err, tenantId: caller.tenantId }, 'a conversion could not be locked');
      return undefined;
    });
    if (held === null) throw unavailable(RETRY_AFTER);
    return held;
  }

  private othersWait(name: string): boolean {
    return this.waiting.some((other) => other !== name);
  }

  private async renderNow(
    caller: Caller,
    key: PreviewKey,
    content: PreviewedContent,
  ): Promise<StoredPreview | null> {
    const { tenantId } = caller;
    const { sha256, mediaType, size } = content;
    const { page, width } = key;
    // While this page waited, another one can have shown that it cannot be rendered, and another process can have
    // rendered it.
    const { known, stored } = await this.uow.read(serviceContext(tenantId), async (tx) => ({
      known: await this.previews.findContent(tx, sha256, this.previewer.version),
      stored: await this.previews.find(tx, key),
    }));
    if (stored !== undefined) return stored;
    if (known.hasFailed) return null;
    if (page > (known.previewPages ?? Infinity)) throw new Problem('document.without-page');
    const open = () => this.store.open(tenantId, sha256);
    const othersWait = () => this.othersWait(nameOf(caller, content));
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const request = { owner: tenantId, sha256, mediaType, size, open, page, width, othersWait };
    const preview = await this.previewer.render(request, timeout).catch((cause: unknown) => {
      throw timeout.aborted ? unavailable(RETRY_AFTER, { cause }) : cause;
    });
    await this.save(tenantId, key, preview, {
      ...content,
      pages: known.previewPages ?? content.pages,
    });
    if (preview.failure === 'WithoutPage') throw new Problem('document.without-page');
    return preview.image && preview;
  }

  /** An error only means that the page is rendered again. */
  private async save(
    tenantId: string,
    key: PreviewKey,
    preview: Preview,
    { sha256, pages: before }: PreviewedContent,
  ): Promise<void> {
    const pages = preview.pages ?? before;
    await this.uow
      .write(serviceContext(tenantId), async (tx) => {
        const hasFailed = preview.failure !== null && pages === null;
        if (hasFailed || pages !== before)
          await this.previews.saveContent(tx, sha256, this.previewer.version, pages);
        if (hasFailed || preview.failure === 'WithoutPage') return;
        await this.previews.save(tx, key, preview.image && preview);
        await this.previews.limit(tx);
      })
      .catch((err: unknown) => this.log.warn({ err, tenantId, ...key }, 'a preview could not be stored'));
  }
}

/** Name of a content. A failure that does not show the number of pages is one of the content. */
function nameOf({ tenantId }: Caller, { sha256 }: PreviewedContent): string {
  return `${tenantId}/${sha256}`;
}
