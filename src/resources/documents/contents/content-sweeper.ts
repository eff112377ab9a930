import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ContentStore } from '../../../platform/content/content-store.js';
import { ADVISORY_LOCKS } from '../../../platform/database/advisory-locks.js';
import { ScheduledTasks } from '../../../platform/database/scheduled-tasks.js';
import { UnitOfWork } from '../../../platform/database/transactions/unit-of-work.js';
import { Log } from '../../../platform/logging/log.js';
import { serviceContext } from '../../../platform/tenancy/access/access.directory.js';
import { ContentsRepository } from './contents.repository.js';

const EVERY_MS = 60 * 60 * 1000;
/** Minimum age of what is removed, because uploads may be in progress. */
const ONE_DAY_MS = 24 * 60 * 60 * 1000;
const BATCH = 500;

interface SweepResult {
  readonly temporary: number;
  readonly kept: number;
}

/**
 * Removes content that crashes and purged documents leave behind: old temporary content, and old kept content without
 * references. Several instances may run it at the same time.
 *
 * An upload may contain the same bytes as unreferenced content that is being removed. To prevent a reference to removed
 * bytes, both sides lock the same row of the table `contents`:
 *
 * - An upload locks the row (`insert … on conflict … do update`) before `ContentStore.keep`, until its commit.
 * - The sweep locks the row too, and inserts it if it does not exist, so that the first upload of these bytes waits as
 *   well. Then it checks the references again. If there are none, it removes the bytes, deletes the row and commits.
 *
 * So either the sweep finds the reference and does nothing, or the upload finds no bytes and stores its own. A crash
 * between the removal and the commit leaves a row without references and bytes, which does no harm.
 */
@Injectable()
export class ContentSweeper implements OnModuleInit {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly store: ContentStore,
    private readonly contents: ContentsRepository,
    private readonly tasks: ScheduledTasks,
    private readonly log: Log,
  ) {}

  onModuleInit(): void {
    this.tasks.add({
      name: 'sweep the content store',
      lock: ADVISORY_LOCKS.contentSweep,
      everyMs: EVERY_MS,
      run: async (signal) => {
        const result = await this.sweep(signal);
        if (result.temporary + result.kept > 0) this.log.info({ ...result }, 'swept the content store');
      },
    });
  }

  /** @param signal aborts the sweep between two steps, with its reason */
  async sweep(signal?: AbortSignal): Promise<SweepResult> {
    // By a clock that all processes share.
    const [row] = await this.uow.readAllTenants<{ now: string }>({
      text: 'SELECT now()::timestamptz(3) AS now',
    });
    const before = Date.parse(row?.now ?? '') - ONE_DAY_MS;
    let temporary = 0;
    for await (const { token, modifiedAt } of this.store.listTemporary()) {
      signal?.throwIfAborted();
      if (modifiedAt.getTime() >= before) continue;
      await this.store.discard({ token });
      temporary += 1;
    }

    let kept = 0;
    let tenant = '';
    let candidates: string[] = [];
    for await (const { tenantId, sha256, modifiedAt } of this.store.listKept()) {
      signal?.throwIfAborted();
      if (modifiedAt.getTime() >= before) continue;
      if (tenantId !== tenant || candidates.length === BATCH) {
        kept += await this.removeAllUnreferenced(tenant, candidates, signal);
        candidates = [];
      }
      tenant = tenantId;
      candidates.push(sha256);
    }
    kept += await this.removeAllUnreferenced(tenant, candidates, signal);
    return { temporary, kept };
  }

  /** Removes a content at once, if nothing refers to it. For contents that no upload reuses: packages of exports. */
  async removeNow(tenantId: string, sha256: string): Promise<void> {
    await this.removeUnreferenced(tenantId, sha256, '0');
  }

  /** Returns the number of removed contents. */
  private async removeAllUnreferenced(
    tenantId: string,
    sha256s: readonly string[],
    signal?: AbortSignal,
  ): Promise<number> {
    if (sha256s.length === 0) return 0;
    // Without locks, to exclude the content in use.
    const referenced = await this.uow.read(serviceContext(tenantId), (tx) =>
      this.contents.referenced(tx, sha256s),
    );
    let removed = 0;
    for (const sha256 of sha256s) {
      if (referenced.has(sha256)) continue;
      signal?.throwIfAborted();
      if (await this.removeUnreferenced(tenantId, sha256)) removed += 1;
    }
    return removed;
  }

  /** Returns whether the content was removed. */
  private removeUnreferenced(tenantId: string, sha256: string, grace?: string): Promise<boolean> {
    return this.uow.write(serviceContext(tenantId), async (tx) => {
      if (!(await this.contents.lockUnreferenced(tx, sha256, grace))) return false;
      await this.store.remove(tenantId, sha256);
      await this.contents.delete(tx, sha256);
      return true;
    });
  }
}
