import { beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '../../../../src/common/identifier.js';
import { type AuditCheckpointResponse } from '../../../../src/resources/audit-log/evidence/evidence.dto.js';
import { type Actor } from '../../../support/actor.js';
import { pagedList } from '../../../support/operations/paged-list.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';
import { opened, signDaily, treeComplete } from './evidence-fixture.js';

describe('ListAuditCheckpoints', () => {
  let tenant: TestTenant;
  let auditor: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    auditor = await tenant.as('auditor');
  });

  describe('as a paged list', () => {
    pagedList({
      actor: () => auditor,
      other: () => tenant.as('auditor'),
      path: '/audit-log/checkpoints',
      otherPath: '/audit-log',
      async fill({ id }, count) {
        const ids = Array.from({ length: count }, newId);
        // Pairs have the same time.
        await service.query(
          `INSERT INTO audit_checkpoints (tenant_id, id, size, note, created_at)
           SELECT $1, c.id, c.n, 'note', now() + c.n / 2 * interval '1 minute'
             FROM unnest($2::uuid[]) WITH ORDINALITY AS c (id, n)`,
          [id, ids],
        );
        const rows = await service.query<{ id: string }>(
          'SELECT id FROM audit_checkpoints WHERE tenant_id = $1 ORDER BY created_at DESC, id DESC',
          [id],
        );
        return rows.map((row) => row.id);
      },
    });
  });

  it('returns 200 with the checkpoints, newest first', async () => {
    await treeComplete(tenant);
    await signDaily(tenant);
    await auditor.get('/audit-log/checkpoint').expect(200);
    await (await tenant.as('administrator')).post('/tags', { name: 'Bau' }).expect(201);
    await treeComplete(tenant);
    await signDaily(tenant);
    const { items } = (await auditor.get('/audit-log/checkpoints').expect(200)).body as {
      items: AuditCheckpointResponse[];
    };
    expect(items).toEqual([
      { id: expect.any(String), size: 3, checkpoint: expect.any(String), createdAt: expect.any(String) },
      { id: expect.any(String), size: 1, checkpoint: expect.any(String), createdAt: expect.any(String) },
    ]);
    for (const { size, checkpoint } of items)
      expect(await opened(auditor, checkpoint)).toMatchObject({ size });
  });
});
