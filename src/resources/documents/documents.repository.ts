import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { byKey, userByKey } from '../../platform/database/paging/by-key.js';
import { orNotFound } from '../../common/problem.js';
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
import { MEMBER_DISPLAY_NAME } from '../../platform/tenancy/users/member-names.js';
import { DocumentEntity } from './document.entity.js';

/** Maximum number of duplicates that the response to an upload lists. */
export const MAX_DUPLICATES = 100;

/** The columns of the document row that a response contains, besides the values of its fields. */
const VIEW_COLUMNS = [
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
  'contentText',
  'contentFailure',
  'contentVersion',
  'createdBy',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof DocumentEntity)[];

/** A document as a response contains it. `fileIds` has only files that are visible to the caller. */
export type DocumentView = Pick<DocumentEntity, (typeof VIEW_COLUMNS)[number] | 'fields'> & {
  readonly tagIds: string[];
  readonly fileIds: string[];
  /** Display name of the creator; null without one, and of a creator who is no longer a member. */
  readonly createdByName: string | null;
};

export type FiledDocumentRow = Pick<DocumentEntity, 'title' | 'documentTypeId' | 'status'> & {
  readonly documentId: string;
  readonly filedAt: string;
};

/**
 * The values of a document `d` that a response contains: those of fields that are not removed from the type.
 */
const LIVE_FIELDS = `
  d.fields - ARRAY(SELECT tf.key FROM document_type_fields tf
                    WHERE tf.tenant_id = $1 AND tf.document_type_id = d.document_type_id AND tf.is_removed) AS fields`;

/** SQL expression. Only of a member: see {@link MEMBER_DISPLAY_NAME}. */
const CREATED_BY_NAME = `
  (SELECT ${MEMBER_DISPLAY_NAME} FROM members m ${userByKey('m.user_id')}
    WHERE m.tenant_id = $1 AND m.user_id = d.created_by)`;

/** SELECT of `user_id` and `name` of those who created the documents of a FROM item, each once. */
export function creatorsOf(documents: string): string {
  return `SELECT m.user_id, ${MEMBER_DISPLAY_NAME} AS name
            FROM (SELECT DISTINCT d.created_by FROM ${documents} d) created
           ${byKey('members', 'm', 'created.created_by', { column: 'user_id' })} ${userByKey('m.user_id')}`;
}

@Injectable()
export class DocumentsRepository extends TenantRepository<DocumentEntity> {
  /**
   * Select list of a row `d` of `documents` for the columns of a {@link DocumentView} that are the same for every caller,
   * without `createdByName`. `$1` of the statement must be the tenant.
   */
  readonly ownColumns: string;

  constructor(dataSource: DataSource) {
    super(dataSource, DocumentEntity);
    this.ownColumns = `${this.select('d', VIEW_COLUMNS)}, ${LIVE_FIELDS}`;
  }

  /** Returns the document after a write. Does not check visibility: the caller just changed it. */
  async view(tx: TenantTransaction, caller: Caller, id: string): Promise<DocumentView> {
    const { text, values } = this.viewStatement(caller, id, () => 'true');
    const [document] = await tx.query<DocumentView>(text, values);
    return orNotFound(document);
  }

  findReadable(tx: TenantTransaction, caller: Caller, id: string): Promise<DocumentView | null> {
    const { text, values } = this.viewStatement(caller, id, (bind) => readableDocuments(caller, 'd', bind));
    return tx.queryOrNull<DocumentView>(text, values);
  }

  /** Returns the newest other documents with this current content that the caller can read, newest first. */
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
   * Locks the document, its links and its access list until the commit. Throws 404 if the document is not
   * visible to the caller. Finds documents in the bin, too: everybody can see them in the list of their
   * files, so changing one is a conflict, not a 404.
   *
   * Two statements: a single one that waited for the lock would return rows of other tables from before the
   * wait.
   */
  async lockVisible(tx: TenantTransaction, caller: Caller, id: string): Promise<DocumentView> {
    const [, [document]] = await tx.queryAll<[object, DocumentView]>([
      {
        text: 'SELECT FROM documents d WHERE d.tenant_id = $1 AND d.id = $2 FOR NO KEY UPDATE',
        values: [tx.tenantId, id],
      },
      this.viewStatement(caller, id, (bind) => visibleDocuments(caller, 'd', bind)),
    ]);
    return orNotFound(document);
  }

  private viewStatement(
    caller: Caller,
    id: string,
    condition: (bind: SqlParameters['bind']) => string,
  ): Statement {
    const values = new SqlParameters(caller.tenantId, id);
    const text = `SELECT ${this.ownColumns}, ${CREATED_BY_NAME} AS "createdByName", ${this.linkColumns(caller, values.bind)}
                    FROM documents d WHERE d.tenant_id = $1 AND d.id = $2 AND ${condition(values.bind)}`;
    return { text, values: values.list };
  }

  /**
   * Select list of a row `d` of `documents` for the other columns of a {@link DocumentView}: `tagIds` and
   * `fileIds`. `$1` of the statement must be the tenant.
   */
  linkColumns(caller: Caller, bind: Bind): string {
    const visibleFile = caller.has('files.read')
      ? ''
      : byKey('files', 'f', 'df.file_id', { condition: visibleFiles(caller, 'f', bind) });
    return `ARRAY(SELECT dt.tag_id FROM document_tags dt
                   WHERE dt.tenant_id = $1 AND dt.document_id = d.id ORDER BY dt.tag_id) AS "tagIds",
            ARRAY(SELECT df.file_id FROM document_files df ${visibleFile}
                   WHERE df.tenant_id = $1 AND df.document_id = d.id ORDER BY df.file_id) AS "fileIds"`;
  }

  /**
   * Returns the documents in the file in any state, last filed first, and one row more than `limit`; none if the file does
   * not exist or is not visible to the caller.
   */
  listOfFile(
    tx: TenantTransaction,
    caller: Caller,
    fileId: string,
    after: Position | null,
    limit: number,
  ): Promise<FiledDocumentRow[]> {
    const values = new SqlParameters(tx.tenantId, fileId);
    const { bind } = values;
    // A link refers to a file that exists.
    const visibleFile = caller.has('files.read')
      ? ''
      : `AND EXISTS (SELECT FROM files f WHERE f.tenant_id = $1 AND f.id = $2 AND ${visibleFiles(caller, 'f', bind)})`;
    const before = after
      ? `AND (df.filed_at, df.document_id) < (${bind(after[0])}::timestamptz, ${bind(after[1])}::uuid)`
      : '';
    // Few conditions: a plain join is cheaper than `byKey`.
    return tx.query<FiledDocumentRow>(
      `SELECT df.document_id AS "documentId", d.title, d.document_type_id AS "documentTypeId", d.status,
              df.filed_at AS "filedAt"
         FROM document_files df
         JOIN documents d ON d.tenant_id = $1 AND d.id = df.document_id AND ${visibleDocuments(caller, 'd', bind)}
        WHERE df.tenant_id = $1 AND df.file_id = $2 ${visibleFile} ${before}
        ORDER BY df.filed_at DESC, df.document_id DESC LIMIT ${bind(limit + 1)}`,
      values.list,
    );
  }
}
