import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { run } from '../../src/platform/database/embedded/processes.js';
import { loginOf } from '../../src/platform/database/connections/connection-urls.js';
import { prepareServiceRole } from '../../src/platform/database/pooling/prepare-service-role.js';
import { lookupPassword } from '../support/pooler.js';
import { PgBouncer } from '../support/servers/pgbouncer.js';
import { SecondInstance } from '../support/service/second-instance.js';
import { TestService } from '../support/service/service.js';

describe('A pooler with TLS', () => {
  let service: TestService;
  let pooler: PgBouncer;
  let directory: string;

  beforeAll(async () => {
    service = await TestService.start();
    directory = await mkdtemp(path.join(tmpdir(), 'filing-tls-'));
    // When this runs as root, PgBouncer runs as another user.
    await chmod(directory, 0o755);
    const [key, certificate] = [path.join(directory, 'key'), path.join(directory, 'certificate')];
    await run('openssl', [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-noenc', '-days', '2', '-subj', '/CN=pooler'],
      ...['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', certificate],
    ]);
    await chmod(key, 0o644);
    pooler = await PgBouncer.start(service.database.ownerUrl, {
      password: lookupPassword(),
      settings: {
        client_tls_sslmode: 'allow',
        client_tls_key_file: key,
        client_tls_cert_file: certificate,
      },
    });
  });

  afterAll(async () => {
    await pooler.stop();
    await rm(directory, { recursive: true, force: true });
    await service.stop();
  });

  it('is used with the parameters of its URL, with a verified certificate', async () => {
    const { ownerUrl } = service.database;
    const parameters = `sslmode=verify-full&sslrootcert=${path.join(directory, 'certificate')}`;
    const databaseUrl = `${pooler.through(ownerUrl)}?${parameters}`;
    const configuration = { ...service.configuration, databaseUrl, databaseServiceUrl: undefined };
    const serviceUrl = await prepareServiceRole(ownerUrl, configuration, () => undefined);
    expect(new URL(serviceUrl).searchParams).toEqual(new URLSearchParams(parameters));
    const instance = await SecondInstance.start(service, { serviceUrl });
    try {
      const tenant = await service.tenant();
      const editor = instance.actor(await tenant.as('editor'));
      expect((await editor.get('/files')).status).toBe(200);
      const clients = await pooler.command<{ user: string; tls: string }>('SHOW CLIENTS');
      const { user } = loginOf(serviceUrl);
      const used = clients.filter((client) => client.user === user).map(({ tls }) => tls);
      expect(used.length).toBeGreaterThan(0);
      for (const tls of used) expect(tls).toMatch(/^TLSv1\.[23]/);
    } finally {
      await instance.stop();
      await service.query(`DROP OWNED BY ${user(serviceUrl)}; DROP ROLE ${user(serviceUrl)}`);
    }
  });

  const user = (url: string) => `"${loginOf(url).user}"`;
});
