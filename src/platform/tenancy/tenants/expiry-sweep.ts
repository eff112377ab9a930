import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ADVISORY_LOCKS } from '../../database/advisory-locks.js';
import { ScheduledTasks } from '../../database/scheduled-tasks.js';
import { type WriteTransaction } from '../../database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../database/transactions/unit-of-work.js';
import { serviceContext } from '../access/access.directory.js';
import { TenantsReader, type TenantsWithWork } from './tenants.reader.js';

/** A repository registers itself. */
export interface ExpiringRows {
  /** Tenants with expired rows that are not marked yet. */
  readonly unmarked: TenantsWithWork;
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

  /** After an error, the other kinds are still swept; the first error is thrown at the end. */
  async sweep(signal?: AbortSignal): Promise<void> {
    const errors: unknown[] = [];
    for (const kind of this.kinds) {
      await this.tenants
        .forEach(
          kind.unmarked,
          (id) => this.uow.write(serviceContext(id), (tx) => kind.markExpired(tx)),
          signal,
        )
        .catch((error: unknown) => errors.push(error));
    }
    if (errors.length > 0) throw errors[0];
  }
}
