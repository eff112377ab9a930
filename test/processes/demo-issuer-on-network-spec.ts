import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfiguration } from '../../src/platform/config/configuration.js';
import { type TestDatabase, createTestDatabase } from '../support/database.js';
import { LONG_DATABASE_TIMEOUTS } from '../support/wait-until.js';
import { ServiceProcess } from '../support/service/service-process.js';
import { tryStart } from '../support/service/try-start.js';

/** Anyone who reaches the embedded issuer can log in as an administrator. */
describe('The service without OIDC_ISSUER', () => {
  let database: TestDatabase;
  let directory: string;
  let process: ServiceProcess | undefined;
  const settings = (): NodeJS.ProcessEnv => ({
    PORT: '0',
    DATA_DIR: directory,
    ...database.environment,
    ...LONG_DATABASE_TIMEOUTS,
  });
  beforeAll(async () => {
    [database, directory] = await Promise.all([
      createTestDatabase(),
      mkdtemp(path.join(tmpdir(), 'filing-issuer-')),
    ]);
  });
  afterEach(async () => {
    process?.signal('SIGKILL');
    await process?.exit;
  });
  afterAll(async () => {
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  });

  it.each(['0.0.0.0', '::', '::ffff:192.0.2.1', '192.0.2.1', 'filing.example', '127.1'])(
    'refuses to listen on %s',
    async (host) => {
      const { outcome } = await tryStart({ ...settings(), HOST: host });
      expect(outcome).toContain(`With HOST=${host}, anyone in the network could log in`);
    },
  );

  it.each(['127.0.0.1', '127.255.0.1', '::1', 'localhost'])('accepts the loopback address %s', (host) => {
    expect(loadConfiguration({ HOST: host })).toMatchObject({ host, embeddedIssuer: true });
  });

  it('listens on other addresses with ALLOW_DEMO_ISSUER_ON_NETWORK=true and prints a warning', async () => {
    // The service treats 127.1 as a host name; the resolver reads it as 127.0.0.1.
    process = new ServiceProcess({ ...settings(), HOST: '127.1', ALLOW_DEMO_ISSUER_ON_NETWORK: 'true' });
    await process.waitForOutput(
      /Warning: anyone who can reach this service over the network can log in as any user\./,
    );
    await process.waitForOutput(/"level":"warn".*the embedded issuer is served to the network/);
  });
});
