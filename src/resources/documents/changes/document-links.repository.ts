import { Injectable } from '@nestjs/common';
import { byKey } from '../../../platform/database/paging/by-key.js';
import { type Message, message } from '../../../common/messages/message.js';
import { type FieldErrors, invalid } from '../../../common/problem.js';
import { SqlParameters } from '../../../platform/database/sql-parameters.js';
import { type TenantTransaction } from '../../../platform/database/transactions/tenant-transaction.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { grantedFiles, visibleFiles } from '../../../platform/tenancy/access/visibility.js';
import { HELD_DOCUMENTS, heldFile } from '../../holds/held.reader.js';

/** A file that a document is filed in or will be filed in. */
export interface TargetFile {
  readonly id: string;
  readonly number: string;
  readonly name: string;
  readonly status: 'Open' | 'Closed';
  /** Whether the caller has a Write grant for the file, whatever their role allows. */
  readonly hasWriteGrant: boolean;
  /** Whether an active hold contains the file; false if that was not asked for. */
  readonly isHeld: boolean;
}

export interface TargetTag {
  readonly id: string;
  readonly name: string;
}

/** A link of a document to a file or tag that was added or removed. */
export interface Link {
  readonly documentId: string;
  readonly targetId: string;
}

export interface AddedLinks {
  /** Without links that existed before. */
  readonly links: Link[];
  /** Ids of documents that got no link, because they would have more than {@link MAX_LINKS}. */
  readonly overLimit: string[];
}

/** Maximum number of tags and of files of a document: responses contain all of them. */
const MAX_LINKS = 1000;

/** Tables of links. `insertion` links the documents with all targets. */
const LINKS = {
  files: {
    table: 'document_files',
    column: 'file_id',
    insertion: `
      INSERT INTO document_files (tenant_id, document_id, file_id, created_at, file_type_id)
      SELECT d.tenant_id, d.id, f.id, d.created_at, f.file_type_id
        FROM documents d, files f
       WHERE d.tenant_id = $1 AND d.id = ANY ($2::uuid[]) AND f.tenant_id = $1 AND f.id = ANY ($3::uuid[])`,
  },
  tags: {
    table: 'document_tags',
    column: 'tag_id',
    insertion: `
      INSERT INTO document_tags (tenant_id, document_id, tag_id, created_at)
      SELECT d.tenant_id, d.id, t.id, d.created_at
        FROM documents d, unnest($3::uuid[]) AS t (id) WHERE d.tenant_id = $1 AND d.id = ANY ($2::uuid[])`,
  },
} as const;
type LinkKind = keyof typeof LINKS;

const NOT_FOUND = {
  fileIds: message('reference.file'),
  tagIds: message('reference.tag'),
};

export function addNotFoundErrors(
  member: keyof typeof NOT_FOUND,
  ids: readonly string[],
  found: readonly { readonly id: string }[],
  errors: FieldErrors,
): void {
  const known = new Set(found.map(({ id }) => id));
  ids.forEach((id, index) => {
    if (!known.has(id)) errors[`${member}[${index}]`] = [NOT_FOUND[member]];
  });
}

/** The files of a move. */
export interface MovedBetween {
  readonly fromFileId: string;
  readonly toFileId: string;
}

/** The error for a move from a file to itself. */
export function sameFile(body: object): Message | null {
  const { fromFileId, toFileId } = body as Partial<MovedBetween>;
  return fromFileId === toFileId ? message('reference.same-file') : null;
}

interface HoldsOption {
  /** Whether `isHeld` or `held` is needed. Default: false; then nothing counts as held. */
  readonly asksForHolds?: boolean;
}

/**
 * Links of documents to files and tags. Locks are taken in the same order everywhere to prevent deadlocks:
 * documents by id, their type, tags by id, files by id, contents.
 */
@Injectable()
export class DocumentLinksRepository {
  /**
   * Returns the files that are visible to the caller, locked (shared) until the commit against closing,
   * renaming and deletion. Other transactions can still file documents into them. Reads in a second
   * statement: a single one that waited for a lock would return the state from before the wait.
   */
  async lockFiles(
    tx: TenantTransaction,
    caller: Caller,
    ids: readonly string[],
    { asksForHolds = false }: HoldsOption = {},
  ): Promise<TargetFile[]> {
    if (ids.length === 0) return [];
    const values = new SqlParameters(tx.tenantId, ids);
    const hasWriteGrant = grantedFiles(caller, 'f', values.bind, 'Write');
    const visible = visibleFiles(caller, 'f', values.bind);
    const [, files] = await tx.queryAll<[object, TargetFile]>([
      {
        text: 'SELECT FROM files f WHERE f.tenant_id = $1 AND f.id = ANY ($2::uuid[]) ORDER BY f.id FOR SHARE',
        values: [tx.tenantId, ids],
      },
      {
        text: `SELECT f.id, f.number, f.name, f.status, ${hasWriteGrant} AS "hasWriteGrant",
                      ${asksForHolds ? heldFile('f.id') : 'false'} AS "isHeld"
                 FROM files f WHERE f.tenant_id = $1 AND f.id = ANY ($2::uuid[]) AND ${visible} ORDER BY f.id`,
        values: values.list,
      },
    ]);
    return files;
  }

