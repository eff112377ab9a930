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

/** A kind of thing that ends by itself at a moment. */
export interface ExpiringRows {
  /** Whether something in the tenant has ended that is not marked yet. */
  hasUnmarked(tx: TenantTransaction): Promise<boolean>;
  markExpired(tx: WriteTransaction): Promise<void>;
}

const EVERY_MS = 5 * 60 * 1000;

/**
 * Marks what has expired, tenant by tenant. The database's clock alone decides whether something is still good, with
 * or without the mark: it takes ended things out of the indexes and constraints that are about live ones.
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
      name: 'mark what has expired',
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

  /** One look-up where there is nothing to do, which is nearly always and everywhere. */
  private async sweepTenant(tenantId: string, kind: ExpiringRows): Promise<void> {
    const context = serviceContext(tenantId);
    if (!(await this.uow.read(context, (tx) => kind.hasUnmarked(tx)))) return;
    await this.uow.write(context, (tx) => kind.markExpired(tx));
  }
}
