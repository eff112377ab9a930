import { afterAll, beforeAll, describe, it, jest } from '@jest/globals';
import { MixedWrites, emailsOf } from './support/mixed-writes.js';
import { checkOutages } from './support/outage.js';
import { RestartablePostgres } from './support/restartable-postgres.js';
import { ServiceFixture } from '../support/service/service-fixture.js';

const ROUNDS = Math.max(2, Math.ceil(Number(process.env.FAULT_ROUNDS ?? 20) / 4));
const CLIENTS = 20;

jest.setTimeout(ROUNDS * 300_000 + 1_200_000);

describe(`The service during writes, while its database stops ${ROUNDS} times without shutdown`, () => {
  let postgres: RestartablePostgres;
  let fixture: ServiceFixture;
  let writes: MixedWrites;
  beforeAll(async () => {
    postgres = await RestartablePostgres.create();
    fixture = await ServiceFixture.prepare({ built: true, emails: emailsOf(CLIENTS), database: postgres });
    writes = new MixedWrites(fixture, CLIENTS);
  }, 600_000);
  afterAll(async () => {
    writes.close();
    await fixture.cleanUp();
  });

  it('returns 503 during the outage, recovers without a restart and loses no write', () =>
    checkOutages(
      fixture,
      writes,
      {
        name: 'immediate stops of the database',
        stop: () => postgres.stopImmediately(),
        start: () => postgres.start(),
      },
      { clients: CLIENTS, rounds: ROUNDS },
    ));
});
