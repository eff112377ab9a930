import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTenant } from '../support/create-tenant.js';
import { type TestDatabase, createTestDatabase } from '../support/database.js';
import { databaseEnvironment } from '../support/pooler.js';
import { PgBouncer } from '../support/servers/pgbouncer.js';
import { DemoService } from '../support/service/demo-service.js';
import { waitUntil } from '../support/wait-until.js';

const TENANTS = ['first', 'second'];
const ADMINISTRATOR = 'administrator@people.example';
const DOCUMENTS = 5;

interface Resource {
  readonly id: string;
}

describe('A service on Citus behind PgBouncer', () => {
  let pooler: PgBouncer;
  let database: TestDatabase;
  let service: DemoService;
  let token: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    // Requests of all tenants take turns on one connection to the coordinator.
    pooler = await PgBouncer.startFor(database.ownerUrl, { default_pool_size: '1' });
    const environment = databaseEnvironment(database.ownerUrl, pooler.through(database.ownerUrl));
    service = await DemoService.start(
      { ...environment, RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_BURST: '1000000' },
      undefined,
      database,
    );
    token = await service.token(ADMINISTRATOR);
    for (const slug of TENANTS)
      await createTenant(database.ownerUrl, {
        slug,
        name: slug,
        expectedMembers: [{ email: ADMINISTRATOR, roleKey: 'administrator' }],
      });
  });
  afterAll(async () => {
    await service?.stop();
    await pooler.stop();
  });

  async function send<T>(slug: string, method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`${service.url}/api/v1/t/${slug}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && !(body instanceof FormData) && { 'content-type': 'application/json' }),
      },
      ...(body && { body: body instanceof FormData ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    expect({ path, text, ok: response.ok }).toEqual({ path, text, ok: true });
    return JSON.parse(text) as T;
  }

  async function search(slug: string, words: string): Promise<string[]> {
    const { items } = await send<{ items: Resource[] }>(slug, 'GET', `/documents?q=${words}`);
    return items.map(({ id }) => id);
  }

  /** Files documents, and waits until a search finds each by its text. */
  async function fileDocuments(slug: string): Promise<void> {
    const type = { key: 'letters', nameDe: 'Schriftverkehr', nameEn: 'Letters' };
    const { id: fileTypeId } = await send<Resource>(slug, 'POST', '/file-types', type);
    const file = await send<Resource>(slug, 'POST', '/files', { fileTypeId, number: slug, name: slug });
    for (let number = 1; number <= DOCUMENTS; number += 1) {
      const form = new FormData();
      const document = { title: `Letter ${number}`, fileIds: [file.id] };
      form.append('document', new Blob([JSON.stringify(document)], { type: 'application/json' }));
      form.append('content', new Blob([`${slug}word${number}`], { type: 'text/plain' }), 'letter.txt');
      const { id } = await send<Resource>(slug, 'POST', '/documents', form);
      await waitUntil(
        async () => (await search(slug, `${slug}word${number}`)).includes(id),
        `the document ${number} of ${slug}`,
      );
    }
  }

  it('files documents of two tenants over one connection; a search finds only those of its tenant', async () => {
    await Promise.all(TENANTS.map(fileDocuments));
    const [first = '', second = ''] = TENANTS;
    expect(await search(first, `${second}word1`)).toEqual([]);
    expect(await search(second, `${first}word1`)).toEqual([]);
    expect(await search(second, `${second}word1`)).toHaveLength(1);
    const pools = await pooler.command<{
      database: string;
      user: string;
      sv_active: number;
      sv_idle: number;
    }>('SHOW POOLS');
    const name = new URL(database.ownerUrl).pathname.slice(1);
    const used = pools.filter(({ database: pool, user }) => pool === name && user === `${name}_service`);
    expect(used).toHaveLength(1);
    expect(Number(used[0]?.sv_active) + Number(used[0]?.sv_idle)).toBe(1);
  });
});
