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
 * Finds documents whose content is to be read, without a job that will read it. Enqueues a new job if there is
 * none (the queue was lost or restored from an older backup). Marks the document as failed if its job has no
 * attempts left (its workers died).
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
      name: 'find documents without a processing job',
      lock: ADVISORY_LOCKS.stuckDocuments,
      everyMs: EVERY_MS,
      run: (signal) => this.sweep(signal),
    });
  }

  async sweep(signal?: AbortSignal): Promise<void> {
    const work = { function: 'tenants_with_processing_documents' } as const;
    await this.tenants.forEach(work, (tenantId) => this.sweepTenant(tenantId, signal), signal);
    // If the run was aborted, the remaining tenants still need their exhausted jobs.
    if (!signal?.aborted) await this.queue.removeExhausted();
  }

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
        documents.map((document) => jobKey('ProcessDocument', document, tenantId)),
      );
      const isIn = (state: 'exhausted' | undefined) => (document: UnprocessedDocument) =>
        states.get(jobKey('ProcessDocument', document, tenantId)) === state;
      for (const document of documents.filter(isIn('exhausted'))) {
        await this.processing.markFailed(tenantId, document);
      }
      const lost = documents.filter(isIn(undefined));
      if (lost.length === 0) continue;
      this.log.warn(
        { tenantId, documents: lost.length },
        'enqueued new jobs for documents without a processing job',
      );
      await this.uow.write(context, async (tx) => {
        for (const document of lost) tx.enqueue('ProcessDocument', document);
      });
    }
  }
}
