import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { expect, it, jest } from '@jest/globals';
import { createTenant } from '../support/create-tenant.js';
import { createTestDatabase } from '../support/database.js';
import { TestIssuer } from '../support/servers/issuer.js';
import { get, instancesOf } from '../support/service/instance-processes.js';
import { ServiceProcess } from '../support/service/service-process.js';
import { LONG_DATABASE_TIMEOUTS, waitUntil } from '../support/wait-until.js';
import { RedisServer } from './redis-server.js';

jest.setTimeout(300_000);

it('The processes of a service count rate limits in Redis if it is configured', async () => {
  const [server, database, issuer, directory] = await Promise.all([
    RedisServer.start(),
    createTestDatabase(),
    TestIssuer.start(),
    mkdtemp(path.join(tmpdir(), 'filing-instances-')),
  ]);
  const email = 'registrar@people.example';
  const expectedMembers = [{ email, roleKey: 'administrator' as const }];
  await createTenant(database.ownerUrl, { slug: 'registry', name: 'Registry', expectedMembers });
  const service = new ServiceProcess({
    ...{ INSTANCES: '2', PORT: '0', METRICS_PORT: '0', LOG_LEVEL: 'info', DATA_DIR: directory },
    ...{ DATABASE_URL: database.ownerUrl, OIDC_ISSUER: issuer.url, REDIS_URL: server.url },
    ...{ RATE_LIMIT_PER_MINUTE: '1', RATE_LIMIT_BURST: '6', ...LONG_DATABASE_TIMEOUTS },
  });
  const redis = new Redis(server.url);
  try {
    const url = await service.url();
    const token = await issuer.token({ sub: 'registrar', email, email_verified: true });
    const answers = [];
    for (let i = 0; i < 8; i += 1)
      answers.push(await get(`${url}/api/v1/t/registry/me`, { Authorization: `Bearer ${token}` }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 429, 429]);
    await waitUntil(() => instancesOf(service, 'GetTenantMe').size === 2, 'requests on both processes');
    expect((await redis.keys('filing-service:limit:*')).length).toBeGreaterThan(1);
  } finally {
    redis.disconnect();
    service.signal('SIGTERM');
    await service.exit;
    await Promise.all([server.kill(), issuer.stop(), database.drop()]);
    await rm(directory, { recursive: true, force: true });
  }
});
