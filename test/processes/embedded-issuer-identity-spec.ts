import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import pg from 'pg';
import { DEMO_USERS } from '../../src/platform/identity/embedded/demo-users.js';
import { EMBEDDED_ISSUER } from '../../src/platform/identity/issuer-url.js';
import { DemoService } from '../support/service/demo-service.js';
import { TestIssuer } from '../support/servers/issuer.js';
import { freeTestPort } from '../support/free-test-port.js';

/** URLs of the embedded issuer at earlier starts. */
const FORMER = 'http://127.0.0.1:3612/oidc';
const OTHER_FORMER = 'http://localhost:4000/oidc';
const FOREIGN = 'https://login.example/oidc';

interface Member {
  readonly userId: string;
  readonly issuer: string;
  readonly subject: string;
}

let first: DemoService;
let owner: pg.Client;

beforeAll(async () => {
  first = await DemoService.start();
  owner = new pg.Client({ connectionString: first.database.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await first.stop();
});

async function get<T>(service: DemoService, who: string, path: string): Promise<{ status: number; body: T }> {
  const response = await fetch(`${service.url}/api/v1/t/demo${path}`, {
    headers: { authorization: `Bearer ${await service.token(who)}` },
  });
  return { status: response.status, body: (await response.json()) as T };
}

/** User ids of all demo users. Fails if one of them has no access. */
async function usersOf(service: DemoService): Promise<Record<string, string>> {
  const users: Record<string, string> = {};
  for (const { subject, roleKey } of DEMO_USERS) {
    const { status, body } = await get<{ user: { id: string } }>(service, roleKey, '/me');
    expect({ subject, status }).toEqual({ subject, status: 200 });
    users[subject] = body.user.id;
  }
  return users;
}

async function addMember(service: DemoService, issuer: string, subject: string, roleId: string) {
  const response = await fetch(`${service.url}/api/v1/t/demo/members`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await service.token('administrator')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ issuer, subject, roleId }),
  });
  return { status: response.status, body: (await response.json()) as Member & { type?: string } };
}

async function insertUser(issuer: string, subject: string, email: string | null): Promise<string> {
  const id = randomUUID();
  await owner.query(
    `INSERT INTO users (id, issuer, subject, name_key, email, email_key, email_verified, created_at)
     VALUES ($1, $2, $3, $3, $4, $4, $4::text IS NOT NULL, '2020-01-01')`,
    [id, issuer, subject, email],
  );
  return id;
}

async function makeMember(userId: string): Promise<void> {
  await owner.query(
    `INSERT INTO members (tenant_id, user_id, role_id)
     SELECT tenant_id, $1, id FROM roles WHERE key = 'editor' AND tenant_id =
       (SELECT tenant_id FROM tenant_slugs WHERE slug = 'demo')`,
    [userId],
  );
}

async function issuersOf(subject: string): Promise<string[]> {
  const { rows } = await owner.query<{ issuer: string }>(
    'SELECT issuer FROM users WHERE subject = $1 ORDER BY issuer',
    [subject],
  );
  return rows.map(({ issuer }) => issuer);
}

