import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ContentStore } from '../../../platform/content/content-store.js';
import { type SweepResult, sweepContent } from '../../../platform/content/content-sweep.js';
import { ADVISORY_LOCKS } from '../../../platform/database/advisory-locks.js';
import { ScheduledTasks } from '../../../platform/database/scheduled-tasks.js';
import { UnitOfWork } from '../../../platform/database/transactions/unit-of-work.js';
import { Log } from '../../../platform/logging/log.js';
import { serviceContext } from '../../../platform/tenancy/access/access.directory.js';
import { ContentsRepository } from './contents.repository.js';

const EVERY_MS = 60 * 60 * 1000;

/**
 * Removes unused contents from the content store, in a transaction of the tenant that each belongs to; see
 * {@link sweepContent}.
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

  async sweep(signal?: AbortSignal): Promise<SweepResult> {
    const [row] = await this.uow.readAllTenants<{ now: string }>({
      text: 'SELECT now()::timestamptz(3) AS now',
    });
    return sweepContent(this.store, (...args) => this.referenced(...args), {
      now: Date.parse(row?.now ?? ''),
      withContentLock: (id, sha256, remove) => this.removeUnreferenced(id, sha256, remove),
      signal,
    });
  }

  private referenced(tenantId: string, sha256s: string[]): Promise<Set<string>> {
    return this.uow.read(serviceContext(tenantId), (tx) => this.contents.referenced(tx, sha256s));
  }

  /** Removes a content at once, if nothing refers to it. For contents that no upload reuses: packages of exports. */
  removeNow(tenantId: string, sha256: string): Promise<void> {
    return this.removeUnreferenced(tenantId, sha256, () => this.store.remove(tenantId, sha256), '0');
  }

  private removeUnreferenced(
    tenantId: string,
    sha256: string,
    remove: () => Promise<void>,
    grace?: string,
  ): Promise<void> {
    return this.uow.write(serviceContext(tenantId), async (tx) => {
      if (!(await this.contents.lockUnreferenced(tx, sha256, grace))) return;
      await remove();
      await this.contents.delete(tx, sha256);
    });
  }
}
