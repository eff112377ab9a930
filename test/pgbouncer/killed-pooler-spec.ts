import { afterAll, beforeAll, describe, it, jest } from '@jest/globals';
import { MixedWrites, emailsOf } from '../faults/support/mixed-writes.js';
import { checkOutages } from '../faults/support/outage.js';
import { ServiceFixture } from '../support/service/service-fixture.js';
import { createTestDatabase } from '../support/database.js';
import { databaseEnvironment, lookupPassword } from '../support/pooler.js';
import { PgBouncer } from '../support/servers/pgbouncer.js';

const ROUNDS = Math.max(2, Math.ceil(Number(process.env.FAULT_ROUNDS ?? 20) / 4));
const CLIENTS = 20;

jest.setTimeout(ROUNDS * 300_000 + 1_200_000);

describe(`The service during writes, while PgBouncer is killed ${ROUNDS} times`, () => {
  let pooler: PgBouncer;
  let fixture: ServiceFixture;
  let writes: MixedWrites;
  beforeAll(async () => {
    const database = await createTestDatabase();
    const { ownerUrl } = database;
    pooler = await PgBouncer.start(ownerUrl, { password: lookupPassword() });
    const environment = databaseEnvironment(ownerUrl, pooler.through(ownerUrl));
    fixture = await ServiceFixture.prepare({
      built: true,
      emails: emailsOf(CLIENTS),
      database: { ...database, environment },
    });
    writes = new MixedWrites(fixture, CLIENTS);
  });
  afterAll(async () => {
    writes.close();
    await fixture.cleanUp();
    await pooler.stop();
  });

  it('returns 503 during the outage, recovers without a restart and loses no write', () =>
    checkOutages(
      fixture,
      writes,
      { name: 'kills of PgBouncer', stop: () => pooler.kill(), start: () => pooler.resume() },
      { clients: CLIENTS, rounds: ROUNDS },
    ));
});
