import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Metrics } from '../../../../src/platform/http/server/metrics.js';
import { TreeBuilder } from '../../../../src/resources/audit-log/evidence/tree/tree-builder.js';
import { recordTags, sequenced } from '../../../platform/events/event-log.js';
import { type Actor } from '../../../support/actor.js';
import { SecondInstance } from '../../../support/service/second-instance.js';
import { TestService } from '../../../support/service/service.js';
import { type TestTenant } from '../../../support/tenant.js';
import { waitUntil } from '../../../support/wait-until.js';
import { exported, treeComplete, verified } from './evidence-fixture.js';

describe('TreeBuilder', () => {
  let service: TestService;
  let instance: SecondInstance;
  let tenant: TestTenant;
  let auditor: Actor;

  beforeAll(async () => {
    service = await TestService.start();
    instance = await SecondInstance.start(service);
  });
  afterAll(async () => {
    await instance?.stop();
    await service?.stop();
  });
  beforeEach(async () => {
    tenant = await service.tenant();
    auditor = await tenant.as('auditor');
    await treeComplete(tenant);
  });

  const builders = () => [service.app, instance.app].map((app) => app.get(TreeBuilder));

  /** The verifier accepts the export, which has this number of entries. */
  async function expectEntries(count: number): Promise<void> {
    expect(await verified(auditor)).toEqual([]);
    const lines = (await exported(auditor)).slice(1, -1).map((line) => JSON.parse(line) as object);
    expect(lines).toMatchObject(Array.from({ length: count }, (_, sequence) => ({ sequence })));
  }

  it('adds each entry once while two instances record and build', async () => {
    for (let round = 0; round < 10; round += 1) {
      await Promise.all([
        recordTags(tenant, 60),
        recordTags(tenant, 70, instance.app),
        ...builders().map((builder) => builder.completeAll()),
      ]);
    }
    await treeComplete(tenant);
    await expectEntries(1 + 10 * 130);
  });

  it('adds entries from before the tree, in several batches', async () => {
    await recordTags(tenant, 2600);
    await treeComplete(tenant);
    for (const statement of [
      'DELETE FROM audit_leaves WHERE tenant_id = $1',
      'DELETE FROM audit_tiles WHERE tenant_id = $1',
      'DELETE FROM audit_trees WHERE tenant_id = $1',
    ])
      await tenant.query(statement);
    await Promise.all(builders().map((builder) => builder.completeAll()));
    await treeComplete(tenant);
    await expectEntries(2601);
  });

  it('reports an entry that was deleted before it had a leaf, and continues when it is restored', async () => {
    const missing = async () => {
      const text = await service.app
        .get(Metrics)
        .registry.getSingleMetricAsString('audit_entries_missing_total');
      return Number(/^audit_entries_missing_total (\d+)$/m.exec(text)?.[1]);
    };
    const owner = await service.owner.connect();
    try {
      await owner.query('BEGIN');
      await owner.query('SELECT FROM audit_trees WHERE tenant_id = $1 FOR UPDATE', [tenant.id]);
      await recordTags(tenant, 2);
      const [, event] = await sequenced(tenant);
      const entry = [tenant.id, event!.entry_id];
      const kept = await service.query('SELECT * FROM audit_entries WHERE tenant_id = $1 AND id = $2', entry);
      await owner.query('DELETE FROM audit_entries WHERE tenant_id = $1 AND id = $2', entry);
      await owner.query('COMMIT');
      await waitUntil(async () => (await missing()) > 0, 'the metric');
      expect((await exported(auditor)).length).toBe(1 + 2);
      await owner.query(
        'INSERT INTO audit_entries SELECT * FROM jsonb_populate_record(NULL::audit_entries, $1::jsonb)',
        [JSON.stringify(kept[0])],
      );
    } finally {
      await owner.query('ROLLBACK');
      owner.release();
    }
    await service.app.get(TreeBuilder).completeAll();
    await treeComplete(tenant);
    await expectEntries(3);
  });
});
