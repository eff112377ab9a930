import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { Service } from '../src/start/service.js';
import { messageFor } from '../src/start/start-checks.js';
import { createTestDatabase } from './support/database.js';

it('refuses to start when the database rejects the password', async () => {
  const [database, directory] = await Promise.all([
    createTestDatabase(),
    mkdtemp(path.join(tmpdir(), 'filing-test-')),
  ]);
  const wrong = new URL(database.ownerUrl);
  wrong.password = 'hunter2';
  const service = new Service(() => undefined);
  try {
    const refusal = await service
      .start({
        PORT: '0',
        DATA_DIR: directory,
        DATABASE_URL: wrong.toString(),
        OIDC_ISSUER: 'http://127.0.0.1:9',
        LOG_LEVEL: 'fatal',
      })
      .catch(messageFor);
    expect(refusal).toMatch(/^The database cannot be reached: password authentication failed/);
  } finally {
    await service.stop();
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  }
});
