import { newId } from '../../src/common/identifier.js';
import { type Decision } from '../../src/resources/disposals/disposal-file.entity.js';
import { type DisposalStatus } from '../../src/resources/disposals/disposal.entity.js';
import { type Actor } from '../support/actor.js';
import { type TestTenant } from '../support/tenant.js';
import { type FileOverrides, saveFile } from './files.js';

/** Inserts a file that was closed years ago, three by default. */
export async function saveClosedFile(
  tenant: TestTenant,
  actor: Actor,
  { years = 3, ...overrides }: FileOverrides & { readonly years?: number } = {},
): ReturnType<typeof saveFile> {
  const file = await saveFile(tenant, actor, { ...overrides, status: 'Closed' });
  await tenant.service.query(
    'UPDATE files SET closed_at = now() - make_interval(years => $3) WHERE tenant_id = $1 AND id = $2',
    [tenant.id, file.id, years],
  );
  return file;
}

export interface DisposalOverrides {
  readonly id?: string;
  readonly name?: string;
  readonly fileTypeId: string;
  readonly status?: DisposalStatus;
  readonly fileIds?: readonly string[];
  readonly decision?: Decision | null;
}

/** Inserts a disposal directly, without audit entries, under the current rule of the file type. */
export async function saveDisposal(
  tenant: TestTenant,
  { userId }: Actor,
  {
    id = newId(),
    name = 'Aussonderung 2026',
    fileTypeId,
    status = 'Draft',
    fileIds = [],
    decision = 'Destroy',
  }: DisposalOverrides,
): Promise<{ id: string; name: string }> {
  const { service } = tenant;
  const isSubmitted = status !== 'Draft';
  const isApproved = status === 'Approved' || status === 'Completed';
  await service.query(
    `INSERT INTO disposals (tenant_id, id, name, file_type_id, due_before, status, period, starts_at, disposition,
                            rule_changed_at, editors, created_by, created_at, submitted_by, submitted_at, approved_by,
                            approved_at, completed_at)
     SELECT $1, $2, $3, $4, '2026-01-01', $5, coalesce(r.period, 'P1Y'), coalesce(r.starts_at, 'Closing'),
            coalesce(r.disposition, 'Destroy'), coalesce(r.changed_at, now()), ARRAY[$6::uuid], $6,
            now() - interval '1 hour', CASE WHEN $7 THEN $6::uuid END, CASE WHEN $7 THEN now() END,
            CASE WHEN $8 THEN $6::uuid END, CASE WHEN $8 THEN now() END, CASE WHEN $5 = 'Completed' THEN now() END
       FROM (SELECT) x LEFT JOIN file_type_retentions r ON r.tenant_id = $1 AND r.file_type_id = $4`,
    [tenant.id, id, name, fileTypeId, status, userId, isSubmitted, isApproved],
  );
  await service.query(
    `INSERT INTO disposal_files (tenant_id, disposal_id, file_id, number, number_key, closed_at, decision, keep_until)
     SELECT f.tenant_id, $2::uuid, f.id, f.number, f.number_key, coalesce(f.closed_at, now()), $4,
            CASE WHEN $4 = 'Keep' THEN DATE '2099-12-31' END
       FROM files f WHERE f.tenant_id = $1 AND f.id = ANY ($3::uuid[])`,
    [tenant.id, id, fileIds, decision],
  );
  return { id, name };
}
