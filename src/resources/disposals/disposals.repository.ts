import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CONFIGURATION, type Configuration } from '../../platform/config/configuration.js';
import { SqlParameters } from '../../platform/database/sql-parameters.js';
import { TenantRepository } from '../../platform/database/transactions/tenant-repository.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { membersOf } from '../../platform/http/response/members-of.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { visibleFiles } from '../../platform/tenancy/access/visibility.js';
import { heldFile } from '../holds/held.reader.js';
import { dueOn, today } from '../retention/retention.reader.js';
import { DisposalEntity } from './disposal.entity.js';
import { DisposalResponse, type DisposalRow } from './disposals.dto.js';

/** Maximum number of files of a disposal. */
export const MAX_FILES = 10_000;

export type CurrentRule = Pick<DisposalEntity, 'period' | 'startsAt' | 'disposition' | 'ruleChangedAt'>;
/** Files of the type are kept for ever. */
type NoPeriod = Omit<CurrentRule, 'period'> & { readonly period: null };

@Injectable()
export class DisposalsRepository extends TenantRepository<DisposalEntity, DisposalRow> {
  constructor(
    dataSource: DataSource,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {
    super(dataSource, DisposalEntity, { properties: [...membersOf(DisposalResponse), 'editors'] });
  }

  /** The current day in the time zone of the service, `YYYY-MM-DD`. */
  async today(tx: TenantTransaction): Promise<string> {
    const [row] = await tx.query<{ today: string }>(`SELECT ${today('$1')} AS today`, [
      this.configuration.timeZone,
    ]);
    return row?.today ?? '';
  }

  /** Null if the file type does not exist. */
  findRule(tx: TenantTransaction, fileTypeId: string): Promise<CurrentRule | NoPeriod | null> {
    return tx.queryOrNull<CurrentRule | NoPeriod>(
      `SELECT r.period, r.starts_at AS "startsAt", r.disposition, r.changed_at AS "ruleChangedAt"
         FROM file_types t LEFT JOIN file_type_retentions r ON r.tenant_id = $1 AND r.file_type_id = t.id
        WHERE t.tenant_id = $1 AND t.id = $2`,
      [tx.tenantId, fileTypeId],
    );
  }

  /**
   * Adds the due files that are visible to the caller, not held, and in no unfinished disposal, oldest first. Returns their
   * number. Locks the files before it asks for holds. The index of closed files ends the search at the last file that can
   * be due: a due file was closed at least a period before, less the days by which months differ.
   */
  async gather(
    tx: TenantTransaction,
    caller: Caller,
    { id, fileTypeId, dueBefore }: Pick<DisposalEntity, 'id' | 'fileTypeId' | 'dueBefore'>,
  ): Promise<number> {
    const values = new SqlParameters(tx.tenantId, fileTypeId, dueBefore, this.configuration.timeZone);
    const due = dueOn('f', 'r', '$4');
    const candidates = await tx.query<{ id: string }>(
      `SELECT f.id FROM file_type_retentions r
         JOIN files f ON f.tenant_id = $1 AND f.file_type_id = r.file_type_id
          AND f.closed_at < (($3::date - r.period::interval)::date + 4)::timestamp AT TIME ZONE $4
        WHERE r.tenant_id = $1 AND r.file_type_id = $2 AND ${due} < least($3::date, ${today('$4')})
          AND NOT ${heldFile('f.id')} AND ${visibleFiles(caller, 'f', values.bind)}
          AND NOT EXISTS (SELECT FROM disposal_files o
                           WHERE o.tenant_id = $1 AND o.file_id = f.id AND o.is_unfinished)
        ORDER BY f.closed_at, f.id LIMIT ${MAX_FILES}`,
      values.list,
    );
    const ids = candidates.map((row) => row.id);
    const [, added = []] = await tx.queryAll([
      {
        text: 'SELECT FROM files f WHERE f.tenant_id = $1 AND f.id = ANY ($2::uuid[]) ORDER BY f.id FOR SHARE',
        values: [tx.tenantId, ids],
      },
      {
        text: `INSERT INTO disposal_files (tenant_id, disposal_id, file_id, number, number_key, closed_at, decision)
               SELECT f.tenant_id, $3::uuid, f.id, f.number, f.number_key, f.closed_at,
                      CASE WHEN r.disposition = 'Destroy' THEN 'Destroy' END
                 FROM files f
                 JOIN file_type_retentions r ON r.tenant_id = $1 AND r.file_type_id = f.file_type_id
                WHERE f.tenant_id = $1 AND f.id = ANY ($2::uuid[]) AND f.closed_at IS NOT NULL
                  AND NOT ${heldFile('f.id')}
                ORDER BY f.id
               ON CONFLICT DO NOTHING RETURNING file_id`,
        values: [tx.tenantId, ids, id],
      },
    ]);
    return added.length;
  }

  /** Adds a user to those who may not approve the disposal. */
  async addEditor(tx: TenantTransaction, id: string, userId: string): Promise<void> {
    const editors = () => 'editors || :userId::uuid';
    const isNew = { and: 'NOT editors @> ARRAY[:userId::uuid]', values: { userId } };
    await this.send(tx, this.updateStatement(tx, { editors }, { id }, isNew));
  }

  /** The members who may approve the disposal. */
  async approvers(tx: TenantTransaction, id: string): Promise<string[]> {
    const rows = await tx.query<{ userId: string }>(
      `SELECT m.user_id AS "userId" FROM members m JOIN roles r ON r.tenant_id = $1 AND r.id = m.role_id
        WHERE m.tenant_id = $1 AND r.permissions @> ARRAY['disposals.approve', 'files.read']
          AND m.user_id <> ALL ((SELECT d.editors FROM disposals d WHERE d.tenant_id = $1 AND d.id = $2)::uuid[])
        ORDER BY m.user_id`,
      [tx.tenantId, id],
    );
    return rows.map(({ userId }) => userId);
  }

  submit(tx: TenantTransaction, id: string, rule: CurrentRule): Promise<DisposalRow> {
    const by = { submittedById: tx.context.actorId, submittedAt: () => 'now()' };
    return this.update(tx, id, { status: 'Submitted', ...by, ...rule, rejection: null });
  }

  approve(tx: TenantTransaction, id: string, rule: CurrentRule): Promise<DisposalRow> {
    const by = { approvedById: tx.context.actorId, approvedAt: () => 'now()' };
    return this.update(tx, id, { status: 'Approved', ...by, ...rule, rejection: null });
  }

  /**
   * Stores what the rule of today says about each file. Two statements, and days since 1970, because Citus allows only
   * immutable functions of columns in an UPDATE.
   */
  async storeDueDates(tx: TenantTransaction, id: string): Promise<void> {
    const due = await tx.query<{ fileId: string; day: number | null }>(
      `SELECT o.file_id AS "fileId", ${dueOn('f', 'r', '$3')} - DATE '1970-01-01' AS day
         FROM disposal_files o
         JOIN files f ON f.tenant_id = $1 AND f.id = o.file_id
         JOIN file_type_retentions r ON r.tenant_id = $1 AND r.file_type_id = f.file_type_id
        WHERE o.tenant_id = $1 AND o.disposal_id = $2`,
      [tx.tenantId, id, this.configuration.timeZone],
    );
    await tx.query(
      `UPDATE disposal_files o SET due_on = DATE '1970-01-01' + ($3::jsonb->>(o.file_id::text))::int
        WHERE o.tenant_id = $1 AND o.disposal_id = $2`,
      [tx.tenantId, id, JSON.stringify(Object.fromEntries(due.map(({ fileId, day }) => [fileId, day])))],
    );
  }
}
