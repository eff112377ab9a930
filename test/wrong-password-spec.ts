import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { createTestDatabase } from './support/database.js';
import { tryStart } from './support/service/try-start.js';

it('refuses to start when the database rejects the password', async () => {
  const [database, directory] = await Promise.all([
    createTestDatabase(),
    mkdtemp(path.join(tmpdir(), 'filing-test-')),
  ]);
  const wrong = new URL(database.ownerUrl);
  wrong.password = 'hunter2';
  try {
    const { outcome } = await tryStart({
      PORT: '0',
      DATA_DIR: directory,
      DATABASE_URL: wrong.toString(),
      OIDC_ISSUER: 'http://127.0.0.1:9',
    });
    expect(outcome).toMatch(/^The database cannot be reached: password authentication failed/);
  } finally {
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  }
});
