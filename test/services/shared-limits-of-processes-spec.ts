import { Redis } from 'ioredis';
import { expect, it, jest } from '@jest/globals';
import { get, instancesOf } from '../support/service/instance-processes.js';
import { SLUG, ServiceFixture } from '../support/service/service-fixture.js';
import { waitUntil } from '../support/wait-until.js';
import { RedisServer } from './redis-server.js';

jest.setTimeout(300_000);

const EMAIL = 'registrar@people.example';

it('The processes of a service count rate limits in Redis if it is configured', async () => {
  const [server, fixture] = await Promise.all([
    RedisServer.start(),
    ServiceFixture.prepare({ emails: [EMAIL] }),
  ]);
  const service = fixture.start('main', {
    ...{ INSTANCES: '2', LOG_LEVEL: 'info', REDIS_URL: server.url },
    ...{ RATE_LIMIT_PER_MINUTE: '1', RATE_LIMIT_BURST: '6' },
  });
  const redis = new Redis(server.url);
  try {
    const url = await service.url();
    const headers = await fixture.authorization(EMAIL);
    const answers = [];
    for (let i = 0; i < 8; i += 1) answers.push(await get(`${url}/api/v1/t/${SLUG}/me`, headers));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 429, 429]);
    await waitUntil(() => instancesOf(service, 'GetTenantMe').size === 2, 'requests on both processes');
    expect((await redis.keys('filing-service:limit:*')).length).toBeGreaterThan(1);
  } finally {
    redis.disconnect();
    service.signal('SIGTERM');
    await service.exit;
    await Promise.all([server.kill(), fixture.cleanUp()]);
  }
});
