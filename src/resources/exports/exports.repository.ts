import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Language } from '../../common/messages/languages.js';
import { orNotFound } from '../../common/problem.js';
import { type ExportFailure } from '../../common/vocabulary/exports.js';
import { byKey } from '../../platform/database/paging/by-key.js';
import { SqlParameters } from '../../platform/database/sql-parameters.js';
import { TenantRepository } from '../../platform/database/transactions/tenant-repository.js';
import { TenantTable } from '../../platform/database/transactions/tenant-table.js';
import {
  type TenantTransaction,
  type WriteTransaction,
} from '../../platform/database/transactions/tenant-transaction.js';
import { membersOf } from '../../platform/http/response/members-of.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { readableDocuments, visibleFiles } from '../../platform/tenancy/access/visibility.js';
import { KEPT_HOURS, LISTED_DAYS } from './export-limits.js';
import { ExportEntity, ExportItemEntity } from './export.entity.js';
import { ExportResponse, type ExportRow } from './exports.dto.js';
import { type PackedPart } from './packing/package-builder.js';

/** The attempt to pack an export. */
export interface ExportRun {
  readonly exportId: string;
  readonly runId: string;
}

type ScopedExport = ExportRow & Pick<ExportEntity, 'scope'>;

export type StoredExport = Pick<ExportEntity, 'id' | 'name' | 'createdById' | 'contentSha256'>;

interface CreatorFacts {
  readonly tenantName: string;
  /** Null if the service does not know the name. */
  readonly actorName: string | null;
  readonly language: Language;
  /** ISO 8601. */
  readonly madeAt: string;
}

const UNFINISHED = `status IN ('Pending', 'Running')`;
const HAS_EXPIRED = `status = 'Ready' AND expires_at <= now()`;

@Injectable()
export class ExportsRepository extends TenantRepository<ExportEntity, ExportRow> {
  private readonly items: TenantTable<ExportItemEntity>;

  constructor(dataSource: DataSource) {
    super(dataSource, ExportEntity, {
      properties: [...membersOf(ExportResponse, 'status'), 'hasAuditEntries', 'contentSha256'],
    });
    this.items = new TenantTable(dataSource, ExportItemEntity);
  }

  protected override rows() {
    return super.rows().addSelect(`CASE WHEN ${HAS_EXPIRED} THEN 'Expired' ELSE status END`, 'status');
  }

  /** Ids of the files of an unfinished disposal that are visible to the caller, at most 10,000, oldest closing first. */
  async filesOfDisposal(tx: TenantTransaction, caller: Caller, disposalId: string): Promise<string[]> {
    const values = new SqlParameters(tx.tenantId, disposalId);
    const visible = visibleFiles(caller, 'f', values.bind);
    const rows = await tx.query<{ id: string }>(
      `SELECT f.id FROM disposal_files o ${byKey('files', 'f', 'o.file_id')}
        WHERE o.tenant_id = $1 AND o.disposal_id = $2 AND o.is_unfinished AND ${visible}
        ORDER BY o.closed_at, o.file_id`,
      values.list,
    );
    return rows.map(({ id }) => id);
  }

  /** Throws the 404 if the user has no such export. */
  async getOf(
    tx: TenantTransaction,
    createdById: string,
    id: string,
    lock?: 'pessimistic_write',
  ): Promise<ExportRow> {
    const [row] = await this.send(tx, this.selectStatement(tx, { createdById, id }, { lock }));
    return orNotFound(row);
  }

  lockOf(tx: WriteTransaction, userId: string, id: string): Promise<ExportRow> {
    return this.getOf(tx, userId, id, 'pessimistic_write');
  }

