import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestDatabase, createTestDatabase } from '../support/database.js';
import { runAsAdmin } from '../support/database-nodes.js';
import { lookupPassword } from '../support/pooler.js';
import { PgBouncer } from '../support/servers/pgbouncer.js';
import { DemoService } from '../support/service/demo-service.js';

const PASSWORD = 'documented';
/** Settings that are those of this machine. */
const LOCAL = ['listen_addr', 'listen_port', 'auth_file'];

describe('The section PgBouncer of docs/deployment.md', () => {
  let database: TestDatabase;
  let name: string;
  /** Code blocks of the section, by language. */
  let blocks: Map<string, string>;

  beforeAll(async () => {
    database = await createTestDatabase();
    name = new URL(database.ownerUrl).pathname.slice(1);
    const page = await readFile(new URL('../../docs/deployment.md', import.meta.url), 'utf8');
    const [, section = ''] = /\n## PgBouncer\n(.*?)\n## /s.exec(page) ?? [];
    const found = [...section.matchAll(/```(\w+)\n(.*?)```/gs)];
    blocks = new Map(found.map(([, language = '', code = '']) => [language, code]));
  });

  afterAll(async () => {
    await runAsAdmin(process.env['TEST_TEMPLATE_OWNER_URL'] ?? '', `DROP ROLE IF EXISTS ${login()}`);
  });

  /** All databases of a server have the same roles. */
  const login = () => `login_${name.slice(-20)}`;

  it('describes a setup with which the service starts without a warning', async () => {
    const sql = (blocks.get('sql') ?? '')
      .replaceAll('filing_login', login())
      .replaceAll('DATABASE filing', `DATABASE ${name}`)
      .replace('…', PASSWORD);
    await runAsAdmin(database.ownerUrl, sql);
    const [, ini = ''] = (blocks.get('ini') ?? '').split('[pgbouncer]\n');
    const settings = [...ini.matchAll(/^(\w+) = (.*)$/gm)]
      .map(([, key = '', value = '']) => [key, value] as const)
      .filter(([key]) => !LOCAL.includes(key));
    expect(settings.length).toBeGreaterThan(5);
    const pooler = await PgBouncer.start(database.ownerUrl, {
      password: lookupPassword(),
      users: { [login()]: PASSWORD },
      settings: Object.fromEntries(settings),
    });
    const serviceUrl = new URL(pooler.through(database.ownerUrl));
    [serviceUrl.username, serviceUrl.password] = [login(), PASSWORD];
    try {
      const service = await DemoService.start(
        {
          DATABASE_URL: database.ownerUrl,
          DATABASE_DIRECT_URL: database.ownerUrl,
          DATABASE_SERVICE_URL: serviceUrl.toString(),
          DATABASE_PREPARED: 'false',
          DATABASE_STATEMENT_TIMEOUT_MS: '',
        },
        undefined,
        database,
      );
      try {
        expect(service.output).not.toContain('Warning: through the pooler');
        const response = await fetch(`${service.url}/api/v1/t/demo/files`, {
          headers: { Authorization: `Bearer ${await service.token('editor')}` },
        });
        expect(response.status).toBe(200);
      } finally {
        await service.stop();
      }
    } finally {
      await pooler.stop();
    }
  });
});
