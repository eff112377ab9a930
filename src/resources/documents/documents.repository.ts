import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { notFound } from '../../common/problem.js';
import { type Position } from '../../platform/database/paging/cursor-codec.js';
import { type Bind, SqlParameters } from '../../platform/database/sql-parameters.js';
import { type Statement } from '../../platform/database/transactions/tenant-batch.js';
import { TenantRepository } from '../../platform/database/transactions/tenant-repository.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import {
  readableDocuments,
  visibleDocuments,
  visibleFiles,
} from '../../platform/tenancy/access/visibility.js';
import { DocumentEntity } from './document.entity.js';

/** Documents with the same content that an upload is told of. */
export const MAX_DUPLICATES = 100;

/** Of the document's own row, besides the values of its fields. */
const SHOWN = [
  'id',
  'title',
  'documentTypeId',
  'status',
  'isConfidential',
  'contentSha256',
  'contentFileName',
  'contentMediaType',
  'contentSize',
  'contentPageCount',
  'contentVersion',
  'createdBy',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof DocumentEntity)[];

/** What a client is shown of a document. Its files are those that the caller sees. */
export type DocumentView = Pick<DocumentEntity, (typeof SHOWN)[number] | 'fields'> & {
  readonly tagIds: string[];
  readonly fileIds: string[];
};

/** A document on the list of a file. */
export type FiledDocumentRow = Pick<DocumentEntity, 'title' | 'documentTypeId' | 'status'> & {
  readonly documentId: string;
  readonly filedAt: string;
};

/** The values that are shown of a document `d`: those of the fields that its type has not removed. */
const SHOWN_FIELDS = `
  d.fields - ARRAY(SELECT tf.key FROM document_type_fields tf
                    WHERE tf.tenant_id = $1 AND tf.document_type_id = d.document_type_id AND tf.is_removed) AS fields`;

@Injectable()
export class DocumentsRepository extends TenantRepository<DocumentEntity> {
  /** What a {@link DocumentView} shows of a row `d` of `documents` itself. */
  readonly ownColumns: string;

  constructor(dataSource: DataSource) {
    super(dataSource, DocumentEntity);
    this.ownColumns = `${this.select('d', SHOWN)}, ${SHOWN_FIELDS}`;
  }

  /** The document for the answer to who has just written it, which is no question of whether they may read it. */
  async view(tx: TenantTransaction, caller: Caller, id: string): Promise<DocumentView> {
    const { text, values } = this.viewStatement(caller, id, () => 'true');
    const [document] = await tx.query<DocumentView>(text, values);
    if (!document) throw notFound();
    return document;
  }

  /** Null when there is no such document, or none that the caller can read. */
  async findReadable(tx: TenantTransaction, caller: Caller, id: string): Promise<DocumentView | null> {
    const { text, values } = this.viewStatement(caller, id, (bind) => readableDocuments(caller, 'd', bind));
    const [document] = await tx.query<DocumentView>(text, values);
    return document ?? null;
  }

  /** Other documents that the caller can read and that have this content now; the newest of them, newest first. */
  async findDuplicates(
    tx: TenantTransaction,
    caller: Caller,
    sha256: string,
    exceptId: string,
  ): Promise<string[]> {
    const values = new SqlParameters(tx.tenantId, sha256, exceptId);
    const rows = await tx.query<{ id: string }>(
      `SELECT d.id FROM documents d
        WHERE d.tenant_id = $1 AND d.content_sha256 = $2 AND d.id <> $3
          AND ${readableDocuments(caller, 'd', values.bind)}
        ORDER BY d.created_at DESC, d.id DESC LIMIT ${MAX_DUPLICATES}`,
      values.list,
    );
    return rows.map(({ id }) => id);
  }

  /**
   * For changing: keeps others from changing the document, its links and its list until the commit; the 404 when the
   * caller does not see it. One in the bin is found, too: it is on the list of its files for everybody, and changing
   * it is a conflict.
   *
   * Two statements, because one that waited for the lock would go on with what it had read before of other tables.
   */
  async lockVisible(tx: TenantTransaction, caller: Caller, id: string): Promise<DocumentView> {
    const [, rows] = await tx.queryAll([
      {
        text: 'SELECT FROM documents d WHERE d.tenant_id = $1 AND d.id = $2 FOR NO KEY UPDATE',
        values: [tx.tenantId, id],
      },
      this.viewStatement(caller, id, (bind) => visibleDocuments(caller, 'd', bind)),
    ]);
    const document = (rows as DocumentView[] | undefined)?.[0];
    if (!document) throw notFound();
    return document;
  }

  private viewStatement(
    caller: Caller,
    id: string,
    condition: (bind: SqlParameters['bind']) => string,
  ): Statement {
    const values = new SqlParameters(caller.tenantId, id);
    const text = `SELECT ${this.ownColumns}, ${this.linkColumns(caller, values.bind)}
                    FROM documents d WHERE d.tenant_id = $1 AND d.id = $2 AND ${condition(values.bind)}`;
    return { text, values: values.list };
  }

  /**
   * The rest of the select list of a {@link DocumentView}, of a row `d` of `documents`: `tagIds` and `fileIds`. The
   * statement's `$1` is the tenant.
   */
  linkColumns(caller: Caller, bind: Bind): string {
    return `ARRAY(SELECT dt.tag_id FROM document_tags dt
                   WHERE dt.tenant_id = $1 AND dt.document_id = d.id ORDER BY dt.tag_id) AS "tagIds",
            ARRAY(SELECT df.file_id FROM document_files df
                    JOIN files f ON f.tenant_id = df.tenant_id AND f.id = df.file_id
                   WHERE df.tenant_id = $1 AND f.tenant_id = $1 AND df.document_id = d.id
                     AND ${visibleFiles(caller, 'f', bind)} ORDER BY df.file_id) AS "fileIds"`;
  }

  /**
   * Documents in the file, in whatever state, last filed first; one row more than `limit`. Null when there is no such
   * file, or none that the caller sees: both questions are one round trip.
   */
  async listOfFile(
    tx: TenantTransaction,
    caller: Caller,
    fileId: string,
    after: Position | null,
    limit: number,
  ): Promise<FiledDocumentRow[] | null> {
    const values = new SqlParameters(tx.tenantId, fileId);
    const { bind } = values;
    const before = after
      ? `AND (df.filed_at, df.document_id) < (${bind(after[0])}::timestamptz, ${bind(after[1])}::uuid)`
      : '';
    const rows = await tx.query<FiledDocumentRow | { documentId: null }>(
      `SELECT page.* FROM files f LEFT JOIN (
         SELECT df.document_id AS "documentId", d.title, d.document_type_id AS "documentTypeId", d.status,
                df.filed_at AS "filedAt"
           FROM document_files df JOIN documents d ON d.tenant_id = df.tenant_id AND d.id = df.document_id
          WHERE df.tenant_id = $1 AND d.tenant_id = $1 AND df.file_id = $2 ${before}
            AND ${visibleDocuments(caller, 'd', bind)}
          ORDER BY df.filed_at DESC, df.document_id DESC LIMIT ${bind(limit + 1)}
       ) page ON true
        WHERE f.tenant_id = $1 AND f.id = $2 AND ${visibleFiles(caller, 'f', bind)}
        ORDER BY page."filedAt" DESC, page."documentId" DESC`,
      values.list,
    );
    if (rows.length === 0) return null;
    return rows.filter((row): row is FiledDocumentRow => row.documentId !== null);
  }
}
