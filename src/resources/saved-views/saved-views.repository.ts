import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type BoundedRow, boundedPage } from '../../platform/database/paging/bounded-page.js';
import { type Position } from '../../platform/database/paging/cursor-codec.js';
import { type Statement } from '../../platform/database/transactions/tenant-batch.js';
import { TenantRepository } from '../../platform/database/transactions/tenant-repository.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { type DocumentFilter } from '../document-filters/document-filters.reader.js';
import { SavedViewEntity } from './saved-view.entity.js';

/** Maximum total size of the filters of one user in bytes. */
export const MAX_BYTES = 2 * 1024 * 1024;

/**
 * Number and total size of the views of one owner, and the size of a new filter; sizes in bytes, as in
 * `filterSize`.
 */
interface Usage {
  readonly count: number;
  readonly bytes: number;
  readonly filterSize: number;
}

/** All statements require the owner: users have access only to their own views. */
@Injectable()
export class SavedViewsRepository extends TenantRepository<SavedViewEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, SavedViewEntity);
  }

  /** Returns views until their filters exceed `bytes`. */
  listOf(
    tx: TenantTransaction,
    ownerId: string,
    after: Position | null,
    bytes: number,
  ): Promise<(SavedViewEntity & BoundedRow)[]> {
    const afterPosition = after ? 'AND (v.name_key COLLATE "und-x-icu", v.id) > ($3::text, $4::uuid)' : '';
    const views = `SELECT ${this.select('v')} FROM saved_views v
                    WHERE v.tenant_id = $1 AND v.owner_id = $2 ${afterPosition}`;
    const order = (alias: string) => `${alias}."nameKey" COLLATE "und-x-icu", ${alias}.id`;
    return tx.query<SavedViewEntity & BoundedRow>(
      `SELECT v.* FROM ${boundedPage(views, 'r."filterSize"', order('r'), bytes)} v ORDER BY ${order('v')}`,
      [tx.tenantId, ownerId, ...(after ?? [])],
    );
  }

  async findOf(tx: TenantTransaction, ownerId: string, id: string): Promise<SavedViewEntity | null> {
    const [view] = await this.send(tx, this.selectStatement(tx, { id, ownerId }));
    return view ?? null;
  }

  /**
   * Like {@link findOf}, and locks all views of the owner until the commit. Locks the member first, as
   * everywhere.
   */
  async lockOfOrNull(tx: TenantTransaction, ownerId: string, id: string): Promise<SavedViewEntity | null> {
    const [, [view]] = await tx.queryAll<[object, SavedViewEntity]>([
      lockOwner(tx, ownerId),
      this.selectStatement(tx, { id, ownerId }, { lock: 'for_no_key_update' }),
    ]);
    return view ?? null;
  }

  /**
   * Returns the usage of the owner without the view `exceptId`, and locks the views of the owner until the
   * commit. Counts in a second statement: a single one that waited for the lock would count the rows from
   * before the wait.
   */
  async usageOf(
    tx: TenantTransaction,
    ownerId: string,
    filter: DocumentFilter,
    exceptId: string | null,
  ): Promise<Usage> {
    const [, [usage]] = await tx.queryAll<[object, Usage]>([
      lockOwner(tx, ownerId),
      {
        text: `SELECT count(*)::int AS count, coalesce(sum(v.filter_size), 0) AS bytes,
                      octet_length($3::jsonb::text) AS "filterSize"
                 FROM saved_views v
                WHERE v.tenant_id = $1 AND v.owner_id = $2 AND v.id IS DISTINCT FROM $4::uuid`,
        values: [tx.tenantId, ownerId, JSON.stringify(filter), exceptId],
      },
    ]);
    return usage as Usage;
  }
}

function lockOwner(tx: TenantTransaction, ownerId: string): Statement {
  return {
    text: 'SELECT FROM members m WHERE m.tenant_id = $1 AND m.user_id = $2 FOR NO KEY UPDATE',
    values: [tx.tenantId, ownerId],
  };
}
