import { Injectable, type OnModuleInit } from '@nestjs/common';
import { NIL_ID } from '../../../common/identifier.js';
import { jobKey } from '../../../common/vocabulary/jobs.js';
import { ADVISORY_LOCKS } from '../../../platform/database/advisory-locks.js';
import { ScheduledTasks } from '../../../platform/database/scheduled-tasks.js';
import { UnitOfWork } from '../../../platform/database/transactions/unit-of-work.js';
import { QueuedJobs } from '../../../platform/jobs/queued-jobs.js';
import { Log } from '../../../platform/logging/log.js';
import { serviceContext } from '../../../platform/tenancy/access/access.directory.js';
import { TenantsReader } from '../../../platform/tenancy/tenants/tenants.reader.js';
import { DocumentProcessing } from './document-processing.js';
import { ProcessingRepository, type UnprocessedDocument } from './processing.repository.js';

const EVERY_MS = 5 * 60 * 1000;
const BATCH = 500;

/**
 * Sees to documents that are Processing although no worker will come to them: their job is not in the queue (that has
 * been lost, or comes from an older backup), or has been tried as often as it may (its workers died over it).
 */
@Injectable()
export class StuckDocuments implements OnModuleInit {
  constructor(
    private readonly tenants: TenantsReader,
    private readonly uow: UnitOfWork,
    private readonly documents: ProcessingRepository,
    private readonly processing: DocumentProcessing,
    private readonly queue: QueuedJobs,
    private readonly tasks: ScheduledTasks,
    private readonly log: Log,
  ) {}

  onModuleInit(): void {
    this.tasks.add({
      name: 'look for documents whose processing was lost',
      lock: ADVISORY_LOCKS.lostDocuments,
      everyMs: EVERY_MS,
      run: (signal) => this.sweep(signal),
    });
  }

  async sweep(signal?: AbortSignal): Promise<void> {
    await this.tenants.forEach([(tenantId) => this.sweepTenant(tenantId, signal)], signal);
    // Jobs of tenants that were not reached are still needed.
    if (!signal?.aborted) await this.queue.removeExhausted();
  }

  /** One look-up where nothing is being processed. */
  private async sweepTenant(tenantId: string, signal?: AbortSignal): Promise<void> {
    const context = serviceContext(tenantId);
    for (let after = NIL_ID; !signal?.aborted;) {
      const documents = await this.uow.read(context, (tx) =>
        this.documents.listUnprocessed(tx, after, BATCH),
      );
      const last = documents.at(-1);
      if (!last) return;
      after = last.documentId;
      const states = await this.queue.states(
        documents.map((document) => jobKey('ProcessDocument', document)),
      );
      const isIn = (state: 'exhausted' | undefined) => (document: UnprocessedDocument) =>
        states.get(jobKey('ProcessDocument', document)) === state;
      for (const document of documents.filter(isIn('exhausted'))) {
        await this.processing.markFailed(tenantId, document);
      }
      const lost = documents.filter(isIn(undefined));
      if (lost.length === 0) continue;
      this.log.warn({ tenantId, documents: lost.length }, 'documents without a job are processed anew');
      await this.uow.write(context, async (tx) => {
        for (const document of lost) tx.enqueue('ProcessDocument', document);
      });
    }
  }
}
