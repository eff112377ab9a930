import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { createTestDatabase } from './support/database.js';
import { TestIssuer } from './support/servers/issuer.js';
import { ServiceProcess } from './support/service/service-process.js';
import { LONG_DATABASE_TIMEOUTS } from './support/wait-until.js';

// More about processes: test/processes/.
it('starts as a process of its own, answers, and exits with 0 on SIGTERM', async () => {
  const [database, issuer, directory] = await Promise.all([
    createTestDatabase(),
    TestIssuer.start(),
    mkdtemp(path.join(tmpdir(), 'filing-process-')),
  ]);
  const service = new ServiceProcess({
    PORT: '0',
    DATA_DIR: directory,
    ...database.environment,
    OIDC_ISSUER: issuer.url,
    ...LONG_DATABASE_TIMEOUTS,
  });
  try {
    const url = await service.url();
    const authorization = `Bearer ${await issuer.token()}`;
    const response = await fetch(`${url}/api/v1/tenants`, { headers: { authorization } });
    expect([response.status, await response.json()]).toEqual([200, { items: [], nextCursor: null }]);
    service.signal('SIGTERM');
    expect(await service.exit).toBe(0);
    expect(service.errors).toBe('');
  } finally {
    service.signal('SIGKILL');
    await service.exit;
    await issuer.stop();
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  }
});
