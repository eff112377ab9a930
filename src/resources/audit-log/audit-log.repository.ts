import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Position } from '../../platform/database/paging/cursor-codec.js';
import { type Bind, SqlParameters } from '../../platform/database/sql-parameters.js';
import { TenantRepository } from '../../platform/database/transactions/tenant-repository.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { type PageQuery } from '../../platform/http/input/page-query.js';
import { membersOf } from '../../platform/http/response/members-of.js';
import { AuditEntryEntity } from '../../platform/recording/audit-entry.entity.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { notConfidentialToOthers } from '../../platform/tenancy/access/visibility.js';
import { isDestroyed } from '../disposals/disposals.reader.js';
import { AuditEntryResponse, type ListAuditEntriesQuery } from './audit-log.dto.js';

/** Times as in the query: `from` is inclusive, `to` is exclusive. */
export type AuditFilter = Omit<ListAuditEntriesQuery, keyof PageQuery>;

@Injectable()
export class AuditLogRepository extends TenantRepository<AuditEntryEntity> {
  private readonly rowColumns: string;

  constructor(dataSource: DataSource) {
    super(dataSource, AuditEntryEntity);
    this.rowColumns = this.select('e', membersOf(AuditEntryResponse, 'summary'));
  }

  list(
    tx: TenantTransaction,
    caller: Caller,
    filter: AuditFilter,
    after: Position | null,
    limit: number,
  ): Promise<AuditEntryResponse[]> {
    const values = new SqlParameters(tx.tenantId);
    const { bind } = values;
    const conditions = ['e.tenant_id = $1'];
    if (filter.action !== undefined) conditions.push(`e.action = ${bind(filter.action)}`);
    if (filter.actorId) conditions.push(`e.actor_id = ${bind(filter.actorId)}`);
    if (filter.subjectId) conditions.push(`e.subject_id = ${bind(filter.subjectId)}`);
    if (filter.from) conditions.push(`e.occurred_at >= ${bind(filter.from)}::timestamptz`);
    if (filter.to) conditions.push(`e.occurred_at < ${bind(filter.to)}::timestamptz`);
    if (after) {
      conditions.push(`(e.occurred_at, e.id) < (${bind(after[0])}::timestamptz, ${bind(after[1])}::uuid)`);
    }
    return tx.query<AuditEntryResponse>(
      `SELECT ${this.rowColumns}, CASE WHEN ${isSummaryVisible(caller, bind)} THEN e.summary END AS summary
         FROM audit_entries e WHERE ${conditions.join(' AND ')}
        ORDER BY e.occurred_at DESC, e.id DESC LIMIT ${bind(limit + 1)}`,
      values.list,
    );
  }
}

/**
 * SQL condition: the caller may read the summary of the entry `e`. The summary of an entry about a
 * confidential document is only for the users on the document’s access list.
 *
 * A purged document has no access list any more. Its `DocumentPurged` entry has a summary only if the
 * document was not confidential when it was purged. Without a summary there, all other summaries of the
 * document stay hidden, too.
 *
 * Nobody may read the summary of an entry about a file that a disposal has destroyed, or with this file in `related`.
 *
 * Scalar subqueries by primary key instead of EXISTS: for EXISTS in a select list, the planner may hash all
 * documents of the tenant to answer a page of fifty entries.
 */
export function isSummaryVisible(caller: Caller, bind: Bind): string {
  const file = `CASE e.subject_type WHEN 'File' THEN e.subject_id ELSE (e.related->>'fileId')::uuid END`;
  return `(NOT ${isDestroyed(file)} AND (e.subject_type <> 'Document' OR coalesce(
    (SELECT ${notConfidentialToOthers(caller, 'd', bind)}
       FROM documents d WHERE d.tenant_id = $1 AND d.id = e.subject_id),
    (SELECT p.summary IS NOT NULL FROM audit_entries p
      WHERE p.tenant_id = $1 AND p.subject_id = e.subject_id AND p.action = 'DocumentPurged' LIMIT 1))))`;
}
