import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UNTRACKED, lookupPassword } from '../support/pooler.js';
import { PgBouncer } from '../support/servers/pgbouncer.js';
import { SecondInstance } from '../support/service/second-instance.js';
import { TestService } from '../support/service/service.js';

const ROUNDS = 20;

/** The start refuses this combination. A pooler can get into it later, when its settings change. */
describe('Prepared statements behind a pooler that does not track them', () => {
  let service: TestService;
  let pooler: PgBouncer;
  const instances: SecondInstance[] = [];

  beforeAll(async () => {
    service = await TestService.start();
    pooler = await PgBouncer.start(service.database.ownerUrl, {
      password: lookupPassword(),
      settings: { ...UNTRACKED, default_pool_size: '2' },
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

  it('are prepared again when they are missing or exist already', async () => {
    const tenant = await service.tenant();
    const editor = await tenant.as('records_manager');
    const editors = instances.map((instance) => instance.actor(editor));
    const statuses: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const answers = await Promise.all(
        editors.flatMap((actor, number) => [
          actor.get('/tags'),
          actor.post('/tags', { name: `Tag ${round} ${number}` }),
          actor.get('/files'),
        ]),
      );
      statuses.push(...answers.map(({ status }) => status));
    }
    // Another client may use the server's connection between two attempts. After four of them, the answer is 503.
    expect(statuses.filter((status) => ![200, 201, 503].includes(status))).toEqual([]);
    expect(statuses.filter((status) => status !== 503).length).toBeGreaterThan(statuses.length / 2);
    const created = await service.query('SELECT name FROM tags WHERE tenant_id = $1', [tenant.id]);
    expect(created).toHaveLength(statuses.filter((status) => status === 201).length);
  });
});
