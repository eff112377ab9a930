import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { UnitOfWork } from '../../database/transactions/unit-of-work.js';
import { serviceContext } from '../access/access.directory.js';

/** What a tenant ($1) keeps and may keep, in bytes; `limit` is null where the configuration decides. */
export const STORAGE_OF_TENANT = `SELECT t.storage_limit AS "limit",
         (SELECT coalesce(sum(c.size), 0)::bigint FROM contents c WHERE c.tenant_id = $1) AS used
    FROM tenants t WHERE t.id = $1`;

interface TenantStorage {
  readonly limit: number | null;
  readonly used: number;
}

/** What the service itself reads of tenants. */
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
   * Does each task in one tenant after the other, until the signal aborts. A task that fails keeps no other from being
   * done; the first error is thrown in the end.
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
