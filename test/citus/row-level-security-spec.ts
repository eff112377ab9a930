import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { newId } from '../../src/common/identifier.js';
import { saveExpectedMember } from '../factories/roles.js';
import { nodeUrls } from '../support/database.js';
import { inDatabase } from '../support/database-nodes.js';
import { connectAsService, setLocal, tenantsInRows } from '../support/service-session.js';
import { service } from '../support/service/shared-service.js';
import { type TestTenant } from '../support/tenant.js';

const SHOW_SHARDS = `SET citus.show_shards_for_app_name_prefixes = '*'`;

/** Policies of the tables, or of the shards of a worker with the names of their tables. */
const POLICIES = `
  SELECT DISTINCT regexp_replace(tablename, '_\\d+$', '') AS table, policyname AS name, permissive, cmd, roles::text[], qual,
         with_check AS check
    FROM pg_policies WHERE schemaname = 'public' AND (tablename ~ '_\\d+$') = $1 ORDER BY 1, 2`;

describe('Row-level security on Citus', () => {
  let tenants: [TestTenant, TestTenant];
  let workers: pg.Client[];

  beforeAll(async () => {
    tenants = [await service.tenant(), await service.tenant()];
    const database = new URL(service.database.ownerUrl).pathname.slice(1);
    workers = nodeUrls()
      .slice(1)
      .map((url) => new pg.Client({ connectionString: inDatabase(url, database) }));
    for (const worker of workers) {
      await worker.connect();
      await worker.query(SHOW_SHARDS);
    }
  });
  afterAll(() => Promise.all(workers.map((worker) => worker.end())));

  it('has the same policies on the shards of each worker as on the tables', async () => {
    const tables = (await service.owner.query<{ table: string }>(POLICIES, [false])).rows;
    expect(tables).toContainEqual(expect.objectContaining({ table: 'files', name: 'tenant_wall' }));
    for (const worker of workers) {
      const shards = (await worker.query(POLICIES, [true])).rows;
      expect(shards).toEqual(tables);
    }
  });

  it('lets the service role use only rows of the tenant; without a tenant, those of the user and the queue', async () => {
    const setting = (name: string) => `NULLIF(current_setting('app.${name}'::text, true), ''::text)`;
    const ofTenant = `(tenant_id = (${setting('tenant_id')})::uuid)`;
    const { rows } = await service.owner.query<Record<'table' | 'name' | 'qual' | 'check', string>>(
      `SELECT tablename AS table, policyname AS name, qual, with_check AS check FROM pg_policies
        WHERE schemaname = 'public' AND roles <> ARRAY[current_user] AND tablename NOT IN ('tenants', 'tenant_slugs')
        ORDER BY 1, 2`,
    );
    const ofUser = rows.filter(({ name }) => name === 'rows_of_user').map(({ table, qual }) => [table, qual]);
    const withoutTenant = (condition: string) => `((${setting('tenant_id')} IS NULL) AND ${condition})`;
    expect(ofUser).toEqual([
      ['expected_members', withoutTenant(`(email_key = ${setting('user_email_key')})`)],
      ['members', withoutTenant(`(user_id = (${setting('user_id')})::uuid)`)],
      ['roles', withoutTenant(`(${setting('user_id')} IS NOT NULL)`)],
    ]);
    const ofAll = rows
      .filter(({ name }) => name === 'rows_without_tenant')
      .map(({ table, qual }) => [table, qual]);
    expect(ofAll).toEqual([['event_queue', `(${setting('tenant_id')} IS NULL)`]]);
    const others = rows.filter(({ name }) => name !== 'rows_of_user' && name !== 'rows_without_tenant');
    expect(others.length).toBeGreaterThan(20);
    for (const { table, name, qual, check } of others) {
      expect([table, name, qual]).toEqual([table, 'tenant_wall', ofTenant]);
      if (table !== 'audit_entries') expect(check).toBe(ofTenant);
    }
    expect(others.find(({ table }) => table === 'audit_entries')?.check).toBe(
      `(${ofTenant} AND (NOT (actor_id IS DISTINCT FROM (${setting('actor_id')})::uuid)) AND ` +
        `((occurred_at >= (now() - '00:10:00'::interval)) AND (occurred_at <= (now() + '00:10:00'::interval))))`,
    );
  });

  it('is enabled on each shard of a tenant table, and not forced, so that shards can move', async () => {
    for (const worker of workers) {
      const { rows } = await worker.query(
        `SELECT c.relname, c.relrowsecurity, c.relforcerowsecurity
           FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
          WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname ~ '_\\d+$'
            AND c.relname !~ '^tenant_slugs_' AND NOT (c.relrowsecurity AND NOT c.relforcerowsecurity)`,
      );
      expect(rows).toEqual([]);
    }
  });

  it('hides the rows of another tenant, and all rows without a tenant, on the workers', async () => {
    const [own, foreign] = tenants;
    let seen = 0;
    for (const worker of workers) {
      const { rows: shards } = await worker.query<{ name: string }>(
        `SELECT relname AS name FROM pg_class WHERE relname ~ '^roles_\\d+$' AND relkind = 'r'`,
      );
      await worker.query('BEGIN');
      await worker.query(
        `SET LOCAL ROLE ${pg.escapeIdentifier(new URL(service.database.serviceUrl).username)}`,
      );
      for (const { name } of shards) {
        const count = async (tenantId: string, filter: string) => {
          await worker.query(`SELECT set_config('app.tenant_id', $1, true)`, [tenantId]);
          const { rows } = await worker.query<{ count: number }>(
            `SELECT count(*)::int AS count FROM ${name} WHERE tenant_id = $1`,
            [filter],
          );
          return rows[0]?.count ?? 0;
        };
        expect(await count('', own.id)).toBe(0);
        expect(await count(foreign.id, own.id)).toBe(0);
        seen += await count(own.id, own.id);
      }
      await worker.query('ROLLBACK');
    }
    // The built-in roles of the tenant, on the shard that has them.
    expect(seen).toBeGreaterThan(0);
  });

  it('lets the service role change the access version of a tenant, but not suspend it', async () => {
    const [{ id }] = tenants;
    const client = await connectAsService(service);
    const change = async (assignment: string) => {
      await client.query('BEGIN');
      await setLocal(client, { tenant_id: id });
      const changed = client.query(`UPDATE access_versions SET ${assignment} WHERE tenant_id = $1`, [id]);
      return changed.finally(() => client.query('ROLLBACK'));
    };
    expect(await change('access_version = access_version + 1')).toMatchObject({ rowCount: 1 });
    for (const value of ['now()', 'NULL'])
      await expect(change(`suspended_at = ${value}`)).rejects.toMatchObject({ code: '42501' });
    await client.end();
  });

  it.each([
    ['tags', `(tenant_id, id, name, name_key) VALUES ($1, $2, 'x', 'x')`],
    [
      'audit_entries',
      `(tenant_id, id, action, subject_type, subject_id, summary) VALUES ($1, $2, 'FileCreated', 'File', $2, 'x')`,
    ],
  ])('refuses a row of another tenant in %s', async (table, row) => {
    const [own, foreign] = tenants;
    const client = await connectAsService(service);
    await client.query('BEGIN');
    await setLocal(client, { tenant_id: own.id, actor_id: '' });
    await expect(client.query(`INSERT INTO ${table} ${row}`, [foreign.id, newId()])).rejects.toMatchObject({
      code: '42501',
    });
    await client.end();
  });

  it('shows the memberships and the view own_tenants only of the given user or address', async () => {
    const [own, other] = [await service.tenant(), await service.tenant()];
    const [alice, bob] = [await own.as('auditor'), await other.as('viewer')];
    await saveExpectedMember(other, alice.email, await other.roleId('guest'));
    const client = await connectAsService(service);
    const rows = (settings: Record<string, string>, table: string) => tenantsInRows(client, settings, table);
    expect(await rows({ user_id: alice.userId }, 'own_tenants')).toEqual([own.id]);
    expect(await rows({ user_id: alice.userId }, 'members')).toEqual([own.id]);
    expect(await rows({ user_id: bob.userId }, 'own_tenants')).toEqual([other.id]);
    const address = { user_id: newId(), user_email_key: alice.email };
    expect(await rows(address, 'own_tenants')).toEqual([other.id]);
    expect(await rows(address, 'expected_members')).toEqual([other.id]);
    const inTenant = { user_id: alice.userId, tenant_id: other.id };
    expect(await rows(inTenant, 'own_tenants')).toEqual([]);
    expect(new Set(await rows(inTenant, 'members'))).toEqual(new Set([other.id]));
    for (const table of ['own_tenants', 'members', 'expected_members', 'roles'])
      expect(await rows({}, table)).toEqual([]);
    await client.end();
  });
});
