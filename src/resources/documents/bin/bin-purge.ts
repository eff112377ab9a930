import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../platform/config/configuration.js';
import { ADVISORY_LOCKS } from '../../../platform/database/advisory-locks.js';
import { ScheduledTasks } from '../../../platform/database/scheduled-tasks.js';
import { type WriteTransaction } from '../../../platform/database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../../platform/database/transactions/unit-of-work.js';
import { Log } from '../../../platform/logging/log.js';
import { serviceContext } from '../../../platform/tenancy/access/access.directory.js';
import { TenantsReader } from '../../../platform/tenancy/tenants/tenants.reader.js';
import { DocumentLinksRepository } from '../changes/document-links.repository.js';
import { ContentsRepository } from '../contents/contents.repository.js';
import { forgetWords } from '../contents/word-changes.repository.js';
import { BinRepository, type PurgedDocument } from './bin.repository.js';

const EVERY_MS = 60 * 60 * 1000;
/** Documents deleted in one transaction. */
const BATCH = 100;

/**
 * Deletes documents whose retention time in the bin is over, and writes an audit entry for each
 * (docs/adr/0024), unless it is held. The sweep of the content store removes their unused contents a day later.
 */
@Injectable()
export class BinPurge implements OnModuleInit {
  private readonly days: number;

  constructor(
    @Inject(CONFIGURATION) configuration: Configuration,
    private readonly tenants: TenantsReader,
    private readonly uow: UnitOfWork,
    private readonly bin: BinRepository,
    private readonly links: DocumentLinksRepository,
    private readonly contents: ContentsRepository,
    private readonly tasks: ScheduledTasks,
    private readonly log: Log,
  ) {
    this.days = configuration.binRetentionDays;
  }

  onModuleInit(): void {
    this.tasks.add({
      name: 'purge the bin',
      lock: ADVISORY_LOCKS.binPurge,
      everyMs: EVERY_MS,
      run: (signal) => this.purge(signal),
    });
  }

  purge(signal?: AbortSignal): Promise<void> {
    const work = { function: 'tenants_with_deleted_documents', since: `${this.days} days` } as const;
    return this.tenants.forEach(work, (tenantId) => this.purgeTenant(tenantId, signal), signal);
  }

  private async purgeTenant(tenantId: string, signal?: AbortSignal): Promise<void> {
    const context = serviceContext(tenantId);
    for (let due = BATCH; due === BATCH && !signal?.aborted;) {
      const batch = await this.uow.write(context, (tx) => this.purgeBatch(tx));
      due = batch.due;
      const { purged } = batch;
      if (purged > 0) this.log.info({ tenantId, documents: purged }, 'purged documents from the bin');
    }
  }

  private async purgeBatch(tx: WriteTransaction): Promise<{ due: number; purged: number }> {
    const due = await this.bin.lockDue(tx, this.days, BATCH);
    if (due.length === 0) return { due: 0, purged: 0 };
    const ids = due.map(({ id }) => id);
    const { held } = await this.links.lockFilesOf(tx, ids, { asksForHolds: true });
    const documents = due.filter(({ id }) => !held.has(id));
    if (documents.length > 0) await this.remove(tx, documents);
    return { due: due.length, purged: documents.length };
  }

  /** The documents and their files are locked; locks contents last, in the same order as everywhere. */
  private async remove(tx: WriteTransaction, documents: readonly PurgedDocument[]): Promise<void> {
    const ids = documents.map(({ id }) => id);
    await forgetWords(tx, ids);
    await this.contents.release(tx, ids);
    await this.bin.remove(tx, ids);
    for (const { id, title, isConfidential } of documents) {
      // The access list is deleted with the document. Without a summary here, all summaries of the document
      // stay hidden.
      tx.record({ action: 'DocumentPurged', subjectId: id, summary: isConfidential ? null : title });
    }
  }
}
