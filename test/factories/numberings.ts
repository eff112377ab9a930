import { type TestTenant } from '../support/tenant.js';

/** Sets the pattern of a file type directly, without an audit entry. */
export async function saveNumbering(tenant: TestTenant, fileTypeId: string, pattern: string): Promise<void> {
  await tenant.service.query(
    `INSERT INTO file_type_numberings (tenant_id, file_type_id, pattern) VALUES ($1, $2, $3)`,
    [tenant.id, fileTypeId, pattern],
  );
}