  /** Counts the exports of the member, and locks the member until the commit. */
  async lockAndCount(
    tx: WriteTransaction,
    userId: string,
  ): Promise<{ readonly unfinished: number; readonly total: number }> {
    const [, rows] = await tx.queryAll([
      {
        text: 'SELECT FROM members m WHERE m.tenant_id = $1 AND m.user_id = $2 FOR NO KEY UPDATE',
        values: [tx.tenantId, userId],
      },
      {
        text: `SELECT count(*)::int AS total,
                      count(*) FILTER (WHERE x.status IN ('Pending', 'Running'))::int AS unfinished
                 FROM exports x WHERE x.tenant_id = $1 AND x.created_by = $2`,
        values: [tx.tenantId, userId],
      },
    ]);
    return rows?.[0] as unknown as { unfinished: number; total: number };
  }

  /** Whether the package contains something that the caller cannot see any more. */
  async isOutdated(tx: TenantTransaction, caller: Caller, exportId: string): Promise<boolean> {
    const { bind, list } = new SqlParameters(tx.tenantId, exportId);
    const hidden = (isFile: boolean, table: string, visible: string) =>
      `EXISTS (SELECT FROM export_items i
                WHERE i.tenant_id = $1 AND i.export_id = $2 AND i.is_file = ${isFile} AND NOT EXISTS (
                  SELECT FROM ${table} t WHERE t.tenant_id = $1 AND t.id = i.item_id AND ${visible}))`;
    const [row] = await tx.query<{ isOutdated: boolean }>(
      `SELECT ${hidden(false, 'documents', readableDocuments(caller, 't', bind))}
           OR ${hidden(true, 'files', visibleFiles(caller, 't', bind))} AS "isOutdated"`,
      list,
      { planEachTime: true },
    );
    return row?.isOutdated !== false;
  }

  /** What a package says about its tenant and creator, with the time of the database. */
  async factsOf(tx: TenantTransaction, userId: string): Promise<CreatorFacts> {
    const [facts] = await tx.query<CreatorFacts>(
      `SELECT t.name AS "tenantName", coalesce(u.display_name, u.email) AS "actorName",
              now()::timestamptz(3) AS "madeAt", coalesce(p.language, 'en') AS language
         FROM tenants t CROSS JOIN users u
         LEFT JOIN notification_preferences p ON p.tenant_id = $1 AND p.user_id = u.id
        WHERE t.id = $1 AND u.id = $2`,
      [tx.tenantId, userId],
    );
    return facts as CreatorFacts;
  }

  /**
   * Begins an attempt and locks all unfinished exports of the tenant, so that only one of them runs. An attempt that is in
   * progress for the same export ends at its next step.
   *
   * @returns the export as it was; `busy` if another one runs; null if it is finished or deleted
   */
  async begin(tx: WriteTransaction, { exportId, runId }: ExportRun): Promise<ScopedExport | 'busy' | null> {
    const unfinished = await this.run<ScopedExport>(tx, 'unfinished with scope', {}, () =>
      this.rows()
        .addSelect('scope', 'scope')
        .andWhere(UNFINISHED)
        .orderBy('t.id')
        .setLock('for_no_key_update'),
    );
    const found = unfinished.find(({ id }) => id === exportId);
    if (!found) return null;
    if (unfinished.some(({ id, status }) => status === 'Running' && id !== exportId)) return 'busy';
    const begun = { status: 'Running', runId, documentsDone: 0, contentSha256: null, size: null } as const;
    await this.update(tx, exportId, begun);
    await this.deleteItems(tx, [exportId]);
    return found;
  }

  /**
   * Returns false if another attempt has begun, the export has ended, or a file or document was deleted meanwhile. Locks them
   * first: a disposal that destroys one of them afterwards finds it in the package ({@link expireWith}).
   */
  async savePart(tx: WriteTransaction, run: ExportRun, { fileIds, documents }: PackedPart): Promise<boolean> {
    const documentIds = documents.map(({ id }) => id);
    const ids = [...fileIds, ...documentIds];
    const lock = (table: string, locked: readonly string[]) => ({
      text: `SELECT FROM ${table} t WHERE t.tenant_id = $1 AND t.id = ANY ($2::uuid[]) ORDER BY t.id FOR KEY SHARE`,
      values: [tx.tenantId, locked],
    });
    const existing = await tx.queryAll([lock('documents', documentIds), lock('files', fileIds)]);
    if (existing.flat().length < ids.length) return false;
    const { exportId, runId } = run;
    const done = { documentsDone: () => 'documents_done + :added' };
    const change = { values: { added: documents.length }, returning: 'id' } as const;
    const saved = await this.send(tx, this.updateStatement(tx, done, { id: exportId, runId }, change));
    if (saved.length === 0) return false;
    await tx.query(
      `INSERT INTO export_items (tenant_id, export_id, item_id, is_file)
       SELECT x.tenant_id, x.id, i.id, i.position <= $4
         FROM exports x CROSS JOIN unnest($3::uuid[]) WITH ORDINALITY AS i (id, position)
        WHERE x.tenant_id = $1 AND x.id = $2`,
      [tx.tenantId, exportId, ids, fileIds.length],
    );
    return true;
  }

