import { setTimeout as sleep } from 'node:timers/promises';
import { type ContentStore } from '../../content/content-store.js';
import { type UnitOfWork } from '../../database/transactions/unit-of-work.js';
import { serviceContext } from '../access/access.directory.js';
import { TenantChangeRefused } from './tenant-administration.js';
import { TenantDeletionRepository, type TenantRecord } from './tenant-deletion.repository.js';

/** How long to wait for jobs that began before the suspension, in milliseconds. */
const JOBS_TIMEOUT_MS = 120_000;
const POLL_MS = 500;

/**
 * Deletes a suspended tenant: first its rows in one transaction, then its contents, then the tenant itself. After an
 * interruption, it can be repeated, but not reverted. `uow` must connect as the owner of the database.
 */
export class TenantDeletion {
  private readonly tenants = new TenantDeletionRepository();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly store: ContentStore,
  ) {}

  /**
   * @param deleted Called after the first transaction with what it has deleted
   * @throws TenantChangeRefused when the tenant is not suspended, or its jobs do not end
   */
  async run(tenantId: string, deleted: (record: TenantRecord) => void): Promise<void> {
    await this.endJobs(tenantId);
    const record = await this.uow.write(serviceContext(tenantId), async (tx) => {
      const found = await this.tenants.findRecord(tx);
      if (!found) throw notSuspended();
      return { ...found, rows: await this.tenants.deleteRows(tx) };
    });
    deleted(record);
    await this.store.removeAll(tenantId);
    await this.uow.write(serviceContext(tenantId), async (tx) => {
      await this.tenants.removeJobs(tx);
      // Again, because tasks that were running may have added rows.
      await this.tenants.deleteRows(tx);
      await this.tenants.deleteTenant(tx);
    });
  }

  /** Removes the waiting jobs, and waits for those that run. */
  private async endJobs(tenantId: string): Promise<void> {
    const deadline = Date.now() + JOBS_TIMEOUT_MS;
    for (;;) {
      const running = await this.uow.write(serviceContext(tenantId), async (tx) => {
        if (!(await this.tenants.isSuspended(tx))) throw notSuspended();
        return this.tenants.removeJobs(tx);
      });
      if (running === 0) return;
      if (Date.now() > deadline)
        throw new TenantChangeRefused(`${running} jobs of this tenant are still running. Try again later.`);
      await sleep(POLL_MS);
    }
  }
}

function notSuspended(): TenantChangeRefused {
  return new TenantChangeRefused('Only a suspended tenant can be deleted. Suspend it first.');
}
