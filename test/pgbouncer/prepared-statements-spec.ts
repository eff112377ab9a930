import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { lookupPassword } from '../support/pooler.js';
import { PgBouncer } from '../support/servers/pgbouncer.js';
import { SecondInstance } from '../support/service/second-instance.js';
import { TestService } from '../support/service/service.js';

const ROUNDS = 20;

/** Only with PgBouncer 1.21 or newer (test/jest.config.js). */
describe('Prepared statements behind a pooler that tracks them', () => {
  let service: TestService;
  let pooler: PgBouncer;
  const instances: SecondInstance[] = [];

  beforeAll(async () => {
    service = await TestService.start();
    pooler = await PgBouncer.start(service.database.ownerUrl, {
      password: lookupPassword(),
      settings: { max_prepared_statements: '200', default_pool_size: '2' },
    });
    for (let number = 0; number < 2; number += 1)
      instances.push(
        await SecondInstance.start(service, {
          serviceUrl: pooler.through(service.database.serviceUrl),
          configuration: { databasePrepared: true, databasePoolSize: 4 },
        }),
      );
  });

  afterAll(async () => {
    for (const instance of instances) await instance.stop();
    await pooler.stop();
    await service.stop();
  });

  it('are shared by all clients, without an error', async () => {
    const tenant = await service.tenant();
    const editor = await tenant.as('records_manager');
    const editors = instances.map((instance) => instance.actor(editor));
    for (let round = 0; round < ROUNDS; round += 1) {
      const answers = await Promise.all(
        editors.flatMap((actor, number) => [
          actor.get('/tags'),
          actor.post('/tags', { name: `Tag ${round} ${number}` }),
          actor.get('/files'),
        ]),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 201, 200, 200, 201, 200]);
    }
    const session = new pg.Client({ connectionString: pooler.through(service.database.serviceUrl) });
    await session.connect();
    try {
      const { rows } = await session.query<{ name: string }>('SELECT name FROM pg_prepared_statements');
      expect(rows.length).toBeGreaterThan(0);
      // PgBouncer gives the statements of all clients names of its own.
      expect(rows.filter(({ name }) => !name.startsWith('PGBOUNCER_'))).toEqual([]);
    } finally {
      await session.end();
    }
  });
});
