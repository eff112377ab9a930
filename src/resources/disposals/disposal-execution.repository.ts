import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CONFIGURATION, type Configuration } from '../../platform/config/configuration.js';
import { type Changes, TenantTable } from '../../platform/database/transactions/tenant-table.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { heldFile } from '../holds/held.reader.js';
import { dueOn, today } from '../retention/retention.reader.js';
import { type Decision, DisposalFileEntity, type SkipReason } from './disposal-file.entity.js';
import { DisposalContentEntity } from './disposal.entity.js';

/** Documents that one transaction destroys. */
export const BATCH = 500;
/** Contents whose bytes are removed before the list is read again. */
const CONTENTS = 500;
/** Operations whose stored answers (Idempotency-Key) contain texts of a file, a document or a grant. */
const ANSWERS = {
  files: ['CreateFile', 'CreateNumberedFile'],
  documents: ['CreateDocument'],
  grants: ['CreateAccessGrant'],
};

export interface UnfinishedFile {
  readonly disposalId: string;
  readonly fileId: string;
}

/** What the second look finds at a file. */
export interface SecondLook {
  readonly fileTypeId: string;
  readonly isUnfinished: boolean;
  readonly hasBegun: boolean;
  readonly decision: Decision;
  /** Null: the file can be disposed of. */
  readonly skippedBecause: SkipReason | null;
}

/** A line of a disposal. */
const LINE = 'o.tenant_id = $1 AND o.disposal_id = $2 AND o.file_id = $3';

/** An active hold contains a document of the file `f`. */
const HAS_HELD_DOCUMENT = `coalesce((
  SELECT true FROM document_files df
    JOIN hold_documents i ON i.tenant_id = $1 AND i.document_id = df.document_id
    JOIN holds h ON h.tenant_id = $1 AND h.id = i.hold_id AND h.status = 'Active'
   WHERE df.tenant_id = $1 AND df.file_id = f.id LIMIT 1), false)`;

/** Statements of the job that carries out a disposal. Lock order: documents by id, file, contents, disposal. */
@Injectable()
export class DisposalExecutionRepository extends TenantTable<DisposalFileEntity> {
  private readonly contents: TenantTable<DisposalContentEntity>;

  constructor(
    dataSource: DataSource,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {
    super(dataSource, DisposalFileEntity);
    this.contents = new TenantTable(dataSource, DisposalContentEntity);
  }

  /** Ids of up to 1,000 approved disposals. */
  async approved(tx: TenantTransaction): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(
      `SELECT d.id FROM disposals d WHERE d.tenant_id = $1 AND d.status = 'Approved' LIMIT 1000`,
      [tx.tenantId],
    );
    return rows.map(({ id }) => id);
  }

  /** The first file that is not finished; null if all are, or if the disposal is not approved. */
  nextFile(tx: TenantTransaction, disposalId: string): Promise<UnfinishedFile | null> {
    return tx.queryOrNull<UnfinishedFile>(
      `SELECT o.disposal_id AS "disposalId", o.file_id AS "fileId" FROM disposal_files o
        WHERE o.tenant_id = $1 AND o.disposal_id = $2 AND o.is_unfinished
          AND EXISTS (SELECT FROM disposals d WHERE d.tenant_id = $1 AND d.id = $2 AND d.status = 'Approved')
        ORDER BY o.closed_at, o.file_id LIMIT 1`,
      [tx.tenantId, disposalId],
    );
  }

