import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ScheduledTasks } from '../../database/scheduled-tasks.js';
import {
  type TenantTransaction,
  type WriteTransaction,
} from '../../database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../database/transactions/unit-of-work.js';
import { serviceContext } from '../access/access.directory.js';
import { ADVISORY_LOCKS } from '../../database/advisory-locks.js';

/** A kind of thing that ends by itself at a moment. */
export interface Expiring {
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
  private readonly kinds: Expiring[] = [];

  constructor(
    private readonly dataSource: DataSource,
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

  register(kind: Expiring): void {
    this.kinds.push(kind);
  }

  async sweep(signal?: AbortSignal): Promise<void> {
    const tenants = await this.dataSource.query<{ id: string }[]>('SELECT id FROM tenants');
    const faults: unknown[] = [];
    for (const { id } of tenants) {
      for (const kind of this.kinds) {
        if (signal?.aborted) return;
        // What fails in one tenant keeps nothing from being done in the others.
        await this.sweepTenant(id, kind).catch((fault: unknown) => faults.push(fault));
      }
    }
    if (faults.length > 0) throw faults[0];
  }

  /** One look-up where there is nothing to do, which is nearly always and everywhere. */
  private async sweepTenant(tenantId: string, kind: Expiring): Promise<void> {
    const context = serviceContext(tenantId);
    if (!(await this.uow.read(context, (tx) => kind.hasUnmarked(tx)))) return;
    await this.uow.write(context, (tx) => kind.markExpired(tx));
  }
}
