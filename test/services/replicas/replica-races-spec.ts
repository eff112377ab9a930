import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { saveAccessGrant } from '../../factories/access-grants.js';
import { saveFile, saveFileType } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { TestTenant } from '../../support/tenant.js';
import { type Replica, ReplicatedDatabase, type RunningService } from './replicated-database.js';

/** For each client. */
const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 40);
const WRITERS = 4;
const GRANTERS = 2;

/** Pauses the replay of a replica for random times. */
class RandomPauses {
  private isOver = false;
  private readonly running: Promise<void>;

  constructor(private readonly replica: Replica) {
    this.running = this.run();
  }

  private async run(): Promise<void> {
    const client = new pg.Client({ connectionString: this.replica.server.superuserUrl });
    await client.connect();
    while (!this.isOver) {
      await client.query('SELECT pg_wal_replay_pause()');
      await sleep(Math.random() * 30);
      await client.query('SELECT pg_wal_replay_resume()');
      await sleep(Math.random() * 60);
    }
    await client.end();
  }

  end(): Promise<void> {
    this.isOver = true;
    return this.running;
  }
}

describe('Requests to a replica whose replay pauses at random times', () => {
  let database: ReplicatedDatabase;
  let replica: Replica;
  let running: RunningService;
  let other: RunningService;
  let tenant: TestTenant;
  let clerk: Actor;

  beforeAll(async () => {
    database = await ReplicatedDatabase.start();
    replica = await database.replica();
    running = await database.service([replica.url]);
    other = await database.service([]);
    tenant = await running.service.tenant();
    clerk = await tenant.as('administrator');
    await running.waitForChange('ready');
  });
  afterAll(() => database.stop());

  const filesOf = async (actor: Actor): Promise<string[]> => {
    const { status, body } = (await actor.get('/files')) as {
      status: number;
      body: { items: { id: string }[] };
    };
    expect(status).toBe(200);
    return body.items.map(({ id }) => id);
  };

  it(`show each answered write and no revoked right, in ${ROUNDS} rounds of each client`, async () => {
    const { id: fileTypeId } = await saveFileType(tenant);
    const clerkOnOther = clerk.inTenant(new TestTenant(other.service, tenant.id, tenant.slug));
    const missed: string[] = [];
    const write = async (_: unknown, client: number) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const created = await clerk.post('/files', { fileTypeId, number: `${client}-${round}`, name: 'New' });
        expect(created.status).toBe(201);
        const { id } = created.body as { id: string };
        if (!(await filesOf(clerk)).includes(id)) missed.push(`file ${client}-${round}`);
      }
    };
    const grantAndRevoke = async (_: unknown, client: number) => {
      const member = await tenant.with();
      const [kept, revoked] = [await saveFile(tenant, clerk), await saveFile(tenant, clerk)];
      await saveAccessGrant(tenant, member, { file: kept.id });
      for (let round = 0; round < ROUNDS; round += 1) {
        const grant = await saveAccessGrant(tenant, member, { file: revoked.id });
        if (!(await filesOf(member)).includes(revoked.id)) missed.push(`grant ${client}-${round}`);
        expect((await clerkOnOther.delete(`/access-grants/${grant}`)).status).toBe(204);
        if ((await filesOf(member)).includes(revoked.id)) missed.push(`revocation ${client}-${round}`);
      }
    };
    const pauses = new RandomPauses(replica);
    const { answered, reasons } = await running.counting(() =>
      Promise.all([
        ...Array.from({ length: WRITERS }, write),
        ...Array.from({ length: GRANTERS }, grantAndRevoke),
      ]).finally(() => pauses.end()),
    );
    expect(missed).toEqual([]);
    // The test proves nothing if the replica has answered none, or was never behind.
    expect(answered).toBeGreaterThan(ROUNDS / 4);
    expect(reasons['behind']).toBeGreaterThan(0);
    process.stderr.write(
      `answered by the replica: ${answered}; by the primary: ${JSON.stringify(reasons)}\n`,
    );
  });
});
