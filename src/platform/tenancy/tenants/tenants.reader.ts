import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { UnitOfWork } from '../../database/transactions/unit-of-work.js';
import { serviceContext } from '../access/access.directory.js';

/** Used storage and storage limit of a tenant ($1), in bytes. `limit` is null for the configured limit. */
export const STORAGE_OF_TENANT = `SELECT t.storage_limit AS "limit",
         (SELECT coalesce(sum(c.size), 0)::bigint FROM contents c WHERE c.tenant_id = $1) AS used
    FROM tenants t WHERE t.id = $1`;

interface TenantStorage {
  readonly limit: number | null;
  readonly used: number;
}

@Injectable()
export class TenantsReader {
  constructor(
    private readonly dataSource: DataSource,
    private readonly uow: UnitOfWork,
  ) {}

  async storageOf(tenantId: string): Promise<TenantStorage> {
    const [row] = await this.uow.read(serviceContext(tenantId), (tx) =>
      tx.query<TenantStorage>(STORAGE_OF_TENANT, [tenantId]),
    );
    return row ?? { limit: null, used: 0 };
  }

  /**
   * Runs all tasks for one tenant after another, until the signal is aborted. After an error, the other tasks still
   * run; the first error is thrown at the end.
   */
  async forEach(
    tasks: readonly ((tenantId: string) => Promise<void>)[],
    signal?: AbortSignal,
  ): Promise<void> {
    const tenants = await this.dataSource.query<{ id: string }[]>('SELECT id FROM tenants');
    const errors: unknown[] = [];
    for (const { id } of tenants) {
      for (const task of tasks) {
        if (signal?.aborted) return;
        await task(id).catch((error: unknown) => errors.push(error));
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}
