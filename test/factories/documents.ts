import { Readable } from 'node:stream';
import { type Test } from 'supertest';
import { newId } from '../../src/common/identifier.js';
import { caseFold } from '../../src/common/text.js';
import { ContentStore } from '../../src/platform/content/content-store.js';
import { type Actor } from '../support/actor.js';
import { withRawBody } from '../support/raw-body.js';
import { type TestTenant } from '../support/tenant.js';

let count = 0;

/** Inserts a tag directly, without an audit entry. */
export async function saveTag(tenant: TestTenant, name?: string): Promise<{ id: string; name: string }> {
  const id = newId();
  count += 1;
  const given = name ?? `Tag ${count}`;
  await tenant.service.query('INSERT INTO tags (tenant_id, id, name, name_key) VALUES ($1, $2, $3, $4)', [
    tenant.id,
    id,
    given,
    caseFold(given),
  ]);
  return { id, name: given };
}

export interface DocumentOverrides {
  readonly id?: string;
  readonly title?: string;
  readonly status?: 'Processing' | 'Active' | 'Archived' | 'Deleted';
  readonly statusBeforeDeletion?: 'Active' | 'Archived';
  readonly fileIds?: readonly string[];
  /** Time of filing, ISO 8601; now by default. */
  readonly filedAt?: string;
  readonly tagIds?: readonly string[];
  /** Users on the access list, possibly none. Without this member, the document is not confidential. */
  readonly confidentialTo?: readonly Actor[];
}

/** Inserts a document without content directly, without audit entry and notification. */
export async function saveDocument(
  tenant: TestTenant,
  creator: Actor,
  overrides: DocumentOverrides = {},
): Promise<{ id: string; title: string }> {
  const { service } = tenant;
  count += 1;
  const {
    id = newId(),
    title = `Document ${count}`,
    status = 'Active',
    statusBeforeDeletion = 'Active',
  } = overrides;
  const { fileIds = [], filedAt = null, tagIds = [], confidentialTo } = overrides;
  await service.query(
    `INSERT INTO documents (tenant_id, id, title, status, status_before_deletion, deleted_at, is_confidential, created_by,
                            created_at, updated_at)
     VALUES ($1, $2, $3, $4, CASE WHEN $4 = 'Deleted' THEN $5 END, CASE WHEN $4 = 'Deleted' THEN now() END, $6, $7,
             now() - interval '1 hour', now() - interval '1 hour')`,
    [tenant.id, id, title, status, statusBeforeDeletion, confidentialTo !== undefined, creator.userId],
  );
  for (const fileId of fileIds) {
    await service.query(
      `INSERT INTO document_files (tenant_id, document_id, file_id, filed_at, created_at, file_type_id)
       SELECT d.tenant_id, d.id, f.id, coalesce($4, now()), d.created_at, f.file_type_id
         FROM documents d JOIN files f ON f.tenant_id = d.tenant_id
        WHERE d.tenant_id = $1 AND d.id = $2 AND f.id = $3`,
      [tenant.id, id, fileId, filedAt],
    );
  }
  for (const tagId of tagIds) {
    await service.query(
      `INSERT INTO document_tags (tenant_id, document_id, tag_id, created_at)
       SELECT d.tenant_id, d.id, $3::uuid, d.created_at FROM documents d WHERE d.tenant_id = $1 AND d.id = $2`,
      [tenant.id, id, tagId],
    );
  }
  await addToList(tenant, id, ...(confidentialTo ?? []));
  return { id, title };
}

/** SQL that adds user $3 to the access list of document $2 of tenant $1. */
export const ADD_TO_LIST = `
  INSERT INTO document_confidential_users (tenant_id, document_id, user_id, document_created_at)
  SELECT d.tenant_id, d.id, $3::uuid, d.created_at FROM documents d WHERE d.tenant_id = $1 AND d.id = $2`;

export async function addToList(
  { service, id: tenantId }: TestTenant,
  documentId: string,
  ...users: readonly { readonly userId: string }[]
): Promise<void> {
  for (const { userId } of users) await service.query(ADD_TO_LIST, [tenantId, documentId, userId]);
}

/** Sets the creation time (ISO 8601) of a document and of all copies, which foreign keys require to be equal. */
export async function setCreatedAt(tenant: TestTenant, id: string, createdAt: string): Promise<void> {
  const copies = ['document_values', 'document_tags', 'document_files', 'document_texts'];
  const moved = copies.map(
    (table) =>
      `${table}_moved AS (UPDATE ${table} SET created_at = $3 WHERE tenant_id = $1 AND document_id = $2)`,
  );
  moved.push(`document_confidential_users_moved AS (
    UPDATE document_confidential_users SET document_created_at = $3 WHERE tenant_id = $1 AND document_id = $2)`);
  await tenant.service.query(
    `WITH ${moved.join(', ')} UPDATE documents SET created_at = $3 WHERE tenant_id = $1 AND id = $2`,
    [tenant.id, id, createdAt],
  );
}

export interface Upload {
  readonly bytes: Buffer | string;
  readonly fileName?: string;
  readonly mediaType?: string;
}

/** `POST /documents` as a multipart form: the JSON part, then the file. */
export function upload(
  actor: Actor,
  document: object,
  { bytes, fileName = 'scan.pdf', mediaType = 'application/pdf' }: Upload,
): Test {
  return actor
    .post('/documents')
    .field('document', JSON.stringify(document))
    .attach('content', Buffer.from(bytes), { filename: fileName, contentType: mediaType });
}

export function putContent(
  actor: Actor,
  documentId: string,
  bytes: Buffer | string,
  { mediaType = 'text/plain', fileName }: { mediaType?: string; fileName?: string } = {},
): Test {
  const test = withRawBody(actor.put(`/documents/${documentId}/content`), Buffer.from(bytes), mediaType);
  return fileName === undefined
    ? test
    : test.set('Content-Disposition', `attachment; filename*=UTF-8''${encodeURIComponent(fileName)}`);
}

/** Adds a content to a document, directly in the database and the store; returns the version number. */
export async function saveVersion(
  tenant: TestTenant,
  creator: Actor,
  documentId: string,
  { bytes, fileName = 'scan.txt', mediaType = 'text/plain' }: Upload,
): Promise<number> {
  const { service } = tenant;
  const store = service.app.get(ContentStore);
  const received = await store.receive(Readable.from([Buffer.from(bytes)]), 1024 * 1024);
  await service.query(
    'INSERT INTO contents (tenant_id, sha256, size) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    [tenant.id, received.sha256, received.size],
  );
  await store.keep(tenant.id, received);
  const [version] = await service.query<{ number: number }>(
    `WITH document AS (
       UPDATE documents
          SET content_version = coalesce(content_version, 0) + 1, content_sha256 = $3, content_size = $4,
              content_file_name = $5, content_media_type = $6,
              content_text = CASE WHEN status = 'Processing' THEN 'Pending' ELSE 'None' END
        WHERE tenant_id = $1 AND id = $2 RETURNING content_version
     )
     INSERT INTO document_versions (tenant_id, document_id, number, content_sha256, size, file_name, claimed_media_type,
                                    media_type, created_by)
     SELECT $1, $2, content_version, $3, $4, $5, $6, $6, $7 FROM document RETURNING number`,
    [tenant.id, documentId, received.sha256, received.size, fileName, mediaType, creator.userId],
  );
  return version?.number ?? 0;
}
