import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type ExportFailure } from '../../common/vocabulary/exports.js';
import { jobKey } from '../../common/vocabulary/jobs.js';
import { ADVISORY_LOCKS } from '../../platform/database/advisory-locks.js';
import { ScheduledTasks } from '../../platform/database/scheduled-tasks.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { QueuedJobs } from '../../platform/jobs/queued-jobs.js';
import { AccessDirectory, serviceContext } from '../../platform/tenancy/access/access.directory.js';
import { TenantsReader } from '../../platform/tenancy/tenants/tenants.reader.js';
import { ContentsReader } from '../documents/contents/contents.reader.js';
import { type StoredExport, ExportsRepository } from './exports.repository.js';

const EVERY_MS = 5 * 60 * 1000;
const BATCH = 100;

/**
 * Ends exports: by a failure, and by a task when they expire or have lost their job. The bytes of a package are removed
 * after the commit that ends its export. A disposal ends exports itself ({@link ExportsReader}).
 */
@Injectable()
export class ExportEnding implements OnModuleInit {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly exports: ExportsRepository,
    private readonly contents: ContentsReader,
    private readonly directory: AccessDirectory,
    private readonly tenants: TenantsReader,
    private readonly queue: QueuedJobs,
    private readonly tasks: ScheduledTasks,
  ) {}

  onModuleInit(): void {
    this.tasks.add({
      name: 'end exports',
      lock: ADVISORY_LOCKS.exportSweep,
      everyMs: EVERY_MS,
      run: (signal) => this.sweep(signal),
    });
  }

  sweep(signal?: AbortSignal): Promise<void> {
    const work = { function: 'tenants_with_due_exports' } as const;
    return this.tenants.forEach(work, (tenantId) => this.sweepTenant(tenantId, signal), signal);
  }

  /** @param run With a `runId`, has no effect if another attempt has begun. */
  async fail(
    tenantId: string,
    failure: ExportFailure,
    run: { readonly exportId: string; readonly runId?: string },
  ): Promise<void> {
    const ended = await this.uow.write(serviceContext(tenantId), async (tx) => {
      const found = await this.exports.lockUnfinishedOrNull(tx, run);
      if (!found) return null;
      const { id, name, createdById } = found;
      await this.exports.setFailed(tx, id, failure);
      if (await this.directory.findMember(tx, createdById))
        tx.notify(createdById, 'ExportFailed', { exportId: id, name });
      return found;
    });
    await this.release(tenantId, ended ? [ended] : []);
  }

  private async sweepTenant(tenantId: string, signal?: AbortSignal): Promise<void> {
    const context = serviceContext(tenantId);
    for (let count = BATCH; count === BATCH && !signal?.aborted;) {
      const expired = await this.uow.write(context, (tx) => this.exports.expire(tx, BATCH));
      await this.release(tenantId, expired);
      count = expired.length;
    }
    await this.uow.write(context, (tx) => this.exports.deleteOld(tx));
    await this.sweepUnfinished(tenantId);
  }

  /** An export without a job gets a new one (the queue was lost). Without attempts left (its workers died), it has failed. */
  private async sweepUnfinished(tenantId: string): Promise<void> {
    const context = serviceContext(tenantId);
    const ids = await this.uow.read(context, (tx) => this.exports.unfinishedIds(tx));
    const keyOf = (exportId: string) => jobKey('PackExport', { exportId }, tenantId);
    const states = await this.queue.states(ids.map(keyOf));
    const lost: string[] = [];
    for (const id of ids) {
      const state = states.get(keyOf(id));
      if (state === undefined) lost.push(id);
      if (state === 'exhausted') await this.fail(tenantId, 'ServiceError', { exportId: id });
    }
    if (lost.length === 0) return;
    await this.uow.write(context, async (tx) => {
      for (const exportId of lost) tx.enqueue('PackExport', { exportId }, null, true);
    });
  }

  private async release(tenantId: string, ended: readonly StoredExport[]): Promise<void> {
    for (const { contentSha256 } of ended)
      if (contentSha256 !== null) await this.contents.release(tenantId, contentSha256);
  }
}
