import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { v7 } from 'uuid';
import { NIL_ID, newId } from '../../../src/common/identifier.js';
import { EventHub } from '../../../src/platform/events/event-hub.js';
import { UnitOfWork } from '../../../src/platform/database/transactions/unit-of-work.js';
import { Metrics } from '../../../src/platform/http/server/metrics.js';
import { serviceContext } from '../../../src/platform/tenancy/access/access.directory.js';
import { SecondInstance } from '../../support/service/second-instance.js';
import { TestService } from '../../support/service/service.js';
import { type TestTenant } from '../../support/tenant.js';
import { waitUntil } from '../../support/wait-until.js';
import {
  entriesOf,
  eventsOf,
  firstSequences,
  queuedOf,
  recordTags,
  sequenced,
  sequencesOf,
} from './event-log.js';

describe('EventSequencer', () => {
  let service: TestService;
  let tenant: TestTenant;
  beforeAll(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    tenant = await service.tenant();
  });
  afterAll(() => service.stop());

  const record = (count: number, of = tenant, app = service.app) => recordTags(of, count, app);

  it('gives all audit entries a sequence, without gaps from 0, in the order of their commits', async () => {
    for (let i = 0; i < 5; i += 1) await record(3);
    const events = await sequenced(tenant);
    expect(sequencesOf(events)).toEqual(firstSequences(16));
    expect(events.map(({ type }) => type)).toEqual([
      'TenantCreated',
      ...Array<string>(15).fill('TagCreated'),
    ]);
    const entries = await entriesOf(tenant);
    expect(events.map(({ entry_id }) => entry_id).sort()).toEqual(entries.sort());
    const [head] = await service.query(
      'SELECT next_sequence::int AS next FROM event_logs WHERE tenant_id = $1',
      [tenant.id],
    );
    expect(head).toEqual({ next: 16 });
  });

  it('never changes a sequence, and gives later entries later ones', async () => {
    await record(2);
    const before = await sequenced(tenant);
    await record(2);
    const after = await sequenced(tenant);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after).toHaveLength(before.length + 2);
  });

  it('gives an entry of a transaction that commits late a later sequence', async () => {
    let finish!: () => void;
    const open = new Promise<void>((resolve) => (finish = resolve));
    const lateId = newId();
    const late = service.app.get(UnitOfWork).write(serviceContext(tenant.id), async (tx) => {
      tx.record({ action: 'TagDeleted', subjectId: lateId, summary: null });
      await tx.query('SELECT FROM tags WHERE tenant_id = $1', [tx.tenantId]);
      await open;
    });
    await record(3);
    const before = await sequenced(tenant);
    expect(before).toHaveLength(4);
    finish();
    await late;
    await waitUntil(async () => (await eventsOf(tenant)).length === 5);
    const after = await sequenced(tenant);
    expect(after.slice(0, 4)).toEqual(before);
    expect(after[4]).toMatchObject({ sequence: 4, type: 'TagDeleted' });
  });

  it('writes no event for a transaction that is rolled back', async () => {
    const failing = service.app.get(UnitOfWork).write(serviceContext(tenant.id), async (tx) => {
      tx.record({ action: 'TagCreated', subjectId: newId(), summary: null });
      await tx.query('SELECT 1/0');
    });
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    await record(1);
    expect(await sequenced(tenant)).toHaveLength(2);
  });

  const HOUR_MS = 3_600_000;

  /**
   * Queues an entry as a process did that ended a second ago: the owner's transactions wake no sequencer, and the next poll
   * takes it.
   */
  async function queueEntry(id: string, of = tenant): Promise<void> {
    const owner = new pg.Client({ connectionString: service.database.ownerUrl });
    await owner.connect();
    await owner.query('BEGIN');
    await owner.query(`SELECT set_config('app.tenant_id', $1, true)`, [of.id]);
    await owner.query(
      `INSERT INTO audit_entries (tenant_id, id, action, subject_type, subject_id) VALUES ($1, $2, 'TagCreated', 'Tag', $2)`,
      [of.id, id],
    );
    await owner.query(
      `INSERT INTO event_queue (tenant_id, entry_id, queued_at) VALUES ($1, $2, statement_timestamp() - interval '1 second')`,
      [of.id, id],
    );
    await owner.query('COMMIT');
    await owner.end();
  }

  it.each([
    ['right', 0],
    ['two hours ahead', 2],
    ['two hours behind', -2],
  ])(
    'gives entries of a process that ended at once a sequence, whose clock was %s',
    async (_clock, hours) => {
      // Otherwise the first event, which is younger, could follow.
      await sequenced(tenant);
      const id = v7({ msecs: Date.now() + hours * HOUR_MS });
      await queueEntry(id);
      await waitUntil(async () => (await eventsOf(tenant)).at(-1)?.entry_id === id);
    },
  );

  it('orders entries by the clock of the database, not by those of the processes', async () => {
    await sequenced(tenant);
    const owner = new pg.Client({ connectionString: service.database.ownerUrl });
    await owner.connect();
    await owner.query('BEGIN');
    await owner.query(`SELECT set_config('app.tenant_id', $1, true)`, [tenant.id]);
    await owner.query('SELECT FROM event_logs WHERE tenant_id = $1 FOR UPDATE', [tenant.id]);
    const ids = [2, 0, -2].map((hours) => v7({ msecs: Date.now() + hours * HOUR_MS }));
    for (const id of ids) await queueEntry(id);
    await owner.query('ROLLBACK');
    await owner.end();
    await waitUntil(async () => (await eventsOf(tenant)).length === 1 + ids.length);
    expect((await eventsOf(tenant)).slice(1).map(({ entry_id }) => entry_id)).toEqual(ids);
  });

  it('creates the log of a tenant without one', async () => {
    await sequenced(tenant);
    await service.query('DELETE FROM event_logs WHERE tenant_id = $1', [tenant.id]);
    await service.query('DELETE FROM events WHERE tenant_id = $1', [tenant.id]);
    await record(1);
    await waitUntil(async () => (await eventsOf(tenant)).length === 1);
    expect(sequencesOf(await eventsOf(tenant))).toEqual([0]);
  });

  it('works on other tenants while one fails, and repeats that one', async () => {
    const failing = await service.tenant();
    await sequenced(failing);
    await service.query(
      `INSERT INTO events (tenant_id, sequence, entry_id, type) VALUES ($1, 1, $2, 'TagCreated')`,
      [failing.id, newId()],
    );
    await record(1, failing);
    await record(1);
    expect(await sequenced(tenant)).toHaveLength(2);
    expect(await queuedOf(failing)).toHaveLength(1);
    await service.query('DELETE FROM events WHERE tenant_id = $1 AND sequence = 1', [failing.id]);
    expect(sequencesOf(await sequenced(failing))).toEqual([0, 1]);
  });

  describe('while another transaction has locked a log', () => {
    let locked: TestTenant;
    let owner: pg.Client;
    beforeEach(async () => {
      locked = await service.tenant();
      await sequenced(locked);
      owner = new pg.Client({ connectionString: service.database.ownerUrl });
      await owner.connect();
      await owner.query('BEGIN');
      await owner.query(`SELECT set_config('app.tenant_id', $1, true)`, [locked.id]);
      await owner.query('SELECT FROM event_logs WHERE tenant_id = $1 FOR UPDATE', [locked.id]);
      await queueEntry(v7({ msecs: Date.now() + 2 * HOUR_MS }), locked);
    });
    afterEach(() => owner.end());

    it('works on other tenants, and continues after the lock is released', async () => {
      await record(1);
      expect(await sequenced(tenant)).toHaveLength(2);
      expect(await queuedOf(locked)).toHaveLength(1);
      await owner.query('ROLLBACK');
      expect(await sequenced(locked)).toHaveLength(2);
    });

    it('reports number and age of the waiting entries in the metrics', async () => {
      const metric = async (name: string) => {
        const text = await service.app.get(Metrics).registry.getSingleMetricAsString(name);
        return Number(/^\w+ ([\d.]+)$/m.exec(text)?.[1]);
      };
      await waitUntil(
        async () => (await metric('events_waiting')) > 0 && (await metric('events_waiting_seconds')) > 0.1,
      );
      await owner.query('ROLLBACK');
      await waitUntil(async () => (await metric('events_waiting')) === 0);
      expect(await metric('events_waiting_seconds')).toBe(0);
    });
  });

  describe('with entries from before the event log', () => {
    const OLD = 2500;

    /** As the migration leaves a tenant. Every tenth entry has the time of the next one. */
    async function makeOld(of: TestTenant): Promise<void> {
      await sequenced(of);
      await service.query('DELETE FROM events WHERE tenant_id = $1', [of.id]);
      await service.query('UPDATE event_logs SET next_sequence = 0 WHERE tenant_id = $1', [of.id]);
      await service.query(
        `INSERT INTO audit_entries (tenant_id, id, occurred_at, action, subject_type, subject_id)
         SELECT $1, gen_random_uuid(), timestamptz '2026-01-01Z' + (n - (n % 10) / 9) * interval '1 second',
                'TagRenamed', 'Tag', gen_random_uuid()
           FROM generate_series(1, $2) n`,
        [of.id, OLD],
      );
      await service.query('INSERT INTO event_queue (tenant_id, entry_id) VALUES ($1, $2)', [of.id, NIL_ID]);
    }

    it('gives these their sequences first, in the order of time and id, and removes the mark', async () => {
      await makeOld(tenant);
      await Promise.all(Array.from({ length: 10 }, () => record(2)));
      const events = await sequenced(tenant);
      const entries = await entriesOf(tenant);
      expect(sequencesOf(events)).toEqual(firstSequences(OLD + 21));
      // Without the TenantCreated entry, which is newer than the old ones here.
      expect(events.slice(0, OLD).map(({ entry_id }) => entry_id)).toEqual(entries.slice(0, OLD));
      expect(events.map(({ entry_id }) => entry_id).sort()).toEqual(entries.sort());
      expect(await queuedOf(tenant)).toEqual([]);
    });

    it('works on other tenants meanwhile', async () => {
      const others = await Promise.all(Array.from({ length: 5 }, () => service.tenant()));
      await Promise.all(others.map(makeOld));
      await record(1);
      expect(await sequenced(tenant)).toHaveLength(2);
      for (const other of others)
        expect(sequencesOf(await sequenced(other))).toEqual(firstSequences(OLD + 1));
    });
  });

  describe('in two instances', () => {
    let other: SecondInstance;
    beforeAll(async () => {
      other = await SecondInstance.start(service);
    });
    afterAll(() => other.stop());

    it('gives each entry of the same tenants exactly one sequence', async () => {
      const tenants = [tenant, ...(await Promise.all([service.tenant(), service.tenant()]))];
      const perTenant = 60;
      await Promise.all(
        tenants.flatMap((of) =>
          Array.from({ length: perTenant }, (_, index) =>
            record(1 + (index % 3), of, index % 2 ? service.app : other.app),
          ),
        ),
      );
      for (const of of tenants) {
        const events = await sequenced(of);
        expect(sequencesOf(events)).toEqual(firstSequences(1 + perTenant * 2));
        expect(events.map(({ entry_id }) => entry_id).sort()).toEqual((await entriesOf(of)).sort());
      }
    });

    it('tells the listeners of every instance about the tenant whose log has grown', async () => {
      const told = [new Set<string>(), new Set<string>()];
      for (const [index, app] of [service.app, other.app].entries())
        app.get(EventHub).onAdvance((tenantId) => told[index]?.add(tenantId));
      // Until both listen, notifications are lost.
      await waitUntil(async () => {
        await record(1);
        return told.every((tenantIds) => tenantIds.has(tenant.id));
      });
    });

    it('tells the listeners for own events in the process that has added them, once', async () => {
      const told: string[] = [];
      const toldElsewhere: string[] = [];
      const ownElsewhere: string[] = [];
      service.app.get(EventHub).onOwnAdvance((tenantId) => told.push(tenantId));
      other.app.get(EventHub).onOwnAdvance((tenantId) => ownElsewhere.push(tenantId));
      other.app.get(EventHub).onAdvance((tenantId) => toldElsewhere.push(tenantId));
      const announced: string[] = [];
      await waitUntil(async () => {
        const id = newId();
        announced.push(id);
        await service.app.get(EventHub).announce([id]);
        return announced.some((one) => toldElsewhere.includes(one));
      });
      expect(told.filter((id) => announced.includes(id))).toEqual(announced);
      expect(ownElsewhere.filter((id) => announced.includes(id))).toEqual([]);
    });
  });
});
