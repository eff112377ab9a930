import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type BoundedRow, boundedPage } from '../../platform/database/paging/bounded-page.js';
import { type Position } from '../../platform/database/paging/cursor-codec.js';
import { type Statement } from '../../platform/database/transactions/tenant-batch.js';
import { TenantRepository } from '../../platform/database/transactions/tenant-repository.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { type DocumentFilter } from '../document-filters/document-filters.reader.js';
import { SavedViewEntity } from './saved-view.entity.js';

/** Bytes that the filters of a user's views can have together. */
export const MAX_BYTES = 2 * 1024 * 1024;

/** Of views of one owner, and of a filter that one of them is to get; bytes as `filterSize` has them. */
interface Usage {
  readonly count: number;
  readonly bytes: number;
  readonly filterSize: number;
}

/** Every question names the owner: there are no views but one's own. */
@Injectable()
export class SavedViewsRepository extends TenantRepository<SavedViewEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, SavedViewEntity);
  }

  /** By name, until their filters have so many bytes. */
  listOf(
    tx: TenantTransaction,
    ownerId: string,
    after: Position | null,
    bytes: number,
  ): Promise<(SavedViewEntity & BoundedRow)[]> {
    const further = after ? 'AND (v.name_key COLLATE "und-x-icu", v.id) > ($3::text, $4::uuid)' : '';
    const views = `SELECT ${this.select('v')} FROM saved_views v
                    WHERE v.tenant_id = $1 AND v.owner_id = $2 ${further}`;
    const order = (alias: string) => `${alias}."nameKey" COLLATE "und-x-icu", ${alias}.id`;
    return tx.query<SavedViewEntity & BoundedRow>(
      `SELECT v.* FROM ${boundedPage(views, 'r."filterSize"', order('r'), bytes)} v ORDER BY ${order('v')}`,
      [tx.tenantId, ownerId, ...(after ?? [])],
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

  /**
   * Like {@link findOf}, and keeps others from changing views of the owner until the commit. The member is locked first,
   * as everywhere.
   */
  async lockOf(tx: TenantTransaction, ownerId: string, id: string): Promise<SavedViewEntity | null> {
    const [, views] = await tx.queryAll([
      lockOwner(tx, ownerId),
      {
        text: `SELECT ${this.select('v')} FROM saved_views v
                WHERE v.tenant_id = $1 AND v.id = $2 AND v.owner_id = $3 FOR NO KEY UPDATE`,
        values: [tx.tenantId, id, ownerId],
      },
    ]);
    return (views as SavedViewEntity[] | undefined)?.[0] ?? null;
  }

  /**
   * What the views of the owner take up, but for the one that gets the filter, while nobody can add or change one of the
   * same owner until the commit. Counting is a statement of its own, because one that waited for the lock would go on
   * with what it had seen before.
   */
  async usageOf(
    tx: TenantTransaction,
    ownerId: string,
    filter: DocumentFilter,
    exceptId: string | null,
  ): Promise<Usage> {
    const [, rows] = await tx.queryAll([
      lockOwner(tx, ownerId),
      {
        text: `SELECT count(*)::int AS count, coalesce(sum(v.filter_size), 0) AS bytes,
                      octet_length($3::jsonb::text) AS "filterSize"
                 FROM saved_views v
                WHERE v.tenant_id = $1 AND v.owner_id = $2 AND v.id IS DISTINCT FROM $4::uuid`,
        values: [tx.tenantId, ownerId, JSON.stringify(filter), exceptId],
      },
    ]);
    return rows?.[0] as unknown as Usage;
  }
}

function lockOwner(tx: TenantTransaction, ownerId: string): Statement {
  return {
    text: 'SELECT FROM members m WHERE m.tenant_id = $1 AND m.user_id = $2 FOR NO KEY UPDATE',
    values: [tx.tenantId, ownerId],
  };
}
