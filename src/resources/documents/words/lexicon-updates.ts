import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ADVISORY_LOCKS } from '../../../platform/database/advisory-locks.js';
import { ScheduledTasks } from '../../../platform/database/scheduled-tasks.js';
import { UnitOfWork } from '../../../platform/database/transactions/unit-of-work.js';
import { JobRunner } from '../../../platform/jobs/job-runner.js';
import { serviceContext } from '../../../platform/tenancy/access/access.directory.js';
import { TenantsReader } from '../../../platform/tenancy/tenants/tenants.reader.js';
import { LexiconRepository } from './lexicon.repository.js';

const EVERY_MS = 5 * 60 * 1000;

/**
 * Keeps the lexicons up to date (docs/adr/0044). Changes of documents queue a job. A task queues jobs for work that is
 * left: after an upgrade, or when a job was lost.
 */
@Injectable()
export class LexiconUpdates implements OnModuleInit {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly lexicons: LexiconRepository,
    private readonly tenants: TenantsReader,
    private readonly tasks: ScheduledTasks,
    private readonly runner: JobRunner,
  ) {}

  onModuleInit(): void {
    this.runner.handle('UpdateLexicon', ({ tenantId, signal }) => this.update(tenantId, signal));
    this.tasks.add({
      name: 'find lexicons that are not up to date',
      lock: ADVISORY_LOCKS.lexicons,
      everyMs: EVERY_MS,
      run: (signal) => this.enqueue(signal),
    });
  }

  async update(tenantId: string, signal?: AbortSignal): Promise<void> {
    const context = serviceContext(tenantId);
    for (let more = true; more;) {
      signal?.throwIfAborted();
      more = await this.uow.write(context, (tx) => this.lexicons.addQueued(tx));
    }
    for (let last: string | null = ''; last !== null;) {
      signal?.throwIfAborted();
      const after: string = last;
      last = await this.uow.write(context, (tx) => this.lexicons.findDocuments(tx, after));
    }
  }

  async enqueue(signal?: AbortSignal): Promise<void> {
    const work = { function: 'tenants_with_word_changes' } as const;
    const add = (tenantId: string) =>
      this.uow.write(serviceContext(tenantId), (tx) => Promise.resolve(tx.enqueue('UpdateLexicon', {})));
    await this.tenants.forEach(work, add, signal);
  }
}
