import { Injectable } from '@nestjs/common';
import { type TenantTransaction } from '../database/tenant-transaction.js';
import { type Caller } from '../tenancy/caller.js';
import { Values, grantedFiles, visibleFiles } from '../tenancy/visibility.js';

/** A file that a document is, or is to be, filed in. */
export interface TargetFile {
  readonly id: string;
  readonly number: string;
  readonly name: string;
  readonly status: 'Open' | 'Closed';
  /** By a Write grant of the caller, whatever the role allows. */
  readonly isCovered: boolean;
}

export interface TargetTag {
  readonly id: string;
  readonly name: string;
}

/**
 * What links documents to files and tags. Locks are taken in one order everywhere, so that nobody waits in a circle:
 * the document, then its type, then tags by id, then files by id, then the content.
 */
@Injectable()
export class DocumentLinksRepository {
  /**
   * The files among `ids` that the caller sees, as they are once nobody can close, rename or delete them until the
   * commit. A share lock is enough, and lets others file into them meanwhile; looking is a statement of its own,
   * because one that waited for a lock would go on with what it had read before.
   */
  async lockFiles(tx: TenantTransaction, caller: Caller, ids: readonly string[]): Promise<TargetFile[]> {
    if (ids.length === 0) return [];
    const values = new Values(tx.tenantId, ids);
    const isCovered = grantedFiles(caller, 'f', values.bind, 'Write');
    const visible = visibleFiles(caller, 'f', values.bind);
    const [, files] = await tx.queryAll([
      {
        text: 'SELECT FROM files f WHERE f.tenant_id = $1 AND f.id = ANY ($2::uuid[]) ORDER BY f.id FOR SHARE',
        values: [tx.tenantId, ids],
      },
      {
        text: `SELECT f.id, f.number, f.name, f.status, ${isCovered} AS "isCovered"
                 FROM files f WHERE f.tenant_id = $1 AND f.id = ANY ($2::uuid[]) AND ${visible} ORDER BY f.id`,
        values: values.list,
      },
    ]);
    return (files ?? []) as unknown as TargetFile[];
  }

  /** Whether the document, locked by now, is in a Closed file; none of its files can be closed until the commit. */
  async isInClosedFile(tx: TenantTransaction, documentId: string): Promise<boolean> {
    const filed = `f.id IN (SELECT df.file_id FROM document_files df WHERE df.tenant_id = $1 AND df.document_id = $2)`;
    const values = [tx.tenantId, documentId];
    const [, closed] = await tx.queryAll([
      {
        text: `SELECT FROM files f WHERE f.tenant_id = $1 AND ${filed} ORDER BY f.id FOR SHARE OF f`,
        values,
      },
      {
        text: `SELECT FROM files f WHERE f.tenant_id = $1 AND ${filed} AND f.status = 'Closed' LIMIT 1`,
        values,
      },
    ]);
    return (closed ?? []).length > 0;
  }

  /** Files the document; the number of links that were not there before. */
  async addFiles(tx: TenantTransaction, documentId: string, fileIds: readonly string[]): Promise<number> {
    if (fileIds.length === 0) return 0;
    const added = await tx.query(
      `INSERT INTO document_files (tenant_id, document_id, file_id, created_at, file_type_id)
       SELECT $1, d.id, f.id, d.created_at, f.file_type_id
         FROM documents d, files f
        WHERE d.tenant_id = $1 AND d.id = $2 AND f.tenant_id = $1 AND f.id = ANY ($3::uuid[])
       ON CONFLICT (tenant_id, document_id, file_id) DO NOTHING RETURNING file_id`,
      [tx.tenantId, documentId, fileIds],
    );
    return added.length;
  }

  async removeFile(tx: TenantTransaction, documentId: string, fileId: string): Promise<void> {
    await tx.query('DELETE FROM document_files WHERE tenant_id = $1 AND document_id = $2 AND file_id = $3', [
      tx.tenantId,
      documentId,
      fileId,
    ]);
  }

  /** The tags among `ids` that are there, and stay there until the commit. */
  async lockTags(tx: TenantTransaction, ids: readonly string[]): Promise<TargetTag[]> {
    if (ids.length === 0) return [];
    return tx.query<TargetTag>(
      `SELECT t.id, t.name FROM tags t
        WHERE t.tenant_id = $1 AND t.id = ANY ($2::uuid[]) ORDER BY t.id FOR KEY SHARE`,
      [tx.tenantId, ids],
    );
  }

  async addTags(tx: TenantTransaction, documentId: string, tagIds: readonly string[]): Promise<void> {
    if (tagIds.length === 0) return;
    await tx.query(
      `INSERT INTO document_tags (tenant_id, document_id, tag_id, created_at)
       SELECT $1, d.id, t.id, d.created_at
         FROM documents d, unnest($3::uuid[]) AS t (id) WHERE d.tenant_id = $1 AND d.id = $2`,
      [tx.tenantId, documentId, tagIds],
    );
  }

  async removeTag(tx: TenantTransaction, documentId: string, tagId: string): Promise<void> {
    await tx.query('DELETE FROM document_tags WHERE tenant_id = $1 AND document_id = $2 AND tag_id = $3', [
      tx.tenantId,
      documentId,
      tagId,
    ]);
  }
}
