import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { TenantRepository } from '../database/tenant-repository.js';
import { type TenantTransaction } from '../database/tenant-transaction.js';
import { SavedViewEntity } from './saved-view.entity.js';

/** Every question names the owner: there are no views but one's own. */
@Injectable()
export class SavedViewsRepository extends TenantRepository<SavedViewEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, SavedViewEntity);
  }

  /** All of them, by name: there are never many. */
  listOf(tx: TenantTransaction, ownerId: string): Promise<SavedViewEntity[]> {
    return tx.query<SavedViewEntity>(
      `SELECT ${this.select('v')} FROM saved_views v WHERE v.tenant_id = $1 AND v.owner_id = $2
        ORDER BY v.name_key COLLATE "und-x-icu", v.id`,
      [tx.tenantId, ownerId],
    );
  }

  /** Null when the owner has no such view. */
  async findOf(tx: TenantTransaction, ownerId: string, id: string): Promise<SavedViewEntity | null> {
    const [view] = await tx.query<SavedViewEntity>(
      `SELECT ${this.select('v')} FROM saved_views v
        WHERE v.tenant_id = $1 AND v.id = $2 AND v.owner_id = $3`,
      [tx.tenantId, id, ownerId],
    );
    return view ?? null;
  }

  /** Like {@link findOf}, and keeps others from changing the view until the commit. */
  async lockOf(tx: TenantTransaction, ownerId: string, id: string): Promise<SavedViewEntity | null> {
    const [view] = await tx.query<SavedViewEntity>(
      `SELECT ${this.select('v')} FROM saved_views v
        WHERE v.tenant_id = $1 AND v.id = $2 AND v.owner_id = $3 FOR NO KEY UPDATE`,
      [tx.tenantId, id, ownerId],
    );
    return view ?? null;
  }

  /**
   * How many views the owner has, while nobody can add one for the same owner until the commit. Counting is a statement
   * of its own, because one that waited for the lock would go on with what it had seen before.
   */
  async countOf(tx: TenantTransaction, ownerId: string): Promise<number> {
    const [, rows] = await tx.queryAll([
      {
        text: 'SELECT FROM members m WHERE m.tenant_id = $1 AND m.user_id = $2 FOR NO KEY UPDATE',
        values: [tx.tenantId, ownerId],
      },
      {
        text: 'SELECT count(*)::int AS count FROM saved_views v WHERE v.tenant_id = $1 AND v.owner_id = $2',
        values: [tx.tenantId, ownerId],
      },
    ]);
    return (rows as { count: number }[] | undefined)?.[0]?.count ?? 0;
  }
}