describe('Users of the embedded issuer', () => {
  it('keep their access on another port, with tokens of the new URL', async () => {
    const users = await usersOf(first);
    const second = await DemoService.start({}, first);
    expect(second.url).not.toBe(first.url);
    expect(await usersOf(second)).toEqual(users);
    expect(decodeJwt(await second.token('editor')).iss).toBe(`${second.url}/oidc`);
    expect(second.output).not.toMatch(/Warning|Creating the tenant/);
    await second.stop();
  });

  it('can be added as members by the issuer’s URL or by its stable name', async () => {
    const second = await DemoService.start({}, first);
    const { body } = await get<{ items: Member[] }>(second, 'administrator', '/members');
    expect(new Set(body.items.map(({ issuer }) => issuer))).toEqual(new Set([`${second.url}/oidc`]));
    const roles = await get<{ items: { id: string; key: string }[] }>(second, 'administrator', '/roles');
    const roleId = roles.body.items.find(({ key }) => key === 'viewer')?.id ?? '';

    const added = await addMember(second, `${second.url}/oidc`, 'named@people.example', roleId);
    expect(added).toMatchObject({ status: 201, body: { issuer: `${second.url}/oidc` } });
    expect(await addMember(second, EMBEDDED_ISSUER, 'named@people.example', roleId)).toMatchObject({
      status: 409,
    });
    expect(await addMember(second, EMBEDDED_ISSUER, 'other@people.example', roleId)).toMatchObject({
      status: 201,
      body: { issuer: `${second.url}/oidc` },
    });
    await second.stop();
    const { status } = await get(first, 'named@people.example', '/me');
    expect(status).toBe(200);
  });

  it('have access even if the service cannot reach PUBLIC_URL', async () => {
    const port = await freeTestPort();
    const second = await DemoService.start({ PORT: String(port), PUBLIC_URL: 'http://127.0.0.1:1' }, first);
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/t/demo/me`, {
      headers: { authorization: `Bearer ${await second.token('editor')}` },
    });
    expect(response.status).toBe(200);
    await second.stop();
  });
});

describe('Users of release 0.1.0, which stored the URL of the embedded issuer', () => {
  /** Restores the former state: users are stored with the URL of the issuer. */
  async function makeFormer(): Promise<void> {
    await owner.query('UPDATE users SET issuer = $1 WHERE issuer = $2', [FORMER, EMBEDDED_ISSUER]);
  }

  it('are updated once when two instances start at the same time', async () => {
    const users = await usersOf(first);
    await makeFormer();
    const instances = await Promise.all([DemoService.start({}, first), DemoService.start({}, first)]);
    for (const instance of instances) expect(await usersOf(instance)).toEqual(users);
    const outputs = instances.map(({ output }) => output);
    expect(outputs.filter((output) => output.includes('no longer depend on its URL'))).toHaveLength(1);
    for (const instance of instances) await instance.stop();
    expect(await issuersOf('demo-editor')).toEqual([EMBEDDED_ISSUER]);
    const again = await DemoService.start({}, first);
    expect(again.output).not.toContain('no longer depend');
    await again.stop();
  });

  it('are updated if they are members; others with the same subject do not change', async () => {
    const users = await usersOf(first);
    await makeFormer();
    // Older, but not a member: from a start on another port.
    await insertUser(OTHER_FORMER, 'demo-administrator', 'administrator@demo.example');
    await insertUser(OTHER_FORMER, 'demo-editor', 'editor@demo.example');
    const alone = await insertUser(OTHER_FORMER, 'late@people.example', 'late@people.example');
    const second = await DemoService.start({}, first);
    expect(await usersOf(second)).toEqual(users);
    expect(second.output).not.toContain('Warning');
    await second.stop();
    expect(await issuersOf('demo-editor')).toEqual([OTHER_FORMER, EMBEDDED_ISSUER]);
    const { rows } = await owner.query('SELECT issuer FROM users WHERE id = $1', [alone]);
    expect(rows).toEqual([{ issuer: EMBEDDED_ISSUER }]);
    await owner.query('DELETE FROM users WHERE issuer = $1', [OTHER_FORMER]);
  });

  it('are reported if two with the same subject are members; the older one is kept', async () => {
    await usersOf(first);
    await makeFormer();
    await insertUser(OTHER_FORMER, 'demo-administrator', 'administrator@demo.example');
    const older = await insertUser(OTHER_FORMER, 'demo-viewer', 'viewer@demo.example');
    await makeMember(older);
    const second = await DemoService.start({}, first);
    expect(second.output).toContain(
      `Warning: there were two users demo-viewer. The memberships of the one with the issuer ${FORMER}`,
    );
    const { body } = await get<{ user: { id: string } }>(second, 'viewer', '/me');
    expect(body.user.id).toBe(older);
    await second.stop();
  });
});

describe('Users of another issuer', () => {
  it('do not change, and the start prints a warning with the issuer', async () => {
    // Added as a member by a tenant, so the issuer must not be taken for the embedded one.
    await insertUser(FOREIGN, 'demo-administrator', null);
    await insertUser(FOREIGN, 'administrator@demo.example', 'administrator@demo.example');
    await insertUser(FOREIGN, 'archivist', 'archivist@people.example');
    const second = await DemoService.start({}, first);
    await second.stop();
    expect(await issuersOf('archivist')).toEqual([FOREIGN]);
    expect(second.output).toContain(
      `Warning: users of ${FOREIGN} cannot log in (2): only access tokens of the embedded issuer are accepted. ` +
        `Set OIDC_ISSUER=${FOREIGN} to let them in, `,
    );
  });

  it('include those of the embedded issuer, also of its former URL, when another issuer is configured', async () => {
    await owner.query(`UPDATE users SET issuer = $1 WHERE issuer = $2 AND subject = 'demo-administrator'`, [
      FORMER,
      EMBEDDED_ISSUER,
    ]);
    const issuer = await TestIssuer.start();
    const second = await DemoService.start({ OIDC_ISSUER: issuer.url }, first);
    await second.stop();
    await issuer.stop();
    expect(second.output).toContain(`: only access tokens of ${issuer.url} are accepted.`);
    expect(second.output).toMatch(
      /users of the embedded issuer cannot log in \(\d+\): .* Unset OIDC_ISSUER to let them in/,
    );
    expect(second.output).toContain(`Set OIDC_ISSUER=${FOREIGN} `);
    expect(second.output).not.toContain(FORMER);
  });

  it('can be moved to the new URL of their issuer as in docs/operations.md', async () => {
    const issuer = await TestIssuer.start();
    const { rows } = await owner.query<{ id: string }>(
      'SELECT id FROM users WHERE issuer = $1 AND subject = $2',
      [FOREIGN, 'archivist'],
    );
    const id = rows[0]?.id ?? '';
    await makeMember(id);
    // A user who has already logged in with the new URL has a separate row.
    await insertUser(issuer.url, 'archivist', 'archivist@people.example');
    const guide = await readFile('docs/operations.md', 'utf8');
    const statements = [...guide.matchAll(/^ *UPDATE users .*;$/gm)].map(([statement]) => statement);
    expect(statements).toHaveLength(2);
    for (const statement of statements)
      await owner.query(
        statement
          .replace('https://id.example.com', issuer.url)
          .replace('https://login.example.com', FOREIGN)
          .replace('https://id.example.com', issuer.url),
      );
    const second = await DemoService.start({ OIDC_ISSUER: issuer.url }, first);
    expect(second.output).not.toContain(FOREIGN);
    const token = await issuer.token({ sub: 'archivist' });
    const response = await fetch(`${second.url}/api/v1/t/demo/me`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await response.json()).toMatchObject({ user: { id } });
    await second.stop();
    await issuer.stop();
  });
});

describe('Several instances with the embedded issuer', () => {
  it('create one demo tenant when they start at the same time on an empty database', async () => {
    const empty = await DemoService.start({ OIDC_ISSUER: 'http://127.0.0.1:1' });
    const instances = await Promise.all([DemoService.start({}, empty), DemoService.start({}, empty)]);
    const [one = {}, other] = await Promise.all(instances.map(usersOf));
    expect(other).toEqual(one);
    const outputs = instances.map(({ output }) => output);
    expect(outputs.filter((output) => output.includes('Creating the tenant demo'))).toHaveLength(1);
    for (const instance of instances) await instance.stop();
    await empty.stop();
  });
});
