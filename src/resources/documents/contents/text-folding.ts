import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ADVISORY_LOCKS } from '../../../platform/database/advisory-locks.js';
import { ScheduledTasks } from '../../../platform/database/scheduled-tasks.js';
import { UnitOfWork } from '../../../platform/database/transactions/unit-of-work.js';
import { serviceContext } from '../../../platform/tenancy/access/access.directory.js';
import { TenantsReader } from '../../../platform/tenancy/tenants/tenants.reader.js';
import { TextFoldingsRepository } from './text-foldings.repository.js';

const EVERY_MS = 60_000;
/** Maximum number of parts that one transaction writes: changes of their documents wait for it. */
const WRITTEN = 15;

/**
 * After an upgrade, folds the words of stored texts again by the present rule (`searchFold`): those with letters such as
 * ł, which are found by l. New texts have the present form.
 */
@Injectable()
export class TextFolding implements OnModuleInit {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly foldings: TextFoldingsRepository,
    private readonly tenants: TenantsReader,
    private readonly tasks: ScheduledTasks,
  ) {}

  onModuleInit(): void {
    this.tasks.add({
      name: 'fold the words of texts again',
      lock: ADVISORY_LOCKS.textFolding,
      everyMs: EVERY_MS,
      run: (signal) => this.foldAll(signal),
    });
  }

  async foldAll(signal?: AbortSignal): Promise<void> {
    const work = { function: 'tenants_with_texts_to_fold' } as const;
    const fold = async (tenantId: string) => {
      while (!signal?.aborted && (await this.foldNext(tenantId)));
    };
    await this.tenants.forEach(work, fold, signal);
  }

  /** Returns whether there may be more to do. */
  private async foldNext(tenantId: string): Promise<boolean> {
    const context = serviceContext(tenantId);
    const parts = await this.uow.read(context, (tx) => this.foldings.next(tx));
    const toFold = parts.filter(({ hasLetter }) => hasLetter).slice(0, WRITTEN);
    const last = toFold.length < WRITTEN ? parts.at(-1) : toFold.at(-1);
    await this.uow.write(context, async (tx) => {
      if (!last) return this.foldings.end(tx);
      await this.foldings.fold(tx, toFold);
      await this.foldings.setDone(tx, last);
    });
    return last !== undefined;
  }
}
