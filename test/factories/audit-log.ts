import { newId } from '../../src/common/identifier.js';
import { TreeBuilder } from '../../src/resources/audit-log/evidence/tree/tree-builder.js';
import { sequenced } from '../platform/events/event-log.js';
import { type TestTenant } from '../support/tenant.js';
import { waitUntil } from '../support/wait-until.js';

/** Inserts two daily checkpoints. */
export async function saveCheckpoints({ service, id }: TestTenant): Promise<void> {
  await service.query(
    `INSERT INTO audit_checkpoints (tenant_id, id, size, note) SELECT $1, c.id, 1, 'note' FROM unnest($2::uuid[]) AS c (id)`,
    [id, [newId(), newId()]],
  );
}

/** Waits until the first audit entry has a leaf. Returns its id. */
export async function entryWithLeaf(tenant: TestTenant): Promise<string> {
  const { service, id, slug } = tenant;
  await sequenced(tenant);
  // At once, not after the time in which the service collects events.
  await service.app.get(TreeBuilder).complete(id);
  let entryId: string | undefined;
  await waitUntil(async () => {
    const [row] = await service.query<{ id: string }>(
      `SELECT v.entry_id AS id FROM events v JOIN audit_trees t ON t.tenant_id = v.tenant_id
        WHERE v.tenant_id = $1 AND v.sequence = 0 AND t.size > 0`,
      [id],
    );
    entryId = row?.id;
    return entryId !== undefined;
  }, `the first leaf of the tenant ${slug}`);
  return entryId ?? '';
}
