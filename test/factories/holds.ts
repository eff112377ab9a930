import { newId } from '../../src/common/identifier.js';
import { type Actor } from '../support/actor.js';
import { type TestTenant } from '../support/tenant.js';

export interface HoldOverrides {
  readonly id?: string;
  readonly name?: string;
  readonly reason?: string;
  readonly isReleased?: boolean;
  readonly fileIds?: readonly string[];
  readonly documentIds?: readonly string[];
}

/** Inserts a hold with its items directly, without audit entries. It was created an hour ago. */
export async function saveHold(
  tenant: TestTenant,
  { userId }: Actor,
  {
    id = newId(),
    name = 'Rechtsstreit',
    reason = 'Klage',
    isReleased = false,
    fileIds = [],
    documentIds = [],
  }: HoldOverrides = {},
): Promise<{ id: string }> {
  const { service } = tenant;
  await service.query(
    `INSERT INTO holds (tenant_id, id, name, reason, status, released_at, created_by, created_at)
     VALUES ($1, $2, $3, $4, CASE WHEN $5 THEN 'Released' ELSE 'Active' END, CASE WHEN $5 THEN now() END, $6,
             now() - interval '1 hour')`,
    [tenant.id, id, name, reason, isReleased, userId],
  );
  for (const [table, column, ids] of [
    ['hold_files', 'file_id', fileIds],
    ['hold_documents', 'document_id', documentIds],
  ] as const) {
    await service.query(
      `INSERT INTO ${table} (tenant_id, hold_id, ${column}, added_by)
       SELECT $1::uuid, $2::uuid, s.id, $4::uuid FROM unnest($3::uuid[]) AS s (id)`,
      [tenant.id, id, ids, userId],
    );
  }
  return { id };
}

/** Releases a hold directly. */
export async function releaseHold(tenant: TestTenant, id: string): Promise<void> {
  await tenant.service.query(
    `UPDATE holds SET status = 'Released', released_at = now() WHERE tenant_id = $1 AND id = $2`,
    [tenant.id, id],
  );
}
