import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Metrics } from '../../../src/platform/http/server/metrics.js';
import { saveFile, saveFileType } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { TcpProxy } from '../../support/servers/tcp-proxy.js';
import { TestTenant } from '../../support/tenant.js';
import { waitUntil } from '../../support/wait-until.js';
import { ReplicatedDatabase, type RunningService } from './replicated-database.js';

/** Longer than a test may take, so that no other time limit ends a request to a replica. */
const NO_LIMIT = { DATABASE_STATEMENT_TIMEOUT_MS: '3600000' };

describe('A service whose read replica fails', () => {
  let database: ReplicatedDatabase;
  let main: RunningService;
  let tenant: TestTenant;
  let clerk: Actor;
  const files: string[] = [];
  const proxies: TcpProxy[] = [];

  beforeAll(async () => {
    database = await ReplicatedDatabase.start();
    main = await database.service([]);
    tenant = await main.service.tenant();
    clerk = await tenant.as('administrator');
    const { id: fileTypeId } = await saveFileType(tenant);
    for (let i = 0; i < 3; i += 1) files.unshift((await saveFile(tenant, clerk, { fileTypeId })).id);
  });
  afterAll(async () => {
    await database.stop();
    for (const proxy of proxies) await proxy.stop();
  });

  /** The clerk, as a caller of a service. */
  const on = ({ service }: RunningService) => clerk.inTenant(new TestTenant(service, tenant.id, tenant.slug));
  const list = async (running: RunningService): Promise<void> => {
    const response = await on(running).get('/files');
    expect(response.status).toBe(200);
    expect((response.body as { items: { id: string }[] }).items.map(({ id }) => id)).toEqual(files);
  };
  const isReady = async ({ service }: RunningService) => (await fetch(`${service.url}/readyz`)).status;
  const gauge = async ({ service }: RunningService, name: string) => {
    const metric = (await service.app.get(Metrics).registry.getMetricsAsJSON()).find(
      (each) => each.name === name,
    );
    return metric?.values.map(({ value }) => value);
  };

  it('answers from the primary while the replica is down, and from the replica afterwards', async () => {
    const replica = await database.replica();
    const running = await database.service([replica.url]);
    await running.fromReplica(() => list(running));
    const load = Promise.all(Array.from({ length: 50 }, () => list(running)));
    await replica.server.interrupt();
    await load;
    const { answered } = await running.counting(() => list(running));
    expect(answered).toBe(0);
    await running.waitForChange('unreachable');
    expect((await running.counting(() => list(running))).reasons).toEqual({ unavailable: 1 });
    expect(await isReady(running)).toBe(200);
    expect(await gauge(running, 'database_replica_ready')).toEqual([0]);
    expect(await gauge(running, 'database_replica_lag_bytes')).toEqual([]);
    await replica.server.resume();
    await running.fromReplica(() => list(running));
    expect(running.changes).toEqual(['ready', 'unreachable', 'ready']);
    expect(await gauge(running, 'database_replica_ready')).toEqual([1]);
  });

  it('stops waiting for a replica that hangs', async () => {
    const replica = await database.replica();
    const { proxy, url } = await TcpProxy.start(replica.url);
    proxies.push(proxy);
    const running = await database.service([url], NO_LIMIT);
    await running.fromReplica(() => list(running));
    proxy.stopForwarding();
    const { answered, reasons } = await running.counting(() =>
      Promise.all(Array.from({ length: 20 }, () => list(running))),
    );
    expect(answered).toBe(0);
    expect(Object.values(reasons).reduce((sum, count) => sum + count)).toBe(20);
    await running.waitForChange('unreachable');
    expect((await running.counting(() => list(running))).reasons).toEqual({ unavailable: 1 });
    proxy.resumeForwarding();
    await running.fromReplica(() => list(running));
    expect(running.changes).toEqual(['ready', 'unreachable', 'ready']);
  });

  it('uses the other replica while one is down', async () => {
    const [down, up] = [await database.replica(), await database.replica()];
    const running = await database.service([down.url, up.url]);
    await running.waitForChange('ready', 2);
    await down.server.interrupt();
    await running.waitForChange('unreachable');
    for (let i = 0; i < 4; i += 1) await running.fromReplica(() => list(running));
    const { result, answered } = await running.counting(() => Promise.all([list(running), list(running)]));
    expect([result.length, answered]).toEqual([2, 2]);
  });

  it('does not use a replica that is promoted', async () => {
    const replica = await database.replica();
    const running = await database.service([replica.url]);
    await running.fromReplica(() => list(running));
    await replica.server.runAsSuperuser('SELECT pg_promote()');
    const { id } = await saveFile(tenant, clerk);
    files.unshift(id);
    const { answered } = await running.counting(() => list(running));
    expect(answered).toBe(0);
    await running.waitForChange('promoted');
    expect(await isReady(running)).toBe(200);
  });

  it('does not use a replica with a wrong clock', async () => {
    // The schema hides the function of PostgreSQL from the service role, differently on the replica.
    await main.service.query(`CREATE SCHEMA shifted`);
    await main.service.query(
      `CREATE FUNCTION shifted.clock_timestamp() RETURNS timestamptz VOLATILE LANGUAGE sql AS
         $$ SELECT pg_catalog.clock_timestamp() - CASE WHEN pg_is_in_recovery() THEN interval '5 s' ELSE interval '0' END $$`,
    );
    await main.service.query('GRANT USAGE ON SCHEMA shifted TO filing_service');
    await main.service.query('ALTER ROLE filing_service SET search_path = shifted, pg_catalog, public');
    try {
      const replica = await database.replica();
      const running = await database.service([replica.url]);
      await running.waitForChange('clock');
      const { answered, reasons } = await running.counting(() => list(running));
      expect([answered, reasons]).toEqual([0, { unavailable: 1 }]);
    } finally {
      await main.service.query('ALTER ROLE filing_service RESET search_path');
    }
  });

  it('uses at most DATABASE_POOL_SIZE connections, with the settings of those to the primary', async () => {
    const replica = await database.replica();
    const { proxy, url } = await TcpProxy.start(replica.url);
    proxies.push(proxy);
    const running = await database.service([url], {
      DATABASE_POOL_SIZE: '3',
      DATABASE_STATEMENT_TIMEOUT_MS: '77000',
    });
    await running.fromReplica(() => list(running));
    let [ended, most] = [false, 0];
    const load = Promise.all(Array.from({ length: 60 }, () => list(running))).finally(() => (ended = true));
    await waitUntil(async () => {
      const rows = await replica.server.queryAsSuperuser(
        `SELECT FROM pg_stat_activity WHERE usename = 'filing_service'`,
      );
      most = Math.max(most, rows.length);
      return ended;
    }, 'the end of the load');
    await load;
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(3);
    const options = [...new Set(proxy.startups.map(({ user, options: given }) => `${user} ${given}`))];
    expect(options).toEqual([expect.stringMatching(/^filing_service .*-c statement_timeout=77000 /)]);
  });

  it('uses replicas of a former primary only when they follow the new one', async () => {
    const former = await ReplicatedDatabase.start();
    try {
      const [next, ahead, follower] = [
        await former.replica(),
        await former.replica(),
        await former.replica(),
      ];
      const seed = await former.service([]);
      const place = await seed.service.tenant();
      const user = await place.as('administrator');
      // In this order, so that the new primary has all that the follower has.
      for (const replica of [follower, next]) {
        await replica.catchUp();
        await replica.follow(null);
      }
      // The new primary does not receive these changes.
      for (let i = 0; i < 20; i += 1) await saveFile(place, user);
      await ahead.catchUp();
      await seed.stop();
      await former.primary.server.interrupt();
      const later = await former.promote(next);
      const running = await later.service([ahead.url, follower.url]);
      await running.waitForChange('other-timeline', 2);
      const [insert] = await next.server.queryAsSuperuser<{ lsn: string }>(
        'SELECT pg_current_wal_insert_lsn()::text AS lsn',
      );
      const isPast = `SELECT pg_last_wal_replay_lsn() > '${insert?.lsn}'::pg_lsn AS past`;
      expect(await ahead.server.queryAsSuperuser(isPast)).toEqual([{ past: true }]);
      const caller = user.inTenant(new TestTenant(running.service, place.id, place.slug));
      const { result, answered } = await running.counting(() => caller.get('/files'));
      expect([result.body, answered]).toEqual([{ items: [], nextCursor: null }, 0]);

      await follower.follow(next.server);
      await follower.catchUp();
      await next.server.runAsSuperuser('CHECKPOINT');
      await follower.catchUp();
      await follower.server.runAsSuperuser('CHECKPOINT');
      expect((await running.fromReplica(() => caller.get('/files'))).body).toEqual(result.body);
      expect(running.changes).toEqual(['other-timeline', 'other-timeline', 'ready']);
    } finally {
      await former.stop();
    }
  });
});
