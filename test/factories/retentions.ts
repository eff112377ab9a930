import {
  type Disposition,
  type RetentionStart,
} from '../../src/resources/retention/file-type-retention.entity.js';
import { type TestTenant } from '../support/tenant.js';

/** Sets the retention rule of a file type directly, without an audit entry. */
export async function saveRetention(
  tenant: TestTenant,
  fileTypeId: string,
  period: string | null,
  startsAt: RetentionStart = 'Closing',
  disposition: Disposition = 'Destroy',
): Promise<void> {
  await tenant.service.query(
    `INSERT INTO file_type_retentions (tenant_id, file_type_id, period, starts_at, disposition)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (tenant_id, file_type_id) DO UPDATE SET period = $3, starts_at = $4, disposition = $5`,
    [tenant.id, fileTypeId, period, startsAt, disposition],
  );
}
