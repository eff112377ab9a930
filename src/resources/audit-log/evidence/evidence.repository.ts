import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { NIL_ID } from '../../../common/identifier.js';
import { SqlParameters } from '../../../platform/database/sql-parameters.js';
import { TenantRepository } from '../../../platform/database/transactions/tenant-repository.js';
import { TenantTable } from '../../../platform/database/transactions/tenant-table.js';
import {
  type TenantTransaction,
  type WriteTransaction,
} from '../../../platform/database/transactions/tenant-transaction.js';
import { membersOf } from '../../../platform/http/response/members-of.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { isSummaryVisible } from '../audit-log.repository.js';
import { AuditCheckpointResponse } from './evidence.dto.js';
import { AuditCheckpointEntity, AuditKeyEntity } from './notes/note.entities.js';
import { AuditTreeEntity } from './tree/audit-tree.entities.js';
import { ENTRY_COLUMNS } from './tree/audit-tree.repository.js';
import { type AuditEntry } from './tree/leaf.js';
import { type LeafRange } from './tree/merkle-tree.js';

export interface TreeHead {
  /** Number of leaves. */
  readonly size: number;
  readonly logId: string;
  /** Null before the first checkpoint of this log. */
  readonly origin: string | null;
  /** Whether the key has signed a checkpoint with this origin before. */
  readonly isKeyKnown: boolean;
}

/** An entry of the log. The id is null if the entry of the event does not exist. */
export interface SequencedEntry extends AuditEntry {
  readonly sequence: number;
  /** Whether the caller may read all of it. */
  readonly isOpen: boolean | null;
}

@Injectable()
export class EvidenceRepository extends TenantRepository<AuditCheckpointEntity, AuditCheckpointResponse> {
  private readonly signingKeys: TenantTable<AuditKeyEntity>;
  private readonly trees: TenantTable<AuditTreeEntity>;

  constructor(dataSource: DataSource) {
    super(dataSource, AuditCheckpointEntity, { properties: membersOf(AuditCheckpointResponse) });
    this.signingKeys = new TenantTable(dataSource, AuditKeyEntity);
    this.trees = new TenantTable(dataSource, AuditTreeEntity);
  }

  async head(tx: TenantTransaction, publicKey: Buffer): Promise<TreeHead> {
    const [row] = await tx.query<TreeHead>(
      `SELECT coalesce(t.size, 0)::bigint AS size, l.id AS "logId",
              CASE WHEN t.log_id = l.id THEN t.origin END AS origin,
              EXISTS (SELECT FROM audit_keys k WHERE k.tenant_id = $1 AND k.origin = t.origin
                        AND k.public_key = $2::bytea) AS "isKeyKnown"
         FROM event_logs l LEFT JOIN audit_trees t ON t.tenant_id = $1 WHERE l.tenant_id = $1`,
      [tx.tenantId, publicKey],
    );
    return row ?? { size: 0, logId: NIL_ID, origin: null, isKeyKnown: false };
  }

  /** Fixes the origin of the log, and stores the key before its first signature. Returns the new head. */
  async register(
    tx: WriteTransaction,
    { logId }: TreeHead,
    origin: string,
    publicKey: Buffer,
  ): Promise<TreeHead> {
    await tx.query(
      `INSERT INTO audit_trees AS t (tenant_id, log_id, origin) VALUES ($1, $2, $3)
       ON CONFLICT (tenant_id) DO UPDATE SET log_id = excluded.log_id, origin = excluded.origin
         WHERE t.log_id IS DISTINCT FROM excluded.log_id`,
      [tx.tenantId, logId, origin],
    );
    const { newRows } = tx.layout;
    await tx.query(
      `INSERT INTO audit_keys (tenant_id, origin, public_key)
       SELECT ${newRows.tenantId}, t.origin, $2::bytea FROM ${newRows.from('audit_trees t')}
         ${tx.layout.isDistributed ? 'AND' : 'WHERE'} t.tenant_id = $1
       ON CONFLICT (tenant_id, origin, public_key) DO NOTHING`,
      [tx.tenantId, publicKey],
    );
    return this.head(tx, publicKey);
  }

  keys(tx: TenantTransaction): Promise<Pick<AuditKeyEntity, 'origin' | 'publicKey'>[]> {
    const order = ['createdAt', 'origin', 'publicKey'];
    return this.signingKeys.send(tx, this.signingKeys.selectStatement(tx, {}, { order }));
  }

  /** The entry with its sequence, which is null if it has none yet; undefined if the tenant has no such entry. */
  async entry(
    tx: TenantTransaction,
    caller: Caller,
    id: string,
  ): Promise<(Omit<SequencedEntry, 'sequence'> & { readonly sequence: number | null }) | undefined> {
    const values = new SqlParameters(tx.tenantId);
    const isOpen = isSummaryVisible(caller, values.bind);
    const [row] = await tx.query<SequencedEntry>(
      `SELECT ${ENTRY_COLUMNS}, ${isOpen} AS "isOpen",
              (SELECT v.sequence FROM events v WHERE v.tenant_id = $1 AND v.entry_id = e.id) AS sequence
         FROM audit_entries e WHERE e.tenant_id = $1 AND e.id = ${values.bind(id)}`,
      values.list,
    );
    return row;
  }

  entries(tx: TenantTransaction, caller: Caller, { from, to }: LeafRange): Promise<SequencedEntry[]> {
    const values = new SqlParameters(tx.tenantId);
    const { bind } = values;
    const isOpen = isSummaryVisible(caller, bind);
    return tx.query<SequencedEntry>(
      `SELECT v.sequence, ${ENTRY_COLUMNS}, ${isOpen} AS "isOpen"
         FROM events v
         LEFT JOIN LATERAL (SELECT * FROM audit_entries e WHERE e.tenant_id = $1 AND e.id = v.entry_id LIMIT 1) e ON true
        WHERE v.tenant_id = $1 AND v.sequence >= ${bind(from)}::bigint AND v.sequence < ${bind(to)}::bigint
        ORDER BY v.sequence`,
      values.list,
    );
  }

  /** Stores a daily checkpoint. The tree must be locked. */
  async saveCheckpoint(
    tx: WriteTransaction,
    { id, size, checkpoint }: Omit<AuditCheckpointResponse, 'createdAt'>,
  ): Promise<void> {
    await tx.queryAll([
      this.insertStatement(tx, { id, size, checkpoint }),
      this.trees.updateStatement(tx, { checkpointSize: size, checkpointAt: () => 'now()' }, {}),
    ]);
  }
}
