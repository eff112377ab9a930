import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type EventResponse } from '../../../../src/platform/events/event.dto.js';
import { DailyCheckpoint } from '../../../../src/resources/audit-log/evidence/daily-checkpoint.js';
import { recordTags } from '../../../platform/events/event-log.js';
import { type Actor } from '../../../support/actor.js';
import { TestService } from '../../../support/service/service.js';
import { type TestTenant } from '../../../support/tenant.js';
import { opened, signDaily, treeComplete } from './evidence-fixture.js';

describe('DailyCheckpoint', () => {
  let service: TestService;
  let tenant: TestTenant;
  let auditor: Actor;

  // Its tasks run for all tenants.
  beforeAll(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    tenant = await service.tenant();
    auditor = await tenant.as('auditor');
    await treeComplete(tenant);
  });
  afterAll(() => service.stop());

  const stored = async () => {
    const rows = await tenant.query<{ size: number }>(
      'SELECT size::int AS size FROM audit_checkpoints WHERE tenant_id = $1 ORDER BY created_at, id',
    );
    return rows.map(({ size }) => size);
  };

  it('signs and records one on the day after the last one', async () => {
    await service.app.get(DailyCheckpoint).signDue();
    expect(await stored()).toEqual([]);
    await signDaily(tenant);
    await service.app.get(DailyCheckpoint).signDue();
    expect(await stored()).toEqual([1]);
    const { items } = (await auditor.get('/audit-log/checkpoints').expect(200)).body as {
      items: { id: string; checkpoint: string }[];
    };
    const { root } = await opened(auditor, items[0]!.checkpoint);
    expect(await tenant.audit()).toEqual([
      {
        ...{
          actor_id: null,
          actor_name: null,
          action: 'AuditCheckpointSigned',
          subject_type: 'AuditCheckpoint',
        },
        ...{ subject_id: items[0]!.id, summary: `1 ${root.toString('base64')}` },
      },
    ]);
  });

  it('signs none while nothing but its own entry was recorded', async () => {
    await signDaily(tenant);
    await treeComplete(tenant);
    await signDaily(tenant);
    expect(await stored()).toEqual([1]);
    await recordTags(tenant);
    await treeComplete(tenant);
    await signDaily(tenant);
    expect(await stored()).toEqual([1, 3]);
  });

  it('decides by midnight in TIME_ZONE', async () => {
    const elsewhere = await TestService.start({ TIME_ZONE: 'Pacific/Kiritimati' }, service);
    try {
      const { app } = elsewhere;
      const since = (offset: string) =>
        tenant.query(
          `UPDATE audit_trees SET checkpoint_at = date_trunc('day', now(), 'Pacific/Kiritimati') + $2::interval
            WHERE tenant_id = $1`,
          offset,
        );
      await since('0 ms');
      await app.get(DailyCheckpoint).signDue();
      expect(await stored()).toEqual([]);
      await since('-1 ms');
      await app.get(DailyCheckpoint).signDue();
      expect(await stored()).toEqual([1]);
    } finally {
      await elsewhere.stop();
    }
  });

  it('has an event with the checkpoint, which other events do not have', async () => {
    await signDaily(tenant);
    await treeComplete(tenant);
    const { items } = (await auditor.get('/events').expect(200)).body as { items: EventResponse[] };
    expect(items.map((event) => [event.type, 'checkpoint' in event])).toEqual([
      ['TenantCreated', false],
      ['AuditCheckpointSigned', true],
    ]);
    expect(await opened(auditor, items[1]!.checkpoint!)).toMatchObject({ size: 1 });
  });

  it('signs none in production without a key', async () => {
    const production = await TestService.start({ NODE_ENV: 'production' }, service);
    try {
      const context = tenant.id;
      await service.query(
        `UPDATE audit_trees SET checkpoint_at = now() - interval '24 hours 1 minute' WHERE tenant_id = $1`,
        [context],
      );
      await expect(production.app.get(DailyCheckpoint).signDue()).rejects.toMatchObject({
        code: 'evidence.no-key',
      });
      expect(await stored()).toEqual([]);
    } finally {
      await production.stop();
    }
  });
});
