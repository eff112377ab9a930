import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ADVISORY_LOCKS } from '../../database/advisory-locks.js';
import { ScheduledTasks } from '../../database/scheduled-tasks.js';
import {
  type TenantTransaction,
  type WriteTransaction,
} from '../../database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../database/transactions/unit-of-work.js';
import { serviceContext } from '../access/access.directory.js';
import { TenantsReader } from './tenants.reader.js';

export interface ExpiringRows {
  /** Whether the tenant has expired rows that are not marked yet. */
  hasUnmarked(tx: TenantTransaction): Promise<boolean>;
  markExpired(tx: WriteTransaction): Promise<void>;
}

const EVERY_MS = 5 * 60 * 1000;

/**
 * Marks or deletes expired rows, tenant by tenant. Only the database's clock decides whether a row has expired. The
 * mark removes expired rows from the indexes and constraints for active ones.
 */
@Injectable()
export class ExpirySweep implements OnModuleInit {
  private readonly kinds: ExpiringRows[] = [];

  constructor(
    private readonly tenants: TenantsReader,
    private readonly uow: UnitOfWork,
    private readonly tasks: ScheduledTasks,
  ) {}

  onModuleInit(): void {
    this.tasks.add({
      name: 'mark expired rows',
      lock: ADVISORY_LOCKS.expirySweep,
      everyMs: EVERY_MS,
      run: (signal) => this.sweep(signal),
    });
  }

  register(kind: ExpiringRows): void {
    this.kinds.push(kind);
  }

  sweep(signal?: AbortSignal): Promise<void> {
    const tasks = this.kinds.map((kind) => (tenantId: string) => this.sweepTenant(tenantId, kind));
    return this.tenants.forEach(tasks, signal);
  }

  /** Nearly always there is nothing to do; that needs only one query. */
  private async sweepTenant(tenantId: string, kind: ExpiringRows): Promise<void> {
    const context = serviceContext(tenantId);
    if (!(await this.uow.read(context, (tx) => kind.hasUnmarked(tx)))) return;
    await this.uow.write(context, (tx) => kind.markExpired(tx));
  }
}
