import { Readable } from 'node:stream';
import { newId } from '../../src/common/identifier.js';
import { ContentStore } from '../../src/platform/content/content-store.js';
import { type Actor } from '../support/actor.js';
import { type TestTenant } from '../support/tenant.js';

export interface ExportOverrides {
  readonly name?: string;
  readonly status?: 'Pending' | 'Running' | 'Ready' | 'Failed' | 'Expired';
  /** Bytes of a ready export. */
  readonly bytes?: string | Buffer;
  readonly documentIds?: readonly string[];
  readonly fileIds?: readonly string[];
}

/** Inserts an export directly, without a job. By default it is ready, and its package has no documents. */
export async function saveExport(
  tenant: TestTenant,
  { userId }: Actor,
  {
    name = 'Export',
    status = 'Ready',
    bytes = newId(),
    documentIds = [],
    fileIds = [],
  }: ExportOverrides = {},
): Promise<{ id: string; sha256: string }> {
  const { service } = tenant;
  const id = newId();
  const store = service.app.get(ContentStore);
  const isReady = status === 'Ready';
  const received = await store.receive(Readable.from([Buffer.from(bytes)]), 1024 * 1024);
  if (isReady) {
    await service.query(
      'INSERT INTO contents (tenant_id, sha256, size) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      [tenant.id, received.sha256, received.size],
    );
    await store.keep(tenant.id, received);
  } else await store.discard(received);
  await service.query(
    `INSERT INTO exports (tenant_id, id, name, scope, status, document_count, run_id, content_sha256, size, failure,
                          created_by, created_at, expires_at)
     VALUES ($1, $2, $3, '{"all": true}', $4, $5, $6, $7, $8, $9, $10, clock_timestamp() - interval '1 hour',
             CASE WHEN $4 IN ('Ready', 'Expired') THEN now() + interval '47 hours' END)`,
    [
      tenant.id,
      id,
      name,
      status,
      documentIds.length,
      status === 'Running' ? newId() : null,
      isReady ? received.sha256 : null,
      isReady ? received.size : null,
      status === 'Failed' ? 'ServiceError' : null,
      userId,
    ],
  );
  await service.query(
    `INSERT INTO export_items (tenant_id, export_id, item_id, is_file)
     SELECT $1::uuid, $2::uuid, unnest($3::uuid[]), false
      UNION ALL SELECT $1::uuid, $2::uuid, unnest($4::uuid[]), true`,
    [tenant.id, id, documentIds, fileIds],
  );
  return { id, sha256: received.sha256 };
}