  /** Locks the two files of a move as {@link lockFiles} does. Throws 400 for files that the caller does not see. */
  async lockMove(
    tx: TenantTransaction,
    caller: Caller,
    { fromFileId, toFileId }: MovedBetween,
  ): Promise<[from: TargetFile, to: TargetFile]> {
    const files = await this.lockFiles(tx, caller, [fromFileId, toFileId], { asksForHolds: true });
    const [from, to] = [fromFileId, toFileId].map((id) => files.find((file) => file.id === id));
    if (from && to) return [from, to];
    throw invalid({
      ...(!from && { fromFileId: [NOT_FOUND.fileIds] }),
      ...(!to && { toFileId: [NOT_FOUND.fileIds] }),
    });
  }

  /**
   * Returns which of the documents (locked) are in a closed file, and which are held. Locks all their files against
   * closing and new holds until the commit.
   */
  async lockFilesOf(
    tx: TenantTransaction,
    documentIds: readonly string[],
    { asksForHolds = false }: HoldsOption = {},
  ): Promise<{ closed: Set<string>; held: Set<string> }> {
    const values = [tx.tenantId, documentIds];
    const [, closed, held = []] = await tx.queryAll<[object, { id: string }, { id: string }?]>([
      {
        text: `SELECT FROM files f
                WHERE f.tenant_id = $1 AND f.id IN (
                  SELECT df.file_id FROM document_files df
                   WHERE df.tenant_id = $1 AND df.document_id = ANY ($2::uuid[]))
                ORDER BY f.id FOR SHARE OF f`,
        values,
      },
      {
        text: `SELECT DISTINCT df.document_id AS id
                 FROM document_files df
                ${byKey('files', 'f', 'df.file_id')}
                WHERE df.tenant_id = $1 AND df.document_id = ANY ($2::uuid[]) AND f.status = 'Closed'`,
        values,
      },
      ...(asksForHolds ? [{ text: HELD_DOCUMENTS, values }] : []),
    ]);
    return { closed: idsOf(closed), held: idsOf(held) };
  }

  /** The ids of those documents that are in the file. */
  async filedIn(tx: TenantTransaction, documentIds: readonly string[], fileId: string): Promise<Set<string>> {
    if (documentIds.length === 0) return new Set();
    return idsOf(
      await tx.query<{ id: string }>(
        `SELECT df.document_id AS id FROM document_files df
          WHERE df.tenant_id = $1 AND df.document_id = ANY ($2::uuid[]) AND df.file_id = $3`,
        [tx.tenantId, documentIds, fileId],
      ),
    );
  }

  /** Returns the existing tags, locked against deletion until the commit. */
  async lockTags(tx: TenantTransaction, ids: readonly string[]): Promise<TargetTag[]> {
    if (ids.length === 0) return [];
    return tx.query<TargetTag>(
      `SELECT t.id, t.name FROM tags t
        WHERE t.tenant_id = $1 AND t.id = ANY ($2::uuid[]) ORDER BY t.id FOR KEY SHARE`,
      [tx.tenantId, ids],
    );
  }

  /** The documents must be locked. */
  async add(
    tx: TenantTransaction,
    kind: LinkKind,
    documentIds: readonly string[],
    targetIds: readonly string[],
  ): Promise<AddedLinks> {
    if (targetIds.length === 0) return { links: [], overLimit: [] };
    const { table, column, insertion } = LINKS[kind];
    const rows = await tx.query<Link | { documentId: string; targetId: null }>(
      `WITH too_many AS MATERIALIZED (
         SELECT d.id FROM unnest($2::uuid[]) AS d (id)
          WHERE (SELECT count(*) FROM (
                   SELECT FROM ${table} l
                    WHERE l.tenant_id = $1 AND l.document_id = d.id AND l.${column} <> ALL ($3::uuid[])
                    LIMIT ${MAX_LINKS}) others) + cardinality($3::uuid[]) > ${MAX_LINKS}
       ), added AS (
         ${insertion} AND NOT EXISTS (SELECT FROM too_many m WHERE m.id = d.id)
         ON CONFLICT (tenant_id, document_id, ${column}) DO NOTHING RETURNING document_id, ${column}
       )
       SELECT document_id AS "documentId", ${column} AS "targetId" FROM added UNION ALL SELECT id, NULL FROM too_many`,
      [tx.tenantId, documentIds, targetIds],
    );
    return {
      links: rows.filter((row): row is Link => row.targetId !== null),
      overLimit: rows.flatMap(({ documentId, targetId }) => (targetId === null ? [documentId] : [])),
    };
  }

  /** Returns the removed links. */
  remove(
    tx: TenantTransaction,
    kind: LinkKind,
    documentIds: readonly string[],
    targetIds: readonly string[],
  ): Promise<Link[]> {
    const { table, column } = LINKS[kind];
    return tx.query<Link>(
      `DELETE FROM ${table} l
        WHERE l.tenant_id = $1 AND l.document_id = ANY ($2::uuid[]) AND l.${column} = ANY ($3::uuid[])
        RETURNING l.document_id AS "documentId", l.${column} AS "targetId"`,
      [tx.tenantId, documentIds, targetIds],
    );
  }
}

function idsOf(rows: readonly { id: string }[]): Set<string> {
  return new Set(rows.map(({ id }) => id));
}
