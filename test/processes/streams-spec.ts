import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Metrics } from '../../src/platform/http/server/metrics.js';
import { saveNotification } from '../factories/notifications.js';
import { type Actor } from '../support/actor.js';
import { RawStream, StreamClient } from '../support/event-stream.js';
import { expectProblem } from '../support/expect-problem.js';
import { TestService } from '../support/service/service.js';
import { type TestTenant } from '../support/tenant.js';
import { waitFor, waitUntil } from '../support/wait-until.js';
import { recordTags, sequenced } from '../platform/events/event-log.js';

const EVENTS = '/events/stream';
const NOTIFICATIONS = '/notifications/stream';

interface LogLine {
  readonly msg: string;
  readonly operation?: string;
  readonly requestId?: string;
  readonly reason?: string;
  readonly status?: number;
  readonly aborted?: boolean;
  readonly seconds?: number;
}

describe('Streams', () => {
  let service: TestService;
  let tenant: TestTenant;
  let reader: Actor;
  const written: string[] = [];
  const open: { close(): void }[] = [];

  beforeAll(async () => {
    // Clients that read nothing are disconnected soon.
    const environment = { LOG_LEVEL: 'info', UPLOAD_IDLE_TIMEOUT_MS: '1000' };
    service = await TestService.start(environment, undefined, written);
  });
  const lines = () => written.map((line) => JSON.parse(line) as LogLine);
  beforeEach(async () => {
    written.length = 0;
    tenant = await service.tenant();
    reader = await tenant.as('auditor');
  });
  afterEach(async () => {
    for (const stream of open.splice(0)) stream.close();
    await waitUntil(async () => !/^http_streams_open\{.*\} [1-9]/m.test(await metrics()), 'no open stream');
  });
  afterAll(() => service.stop());

  async function connect(actor: Actor, path: string, read = true): Promise<RawStream> {
    const stream = await RawStream.open(actor, path, { read });
    open.push(stream);
    return stream;
  }

  const metrics = () => service.app.get(Metrics).registry.metrics();
  const ending = (operation: string) =>
    waitFor(() => lines().find((line) => line.msg === 'stream ended' && line.operation === operation));

  it('are logged and measured as requests until their headers, and separately at their end', async () => {
    const stream = await connect(reader, EVENTS);
    const [request] = lines().filter(({ operation }) => operation === 'StreamEvents');
    expect(request).toMatchObject({ msg: 'request', status: 200 });
    expect(request).not.toHaveProperty('aborted');
    const during = await metrics();
    expect(during).toContain('http_requests_in_flight 0');
    expect(during).toContain('http_streams_open{operation="StreamEvents"} 1');
    expect(during).toMatch(/http_request_duration_seconds_count\{operation="StreamEvents",status="200"\} 1/);
    stream.close();
    expect(await ending('StreamEvents')).toMatchObject({
      requestId: request?.requestId,
      reason: 'client',
      seconds: expect.any(Number),
    });
    expect(await metrics()).toContain('http_streams_ended_total{operation="StreamEvents",reason="client"} 1');
  });

  it('hold no database connection while nothing is read', async () => {
    const actors = [reader, await tenant.as('auditor'), await tenant.as('auditor')];
    const paths = [EVENTS, NOTIFICATIONS];
    for (const actor of actors)
      for (let n = 0; n < 10; n += 1) expect((await connect(actor, paths[n % 2] as string)).status).toBe(200);
    expect(open.length).toBeGreaterThan(service.configuration.databasePoolSize);
    await waitUntil(async () => {
      const text = await metrics();
      const value = (name: string) => new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1];
      return value('database_pool_idle') === value('database_pool_connections');
    }, 'idle connections');
  });

  it('allow 10 for a caller and 100 for a tenant, of both kinds together', async () => {
    const actors = await Promise.all(Array.from({ length: 10 }, () => tenant.as('auditor')));
    const paths = [EVENTS, NOTIFICATIONS];
    for (const actor of actors)
      for (let n = 0; n < 10; n += 1) expect((await connect(actor, paths[n % 2] as string)).status).toBe(200);
    const refused = await reader.get(EVENTS);
    expectProblem(refused, 'request.rate-limited');
    expect((refused.body as { detail: string }).detail).toBe(
      'The members of the tenant have 100 open streams, the maximum. Try again later.',
    );
    const own = await (actors[0] as Actor).get(NOTIFICATIONS);
    expect((own.body as { detail: string }).detail).toMatch(/^You have 10 open streams/);
    const elsewhere = await service.tenant();
    await (await elsewhere.addMember(reader, 'auditor')).get(EVENTS).expect(200);
    for (const stream of open.splice(0, 5)) stream.close();
    await waitUntil(async () => (await reader.get(EVENTS)).status === 200, 'a free slot');
  });

  it('return 503 beyond 1,000 for an instance', async () => {
    const others = await Promise.all(Array.from({ length: 10 }, () => service.tenant()));
    for (const other of others) {
      const actors = await Promise.all(Array.from({ length: 10 }, () => other.as('auditor')));
      await Promise.all(
        actors.flatMap((actor) => Array.from({ length: 10 }, () => connect(actor, NOTIFICATIONS))),
      );
    }
    expect(open.filter((stream) => (stream as RawStream).status === 200)).toHaveLength(1000);
    const refused = await reader.get(EVENTS);
    expectProblem(refused, 'service.unavailable');
    expect(refused.headers['retry-after']).toBe('10');
    // Other requests succeed.
    await reader.get('/me').expect(200);
    open.splice(0, 1)[0]?.close();
    await waitUntil(async () => (await reader.get(EVENTS)).status === 200, 'a free slot');
  });

  it('end when the client reads nothing of events, and others get all of them', async () => {
    const before = (await sequenced(tenant)).length;
    const slow = await connect(reader, `${EVENTS}?after=0`, false);
    const fast = await StreamClient.open(reader, `${EVENTS}?after=0`);
    open.push(fast);
    // More than the buffers of the operating system hold.
    const count = 80_000;
    for (let n = 0; n < 80; n += 1) await recordTags(tenant, count / 80);
    await fast.waitForEvents(before - 1 + count);
    expect(fast.events.map(({ id }) => Number(id))).toEqual(
      Array.from({ length: before - 1 + count }, (_, n) => n + 1),
    );
    expect(await ending('StreamEvents')).toMatchObject({ reason: 'slow' });
    slow.response.resume();
    await slow.waitForEnd();
    expect(slow.isComplete).toBe(false);
  });

  it('end when the client reads nothing of notifications', async () => {
    const slow = await connect(reader, NOTIFICATIONS, false);
    await service.query(
      `INSERT INTO notifications (tenant_id, id, user_id, type, parameters)
       SELECT $1::uuid, gen_random_uuid(), $2, 'RoleChanged',
              jsonb_build_object('roleId', $1::text, 'roleName', repeat('x', 5000), 'actorName', 'Ada')
         FROM generate_series(1, 3000)`,
      [tenant.id, reader.userId],
    );
    expect(await ending('StreamNotifications')).toMatchObject({ reason: 'slow' });
    slow.response.resume();
    await slow.waitForEnd();
    expect(slow.isComplete).toBe(false);
  });

  it('continue after the database was not available', async () => {
    const client = await StreamClient.open(reader, NOTIFICATIONS);
    open.push(client);
    await service.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    await saveNotification(tenant, reader);
    await client.waitForEvents(1);
    expect(client.requests).toHaveLength(1);
  });

  it('end with a complete response when the service stops', async () => {
    const stopping = await TestService.start({}, service);
    const actor = reader.inTenant(Object.create(tenant, { service: { value: stopping } }) as TestTenant);
    const streams = [await RawStream.open(actor, EVENTS), await RawStream.open(actor, NOTIFICATIONS)];
    await stopping.stop();
    await Promise.all(streams.map((stream) => stream.waitForEnd()));
    expect(streams.map(({ isComplete }) => isComplete)).toEqual([true, true]);
  });
});