  /** Locks the next documents of the file until the commit. */
  async lockDocuments(tx: TenantTransaction, fileId: string): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(
      `SELECT d.id FROM documents d WHERE d.tenant_id = $1 AND d.id IN (
         SELECT df.document_id FROM document_files df WHERE df.tenant_id = $1 AND df.file_id = $2
          ORDER BY df.document_id LIMIT ${BATCH})
        ORDER BY d.id FOR UPDATE`,
      [tx.tenantId, fileId],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Locks the file until the commit, and then looks again whether it can be disposed of, in a further statement. Null if
   * the file does not exist. A hold on one of its documents keeps the file. A document that is held through another file
   * stays there.
   */
  async lockFileOrNull(
    tx: TenantTransaction,
    { disposalId, fileId }: UnfinishedFile,
  ): Promise<SecondLook | null> {
    const [, [row]] = await tx.queryAll<[object, SecondLook]>([
      {
        text: 'SELECT FROM files f WHERE f.tenant_id = $1 AND f.id = $2 FOR UPDATE',
        values: [tx.tenantId, fileId],
      },
      {
        text: `SELECT f.file_type_id AS "fileTypeId", o.is_unfinished AS "isUnfinished", o.decision,
                      o.outcome IS NOT NULL AS "hasBegun",
                      CASE WHEN f.closed_at IS NULL THEN 'NotClosed'
                           WHEN (${dueOn('f', 'r', '$4')} < ${today('$4')}) IS NOT TRUE THEN 'NotDue'
                           WHEN o.decision = 'Keep' THEN NULL
                           WHEN ${heldFile('f.id')} OR ${HAS_HELD_DOCUMENT} THEN 'Held' END AS "skippedBecause"
                 FROM files f
                 JOIN disposal_files o ON ${LINE}
                 LEFT JOIN file_type_retentions r ON r.tenant_id = $1 AND r.file_type_id = f.file_type_id
                WHERE f.tenant_id = $1 AND f.id = $3`,
        values: [tx.tenantId, disposalId, fileId, this.configuration.timeZone],
      },
    ]);
    return row ?? null;
  }

  async skip(tx: TenantTransaction, line: UnfinishedFile, skippedBecause: SkipReason): Promise<void> {
    await this.send(tx, this.endStatement(tx, line, { outcome: 'Skipped', skippedBecause }));
  }

  private endStatement(
    tx: TenantTransaction,
    { disposalId, fileId }: UnfinishedFile,
    end: Changes<Pick<DisposalFileEntity, 'outcome' | 'skippedBecause' | 'disposedAt'>>,
  ) {
    return this.updateStatement(tx, { ...end, isUnfinished: false }, { disposalId, fileId });
  }

  /** Keeps the file at least until the day of the decision. */
  async keep(tx: TenantTransaction, line: UnfinishedFile): Promise<void> {
    await tx.queryAll([
      {
        text: `UPDATE files f SET keep_until = greatest(f.keep_until, o.keep_until)
                 FROM disposal_files o WHERE ${LINE} AND f.tenant_id = $1 AND f.id = $3`,
        values: [tx.tenantId, line.disposalId, line.fileId],
      },
      this.endStatement(tx, line, { outcome: 'Kept' }),
    ]);
  }

  /** Those of the documents that are in no other file, with the bytes of all their versions. */
  async inNoOtherFile(
    tx: TenantTransaction,
    fileId: string,
    documentIds: readonly string[],
  ): Promise<{ readonly id: string; readonly bytes: number }[]> {
    return tx.query(
      `SELECT d.id, coalesce((SELECT sum(v.size) FROM document_versions v
                               WHERE v.tenant_id = $1 AND v.document_id = d.id), 0)::bigint AS bytes
         FROM unnest($3::uuid[]) AS d (id)
        WHERE (SELECT true FROM document_files df
                WHERE df.tenant_id = $1 AND df.document_id = d.id AND df.file_id <> $2 LIMIT 1) IS NULL`,
      [tx.tenantId, fileId, documentIds],
    );
  }

  /**
   * Removes the documents from the file, and destroys those that are in no other: foreign keys delete what they have. Keeps
   * the hashes of their contents, whose bytes are removed after the commit. Returns whether the file has no more documents.
   */
  async removeDocuments(
    tx: TenantTransaction,
    { disposalId, fileId }: UnfinishedFile,
    documentIds: readonly string[],
    destroyed: readonly { readonly id: string; readonly bytes: number }[],
  ): Promise<boolean> {
    const ids = destroyed.map(({ id }) => id);
    const bytes = destroyed.reduce((sum, document) => sum + document.bytes, 0);
    const results = await tx.queryAll([
      {
        text: 'DELETE FROM document_files df WHERE df.tenant_id = $1 AND df.file_id = $2 AND df.document_id = ANY ($3::uuid[])',
        values: [tx.tenantId, fileId, documentIds],
      },
      {
        text: `INSERT INTO disposal_contents (tenant_id, disposal_id, sha256)
               SELECT DISTINCT v.tenant_id, $2::uuid, v.content_sha256 FROM document_versions v
                WHERE v.tenant_id = $1 AND v.document_id = ANY ($3::uuid[])
               ON CONFLICT (tenant_id, disposal_id, sha256) DO NOTHING`,
        values: [tx.tenantId, disposalId, ids],
      },
      {
        text: 'DELETE FROM notifications n WHERE n.tenant_id = $1 AND n.document_id = ANY ($2::uuid[])',
        values: [tx.tenantId, ids],
      },
      {
        text: 'DELETE FROM documents d WHERE d.tenant_id = $1 AND d.id = ANY ($2::uuid[])',
        values: [tx.tenantId, ids],
      },
      {
        text: `UPDATE disposal_files o
                  SET outcome = 'Destroying', document_count = o.document_count + $4,
                      document_bytes = o.document_bytes + $5
                WHERE ${LINE}`,
        values: [tx.tenantId, disposalId, fileId, ids.length, bytes],
      },
      {
        text: 'SELECT FROM document_files df WHERE df.tenant_id = $1 AND df.file_id = $2 LIMIT 1',
        values: [tx.tenantId, fileId],
      },
    ]);
    return results.at(-1)?.length === 0;
  }

  /** Deletes the empty file with its notifications and items of released holds. */
  async removeFile(tx: TenantTransaction, line: UnfinishedFile): Promise<void> {
    const values = [tx.tenantId, line.fileId];
    await tx.queryAll([
      { text: 'DELETE FROM notifications n WHERE n.tenant_id = $1 AND n.file_id = $2', values },
      { text: 'DELETE FROM files f WHERE f.tenant_id = $1 AND f.id = $2', values },
      this.endStatement(tx, line, { outcome: 'Destroyed', disposedAt: () => 'now()' }),
    ]);
  }

  /** Keeps the hashes of contents whose bytes are removed after the commit. */
  async addContents(tx: TenantTransaction, disposalId: string, hashes: readonly string[]): Promise<void> {
    if (hashes.length === 0) return;
    await tx.query(
      `INSERT INTO disposal_contents (tenant_id, disposal_id, sha256)
       SELECT DISTINCT $1::uuid, $2::uuid, s.sha256 FROM unnest($3::text[]) AS s (sha256)
       ON CONFLICT (tenant_id, disposal_id, sha256) DO NOTHING`,
      [tx.tenantId, disposalId, hashes],
    );
  }

  /** Hashes of contents of destroyed documents whose bytes may still exist. */
  async contentsOf(tx: TenantTransaction, disposalId: string): Promise<string[]> {
    const first = { values: { limit: CONTENTS }, order: ['sha256'] };
    const rows = await this.contents.send(tx, this.contents.selectStatement(tx, { disposalId }, first));
    return rows.map(({ sha256 }) => sha256);
  }

  async removeContents(tx: TenantTransaction, disposalId: string, hashes: readonly string[]): Promise<void> {
    await this.contents.send(tx, this.contents.deleteStatement(tx, { disposalId, sha256: hashes }));
  }

  /** Null if another attempt has completed it, or if something is left to do. */
  complete(
    tx: TenantTransaction,
    disposalId: string,
  ): Promise<{ readonly name: string; readonly createdBy: string } | null> {
    return tx.queryOrNull<{ name: string; createdBy: string }>(
      `UPDATE disposals d SET status = 'Completed', completed_at = now()
        WHERE d.tenant_id = $1 AND d.id = $2 AND d.status = 'Approved'
          AND NOT EXISTS (SELECT FROM disposal_files o
                           WHERE o.tenant_id = $1 AND o.disposal_id = $2 AND o.is_unfinished)
          AND NOT EXISTS (SELECT FROM disposal_contents c WHERE c.tenant_id = $1 AND c.disposal_id = $2)
        RETURNING d.name, d.created_by AS "createdBy"`,
      [tx.tenantId, disposalId],
    );
  }

  /**
   * Deletes the grants on destroyed files, and the stored answers about what is destroyed. A document can have disappeared
   * within the day for which an answer is kept only by a disposal: the bin keeps it longer.
   */
  async removeGrantsAndAnswers(tx: TenantTransaction, disposalId: string): Promise<void> {
    const destroyed = `SELECT o.file_id FROM disposal_files o
      WHERE o.tenant_id = $1 AND o.disposal_id = $2 AND o.outcome = 'Destroyed'`;
    const values = [tx.tenantId, disposalId];
    const answers = 'DELETE FROM idempotency_keys k WHERE k.tenant_id = $1 AND k.body IS NOT NULL';
    const statements = [
      {
        text: `DELETE FROM access_grants g
                WHERE g.tenant_id = $1 AND g.target_type = 'File' AND g.target_id IN (${destroyed})`,
        values,
      },
      {
        text: `${answers} AND k.operation = ANY ($3::text[]) AND (k.body::jsonb->>'id')::uuid IN (${destroyed})`,
        values: [...values, ANSWERS.files],
      },
      {
        text: `${answers} AND k.operation = ANY ($3::text[]) AND (k.body::jsonb->>'targetId')::uuid IN (${destroyed})`,
        values: [...values, ANSWERS.grants],
      },
      {
        text: `${answers} AND k.operation = ANY ($2::text[])
                AND NOT EXISTS (SELECT FROM documents d
                                 WHERE d.tenant_id = $1 AND d.id = (k.body::jsonb->>'id')::uuid)`,
        values: [tx.tenantId, ANSWERS.documents],
      },
    ];
    // Citus sends a plan for all values to every shard.
    await tx.queryAll(statements.map((statement) => ({ ...statement, planEachTime: true })));
  }
}
