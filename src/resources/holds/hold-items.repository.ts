import { Injectable } from '@nestjs/common';
import { byKey } from '../../platform/database/paging/by-key.js';
import { type Position } from '../../platform/database/paging/cursor-codec.js';
import { SqlParameters } from '../../platform/database/sql-parameters.js';
import { type Statement } from '../../platform/database/transactions/tenant-batch.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { readableDocuments, visibleFiles } from '../../platform/tenancy/access/visibility.js';
import { inDestruction } from '../disposals/disposals.reader.js';
import { HOLD_ITEM_TYPES, type HoldItemType } from './hold-item.entities.js';
import { type HoldItemResponse } from './holds.dto.js';

/** A file or a document that is visible to the caller. */
export type HeldSubject = Pick<HoldItemResponse, 'subjectType' | 'subjectId' | 'title'>;

interface FoundSubject extends HeldSubject {
  /** Whether a disposal has begun to destroy the file, or a file of the document. */
  readonly isInDestruction: boolean;
}

/** The subjects of a change, by type. */
export type SubjectIds = Readonly<Record<HoldItemType, readonly string[]>>;

const SUBJECTS = {
  File: {
    table: 'files',
    items: 'hold_files',
    column: 'file_id',
    title: `s.number || ': ' || s.name`,
    visible: visibleFiles,
    inDestruction: inDestruction('s.id'),
  },
  Document: {
    table: 'documents',
    items: 'hold_documents',
    column: 'document_id',
    title: 's.title',
    visible: readableDocuments,
    inDestruction: `EXISTS (SELECT FROM document_files df
      WHERE df.tenant_id = $1 AND df.document_id = s.id AND ${inDestruction('df.file_id')})`,
  },
} as const;

/** Documents before files, as in every other transaction that locks both. */
const LOCK_ORDER = ['Document', 'File'] as const;

/** What a hold contains. */
@Injectable()
export class HoldItemsRepository {
  /**
   * Returns those of the files and documents that are visible to the caller. Locks all of them until the commit. A
   * transaction that takes something away locks documents and their files before it asks for holds. So it waits for this
   * one and then sees the hold, or it has committed before. A disposal locks only the file before it destroys its
   * documents, so the files of the documents are locked, too.
   */
  async lockVisible(tx: TenantTransaction, caller: Caller, ids: SubjectIds): Promise<FoundSubject[]> {
    const types = LOCK_ORDER.filter((type) => ids[type].length > 0);
    const locks = types.map((type) => ({
      text: `SELECT FROM ${SUBJECTS[type].table} s WHERE s.tenant_id = $1 AND s.id = ANY ($2::uuid[])
              ORDER BY s.id FOR NO KEY UPDATE`,
      values: [tx.tenantId, ids[type]],
    }));
    if (ids.Document.length > 0)
      locks.push({
        text: `SELECT FROM files f WHERE f.tenant_id = $1 AND f.id IN (
                 SELECT df.file_id FROM document_files df
                  WHERE df.tenant_id = $1 AND df.document_id = ANY ($2::uuid[])) ORDER BY f.id FOR SHARE`,
        values: [tx.tenantId, ids.Document],
      });
    const reads = types.map((type) => visibleStatement(tx, caller, type, ids[type]));
    const rows = await tx.queryAll<FoundSubject[]>([...locks, ...reads]);
    return rows.slice(locks.length).flat();
  }

  findVisible(
    tx: TenantTransaction,
    caller: Caller,
    type: HoldItemType,
    id: string,
  ): Promise<HeldSubject | null> {
    const { text, values } = visibleStatement(tx, caller, type, [id]);
    return tx.queryOrNull<HeldSubject>(text, values);
  }

  /** Returns the ids that the hold did not contain. */
  async add(
    tx: TenantTransaction,
    holdId: string,
    type: HoldItemType,
    ids: readonly string[],
  ): Promise<Set<string>> {
    const { items, column } = SUBJECTS[type];
    const rows = await tx.query<{ id: string }>(
      `INSERT INTO ${items} (tenant_id, hold_id, ${column}, added_by)
       SELECT h.tenant_id, h.id, s.id, $4 FROM holds h CROSS JOIN unnest($3::uuid[]) AS s (id)
        WHERE h.tenant_id = $1 AND h.id = $2
       ON CONFLICT (tenant_id, hold_id, ${column}) DO NOTHING RETURNING ${column} AS id`,
      [tx.tenantId, holdId, ids, tx.context.actorId],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** False if the hold did not contain it. */
  async remove(tx: TenantTransaction, holdId: string, type: HoldItemType, id: string): Promise<boolean> {
    const { items, column } = SUBJECTS[type];
    const rows = await tx.query(
      `DELETE FROM ${items} i WHERE i.tenant_id = $1 AND i.hold_id = $2 AND i.${column} = $3 RETURNING i.${column}`,
      [tx.tenantId, holdId, id],
    );
    return rows.length > 0;
  }

  /**
   * What the hold contains and the caller sees, last added first, and one row more than `limit`; null if there is no such
   * hold.
   */
  async list(
    tx: TenantTransaction,
    caller: Caller,
    holdId: string,
    after: Position | null,
    limit: number,
  ): Promise<HoldItemResponse[] | null> {
    const values = new SqlParameters(tx.tenantId, holdId, limit + 1);
    const { bind } = values;
    const before = after && [bind(after[0]), bind(after[1])];
    const pages = HOLD_ITEM_TYPES.map((type) => {
      const { table, items, column, title, visible } = SUBJECTS[type];
      return `(SELECT '${type}' AS "subjectType", s.id AS "subjectId", ${title} AS title, i.added_at AS "addedAt",
                      i.added_by AS "addedById"
                 FROM ${items} i ${byKey(table, 's', `i.${column}`, { condition: visible(caller, 's', bind) })}
                WHERE i.tenant_id = $1 AND i.hold_id = $2
                  ${before ? `AND (i.added_at, i.${column}) < (${before[0]}::timestamptz, ${before[1]}::uuid)` : ''}
                ORDER BY i.added_at DESC, i.${column} DESC LIMIT $3)`;
    });
    const rows = await tx.query<HoldItemResponse | { subjectId: null }>(
      `SELECT page.* FROM holds h LEFT JOIN (
         SELECT * FROM (${pages.join(' UNION ALL ')}) items ORDER BY "addedAt" DESC, "subjectId" DESC LIMIT $3
       ) page ON true
        WHERE h.tenant_id = $1 AND h.id = $2
        ORDER BY page."addedAt" DESC, page."subjectId" DESC`,
      values.list,
    );
    if (rows.length === 0) return null;
    return rows.filter((row): row is HoldItemResponse => row.subjectId !== null);
  }
}

function visibleStatement(
  tx: TenantTransaction,
  caller: Caller,
  type: HoldItemType,
  ids: readonly string[],
): Required<Pick<Statement, 'text' | 'values'>> {
  const values = new SqlParameters(tx.tenantId, ids);
  const { table, title, visible, inDestruction: isInDestruction } = SUBJECTS[type];
  return {
    text: `SELECT '${type}' AS "subjectType", s.id AS "subjectId", ${title} AS title,
                  ${isInDestruction} AS "isInDestruction"
             FROM ${table} s WHERE s.tenant_id = $1 AND s.id = ANY ($2::uuid[]) AND ${visible(caller, 's', values.bind)}`,
    values: values.list,
  };
}
