import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Position } from '../../platform/database/paging/cursor-codec.js';
import { SqlParameters } from '../../platform/database/sql-parameters.js';
import { TenantTable } from '../../platform/database/transactions/tenant-table.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { membersOf } from '../../platform/http/response/members-of.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { visibleFiles } from '../../platform/tenancy/access/visibility.js';
import { DisposalFileEntity } from './disposal-file.entity.js';
import { type DecisionOnFile, DisposalFileResponse } from './disposals.dto.js';

type DisposalFileRow = Omit<DisposalFileResponse, 'documentCount'> & {
  /** Number of destroyed documents; null while the file exists. */
  readonly destroyedCount: number | null;
};

const UNDECIDED = 'decision IS NULL';

/** The files of a disposal. Lock order: file, disposal. */
@Injectable()
export class DisposalFilesRepository extends TenantTable<DisposalFileEntity> {
  private readonly rowColumns: string;

  constructor(dataSource: DataSource) {
    super(dataSource, DisposalFileEntity);
    this.rowColumns = this.select('o', membersOf(DisposalFileResponse, 'name', 'documentCount'));
  }

  /** Oldest first, and one row more than `limit`. */
  list(
    tx: TenantTransaction,
    caller: Caller,
    disposalId: string,
    after: Position | null,
    limit: number,
  ): Promise<DisposalFileRow[]> {
    const values = new SqlParameters(tx.tenantId, disposalId, limit + 1);
    const { bind } = values;
    const page = after
      ? `AND (o.closed_at, o.file_id) > (${bind(after[0])}::timestamptz, ${bind(after[1])}::uuid)`
      : '';
    return tx.query<DisposalFileRow>(
      `SELECT ${this.rowColumns},
              (SELECT f.name FROM files f
                WHERE f.tenant_id = $1 AND f.id = o.file_id AND ${visibleFiles(caller, 'f', bind)}) AS name,
              CASE WHEN o.outcome = 'Destroyed' THEN o.document_count END AS "destroyedCount"
         FROM disposal_files o WHERE o.tenant_id = $1 AND o.disposal_id = $2 ${page}
        ORDER BY o.closed_at, o.file_id LIMIT $3`,
      values.list,
    );
  }

  /** False if the file is not in the disposal. */
  async decide(
    tx: TenantTransaction,
    disposalId: string,
    fileId: string,
    decision: DecisionOnFile,
  ): Promise<boolean> {
    const returning = { returning: 'fileId' } as const;
    const where = { disposalId, fileId };
    const rows = await this.send(tx, this.updateStatement(tx, decision, where, returning));
    return rows.length > 0;
  }

  /** Sets the decision for all files that have none. */
  async decideOthers(tx: TenantTransaction, disposalId: string, decision: DecisionOnFile): Promise<number> {
    const undecided = { and: UNDECIDED, returning: 'fileId' } as const;
    const rows = await this.send(tx, this.updateStatement(tx, decision, { disposalId }, undecided));
    return rows.length;
  }

  async hasUndecided(tx: TenantTransaction, disposalId: string): Promise<boolean> {
    const first = { and: UNDECIDED, values: { limit: 1 } };
    const rows = await this.send(tx, this.selectStatement(tx, { disposalId }, first));
    return rows.length > 0;
  }

  /** False if the file is not in the disposal. */
  async remove(tx: TenantTransaction, disposalId: string, fileId: string): Promise<boolean> {
    const returning = { returning: 'fileId' } as const;
    const rows = await this.send(tx, this.deleteStatement(tx, { disposalId, fileId }, returning));
    return rows.length > 0;
  }
}
