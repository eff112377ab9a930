import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type Actor } from '../support/actor.js';
import { lookupPassword } from '../support/pooler.js';
import { PgBouncer } from '../support/servers/pgbouncer.js';
import { SecondInstance } from '../support/service/second-instance.js';
import { TestService } from '../support/service/service.js';

const ROUNDS = 25;
/** The settings of a transaction, and whether rows of any tenant are visible without them. */
const STATE = `
  SELECT coalesce(current_setting('app.tenant_id', true), '') AS tenant,
         coalesce(current_setting('app.actor_id', true), '') AS actor,
         coalesce(current_setting('app.user_id', true), '') AS "user",
         (SELECT count(*)::int FROM tags) + (SELECT count(*)::int FROM files) AS visible, pg_backend_pid() AS pid`;

interface State {
  readonly tenant: string;
  readonly actor: string;
  readonly user: string;
  readonly visible: number;
  readonly pid: number;
}

describe('All requests over one connection of the server', () => {
  let service: TestService;
  let pooler: PgBouncer;
  let instance: SecondInstance;
  /** Another client of the pooler, with the role of the service. */
  let session: pg.Client;

  beforeAll(async () => {
    service = await TestService.start();
    pooler = await PgBouncer.start(service.database.ownerUrl, {
      password: lookupPassword(),
      settings: { default_pool_size: '1' },
    });
    const serviceUrl = pooler.through(service.database.serviceUrl);
    instance = await SecondInstance.start(service, {
      serviceUrl,
      configuration: { databasePoolSize: 8 },
    });
    session = new pg.Client({ connectionString: serviceUrl });
    await session.connect();
  });

  afterAll(async () => {
    await session.end();
    await instance.stop();
    await pooler.stop();
    await service.stop();
  });

  async function state(): Promise<State> {
    const { rows } = await session.query<State>(STATE);
    return rows[0]!;
  }

  /** Sends a few requests. Adds the created name to `known`, and returns those of the list. */
  async function requests(actor: Actor, known: string[]): Promise<string[]> {
    const name = randomUUID();
    // Before the answer: the other caller of the tenant may see it earlier.
    known.push(name);
    const created = await actor.post('/tags', { name });
    expect(created.status).toBe(201);
    const [names, taken, missing] = await Promise.all([
      tagNames(actor),
      actor.post('/tags', { name }),
      actor.get(`/tags/${randomUUID()}`),
    ]);
    expect([taken.status, missing.status]).toEqual([409, 404]);
    return names;
  }

  async function tagNames(actor: Actor): Promise<string[]> {
    const list = await actor.get('/tags?limit=100');
    expect(list.status).toBe(200);
    return (list.body as { items: { name: string }[] }).items.map(({ name }) => name);
  }

  it('shares the connection among clients, so that a setting of a session would be visible to others', async () => {
    const other = new pg.Client({ connectionString: pooler.through(service.database.serviceUrl) });
    await other.connect();
    try {
      const { pid } = await state();
      await other.query(`SELECT set_config('app.probe', 'left behind', false)`);
      const read = `SELECT current_setting('app.probe') AS probe, pg_backend_pid() AS pid`;
      expect((await session.query(read)).rows).toEqual([{ probe: 'left behind', pid }]);
      await other.query('RESET app.probe');
    } finally {
      await other.end();
    }
  });

  it('shows each of two tenants only its rows, and leaves no setting on the connection', async () => {
    const [one, other] = [await service.tenant(), await service.tenant()];
    const editors = [
      instance.actor(await one.as('records_manager')),
      instance.actor(await other.as('records_manager')),
    ];
    const { pid } = await state();
    const own: string[][] = [[], []];
    let running = true;
    const left: State[] = [];
    const observing = (async () => {
      while (running) left.push(await state());
    })();
    try {
      for (let round = 0; round < ROUNDS; round += 1) {
        // Four interleaved callers: two of each tenant.
        const seen = await Promise.all([0, 1, 0, 1].map((side) => requests(editors[side]!, own[side]!)));
        for (const [index, names] of seen.entries()) {
          expect(names.length).toBeGreaterThan(0);
          expect(names.filter((name) => !own[index % 2]!.includes(name))).toEqual([]);
        }
      }
    } finally {
      running = false;
      await observing;
    }
    expect(left.length).toBeGreaterThan(ROUNDS);
    const clean = { tenant: '', actor: '', user: '', visible: 0, pid };
    expect(left.filter((found) => JSON.stringify(found) !== JSON.stringify(clean))).toEqual([]);
    for (const [side, editor] of editors.entries()) {
      expect((await tagNames(editor)).sort()).toEqual([...own[side]!].sort());
    }
  });

  it('leaves no setting of the list of tenants of a caller', async () => {
    const tenant = await service.tenant();
    const editor = instance.actor(await tenant.as('editor'));
    const response = await fetch(`${instance.url}/api/v1/tenants`, {
      headers: { Authorization: `Bearer ${editor.token}` },
    });
    expect(response.status).toBe(200);
    expect(await state()).toMatchObject({ tenant: '', actor: '', user: '', visible: 0 });
  });

  it('completes more simultaneous writes than the server has connections', async () => {
    const tenant = await service.tenant();
    const editor = instance.actor(await tenant.as('records_manager'));
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, number) => editor.post('/tags', { name: `Tag ${number}` })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const servers = await pooler.command<{ user: string }>('SHOW SERVERS');
    const role = new URL(service.database.serviceUrl).username;
    expect(servers.filter(({ user }) => user === role)).toHaveLength(1);
  });
});
