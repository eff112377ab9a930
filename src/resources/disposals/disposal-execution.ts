import { Injectable, type OnModuleInit } from '@nestjs/common';
import { jobKey } from '../../common/vocabulary/jobs.js';
import { ADVISORY_LOCKS } from '../../platform/database/advisory-locks.js';
import { ScheduledTasks } from '../../platform/database/scheduled-tasks.js';
import { type WriteTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { JobRunner } from '../../platform/jobs/job-runner.js';
import { QueuedJobs } from '../../platform/jobs/queued-jobs.js';
import { serviceContext } from '../../platform/tenancy/access/access.directory.js';
import { TenantsReader } from '../../platform/tenancy/tenants/tenants.reader.js';
import { ContentsReader } from '../documents/contents/contents.reader.js';
import { ExportsReader } from '../exports/exports.reader.js';
import { CertificatesRepository } from './certificates.repository.js';
import { DisposalExecutionRepository, type UnfinishedFile } from './disposal-execution.repository.js';

const EVERY_MS = 5 * 60 * 1000;
/** A job that is running longer than this has an entry in the queue, or it is lost. */
const LOST_AFTER = '1 minute';

/**
 * Carries out approved disposals, file by file. Each transaction destroys at most 500 documents, and leaves in
 * the database what is still to be done: so the job can end at any time, and the next attempt continues. A file is looked
 * at again before the first of its documents is destroyed; after that, neither a hold nor a reopening can stop it.
 */
@Injectable()
export class DisposalExecution implements OnModuleInit {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly disposals: DisposalExecutionRepository,
    private readonly certificates: CertificatesRepository,
    private readonly contents: ContentsReader,
    private readonly exports: ExportsReader,
    private readonly tenants: TenantsReader,
    private readonly queue: QueuedJobs,
    private readonly tasks: ScheduledTasks,
    private readonly runner: JobRunner,
  ) {}

  onModuleInit(): void {
    this.runner.handle('ExecuteDisposal', ({ tenantId, payload, signal }) =>
      this.execute(tenantId, payload.disposalId, signal),
    );
    this.tasks.add({
      name: 'find approved disposals without a job',
      lock: ADVISORY_LOCKS.disposals,
      everyMs: EVERY_MS,
      run: (signal) => this.requeue(signal),
    });
  }

  /** Adds a new job for each approved disposal without one: the queue was lost, or restored from an older backup. */
  async requeue(signal?: AbortSignal): Promise<void> {
    const work = { function: 'tenants_with_approved_disposals', since: LOST_AFTER } as const;
    await this.tenants.forEach(work, (tenantId) => this.requeueTenant(tenantId), signal);
  }

  private async requeueTenant(tenantId: string): Promise<void> {
    const context = serviceContext(tenantId);
    const approved = await this.uow.read(context, (tx) => this.disposals.approved(tx));
    const payloads = approved.map((disposalId) => ({ disposalId }));
    const keyOf = (payload: { disposalId: string }) => jobKey('ExecuteDisposal', payload, tenantId);
    const states = await this.queue.states(payloads.map(keyOf));
    const lost = payloads.filter((payload) => !states.has(keyOf(payload)));
    if (lost.length === 0) return;
    await this.uow.write(context, async (tx) => {
      for (const payload of lost) tx.enqueue('ExecuteDisposal', payload);
    });
  }

  async execute(tenantId: string, disposalId: string, signal?: AbortSignal): Promise<void> {
    const context = serviceContext(tenantId);
    for (;;) {
      signal?.throwIfAborted();
      await this.removeContents(tenantId, disposalId, signal);
      const next = await this.uow.read(context, (tx) => this.disposals.nextFile(tx, disposalId));
      if (!next) break;
      await this.uow.write(context, (tx) => this.step(tx, next));
    }
    await this.uow.write(context, (tx) => this.complete(tx, disposalId));
  }

  /** Disposes of a file, or of some of its documents. */
  private async step(tx: WriteTransaction, file: UnfinishedFile): Promise<void> {
    const { disposalId, fileId } = file;
    const ids = await this.disposals.lockDocuments(tx, fileId);
    const look = await this.disposals.lockFileOrNull(tx, file);
    // Another attempt has finished it.
    if (!look?.isUnfinished) return;
    if (!look.hasBegun) {
      if (look.skippedBecause) return this.disposals.skip(tx, file, look.skippedBecause);
      if (look.decision === 'Keep') return this.disposals.keep(tx, file);
    }
    const destroyed = await this.disposals.inNoOtherFile(tx, fileId, ids);
    const destroyedIds = destroyed.map(({ id }) => id);
    await this.contents.forget(tx, destroyedIds);
    const packages = await this.exports.endWith(tx, [fileId, ...destroyedIds]);
    await this.disposals.addContents(tx, disposalId, packages);
    const isEmpty = await this.disposals.removeDocuments(tx, file, ids, destroyed);
    for (const subjectId of destroyedIds) tx.record({ action: 'DocumentPurged', subjectId, summary: null });
    if (!isEmpty) return;
    await this.disposals.removeFile(tx, file);
    const related = { disposalId, fileTypeId: look.fileTypeId };
    tx.record({ action: 'FileDisposed', subjectId: fileId, summary: null, related });
  }

  /** Removes the bytes of destroyed documents that no other version has. */
  private async removeContents(tenantId: string, disposalId: string, signal?: AbortSignal): Promise<void> {
    const context = serviceContext(tenantId);
    for (;;) {
      const hashes = await this.uow.read(context, (tx) => this.disposals.contentsOf(tx, disposalId));
      if (hashes.length === 0) return;
      for (const sha256 of hashes) {
        signal?.throwIfAborted();
        await this.contents.release(tenantId, sha256);
      }
      await this.uow.write(context, (tx) => this.disposals.removeContents(tx, disposalId, hashes));
    }
  }

  /** A grant is deleted with its reason, so nobody can add one to a destroyed file meanwhile. */
  private async complete(tx: WriteTransaction, disposalId: string): Promise<void> {
    await tx.startAccessChange();
    const completed = await this.disposals.complete(tx, disposalId);
    if (!completed) return;
    const { name, createdBy } = completed;
    await this.disposals.removeGrantsAndAnswers(tx, disposalId);
    const { DisposalApproved: actorName } = await this.certificates.actors(tx, disposalId);
    tx.record({ action: 'DisposalCompleted', subjectId: disposalId, summary: name });
    tx.notify(createdBy, 'DisposalCompleted', { disposalId, name, actorName });
  }
}