  /** Locks an unfinished export; null if it has ended, or, with a `runId`, if another attempt has begun. */
  async lockUnfinishedOrNull(
    tx: WriteTransaction,
    { exportId, runId }: { readonly exportId: string; readonly runId?: string },
  ): Promise<StoredExport | null> {
    const where = { id: exportId, ...(runId !== undefined && { runId }) };
    const selection = { and: UNFINISHED, lock: 'for_no_key_update' } as const;
    const [row] = await this.send(tx, this.selectStatement(tx, where, selection));
    return row ?? null;
  }

  async setReady(tx: WriteTransaction, id: string): Promise<void> {
    const expiresAt = () => `now() + make_interval(hours => ${KEPT_HOURS})`;
    const documentCount = () => 'documents_done';
    await this.update(tx, id, { status: 'Ready', runId: null, documentCount, expiresAt });
  }

  async setFailed(tx: WriteTransaction, id: string, failure: ExportFailure): Promise<void> {
    await this.update(tx, id, { status: 'Failed', runId: null, contentSha256: null, size: null, failure });
    await this.deleteItems(tx, [id]);
  }

  /** Locks exports whose time is over, and takes away their packages. Returns them as they were. */
  expire(tx: WriteTransaction, limit: number): Promise<StoredExport[]> {
    return this.expireWhere(tx, HAS_EXPIRED, { limit });
  }

  /** The same for exports, also running ones, with one of these files and documents (locked) in their package. */
  expireWith(tx: WriteTransaction, itemIds: readonly string[]): Promise<StoredExport[]> {
    const hasItem = `status IN ('Running', 'Ready') AND t.id IN (
      SELECT i.export_id FROM export_items i WHERE i.tenant_id = :tenantId AND i.item_id = ANY (:itemIds))`;
    return this.expireWhere(tx, hasItem, { itemIds });
  }

  /** Deletes exports without a package that were created long ago. */
  async deleteOld(tx: WriteTransaction): Promise<void> {
    const and = `status IN ('Failed', 'Expired') AND created_at <= now() - make_interval(days => ${LISTED_DAYS})`;
    await this.send(tx, this.deleteStatement(tx, {}, { and }));
  }

  async unfinishedIds(tx: TenantTransaction): Promise<string[]> {
    const rows = await this.send(tx, this.selectStatement(tx, {}, { and: UNFINISHED }));
    return rows.map(({ id }) => id);
  }

  private async expireWhere(tx: WriteTransaction, and: string, values: object): Promise<StoredExport[]> {
    const selection = { and, values: { ...values }, order: ['id'], lock: 'for_no_key_update' } as const;
    const expired = await this.send(tx, this.selectStatement(tx, {}, selection));
    if (expired.length === 0) return [];
    const ids = expired.map(({ id }) => id);
    const changes = { status: 'Expired', runId: null, contentSha256: null } as const;
    await this.send(tx, this.updateStatement(tx, changes, { id: ids }));
    await this.deleteItems(tx, ids);
    return expired;
  }

  private async deleteItems(tx: WriteTransaction, exportIds: readonly string[]): Promise<void> {
    await this.items.send(tx, this.items.deleteStatement(tx, { exportId: exportIds }));
  }
}
