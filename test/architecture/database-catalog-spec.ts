import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

/** Tables without a tenant, with the reason. All other tables, also future ones, must isolate tenants. */
const GLOBAL_TABLES: Record<string, string> = {
  users: 'a user can be a member of many tenants',
  tenants: 'all other tables refer to it',
  tenant_slugs: 'a slug is unique among all tenants and is looked up before the tenant is known',
  service_secrets: 'keys of the service',
  event_log_origin: 'the server of the event logs; the service role cannot read it',
  migrations: 'written by TypeORM',
};

const TENANT_ID = `(NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid`;
const TENANT_CONDITION = `(tenant_id = ${TENANT_ID})`;
const TENANT_CONDITION_ONCE = `(tenant_id = ( SELECT ${TENANT_ID} AS "nullif"))`;

/** The view with the rows of one user in all tenants (docs/adr/0032). */
const OWN_TENANTS = 'own_tenants';

/** Views of the event queue of all tenants, with their columns (docs/adr/0039). */
const QUEUE_VIEWS: Record<string, string[]> = {
  event_backlog: ['waiting', 'oldest_id', 'oldest_at'],
  queued_tenants: ['tenant_id', 'oldest_id', 'queued_at'],
};

/** The indexes of that view; they begin with the user instead of the tenant. */
const INDEXES_BY_USER = ['ix_expected_members_email_key', 'ix_members_user'];

/** Begins with the field, which belongs to one tenant (docs/adr/0007). */
const INDEX_BY_FIELD = 'ix_document_values_contains';

/** The search view whose condition keeps PostgreSQL from looking up the tenant in an index (docs/adr/0007). */
const VIEW_BY_WORD = 'document_texts_by_word';

const TABLES = `c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')`;

/** Condition for objects that do not belong to an extension. */
const OWN = (oid: string) =>
  `NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = ${oid} AND d.deptype = 'e')`;

const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

describe('The database catalog', () => {
  let database: TestDatabase;
  let owner: pg.Client;
  let service: pg.Client;
  let tables: string[];
  let tenantTables: string[];
  beforeAll(async () => {
    database = await createTestDatabase();
    owner = new pg.Client({ connectionString: database.ownerUrl });
    service = new pg.Client({ connectionString: database.serviceUrl });
    await Promise.all([owner.connect(), service.connect()]);
    tables = (
      await owner.query<{ name: string }>(`SELECT relname AS name FROM pg_class c WHERE ${TABLES} ORDER BY 1`)
    ).rows.map(({ name }) => name);
    tenantTables = tables.filter((name) => !(name in GLOBAL_TABLES));
  });
  afterAll(async () => {
    await Promise.all([owner.end(), service.end()]);
    await database.drop();
  });

  async function list(sql: string, values: unknown[] = []): Promise<string[]> {
    const { rows } = await owner.query<{ line: string }>(sql, values);
    return rows.map(({ line }) => line);
  }

  it('has all tables of GLOBAL_TABLES', () => {
    expect(Object.keys(GLOBAL_TABLES).filter((name) => !tables.includes(name))).toEqual([]);
    expect(tenantTables.length).toBeGreaterThan(10);
  });

  describe('for tenant isolation', () => {
    it('has a tenant_id that is not null in every table', async () => {
      const found = await list(
        `SELECT c.relname AS line FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
          WHERE ${TABLES} AND a.attname = 'tenant_id' AND a.attnotnull AND a.atttypid = 'uuid'::regtype`,
      );
      expect(tenantTables.filter((name) => !found.includes(name))).toEqual([]);
    });

    it('has forced row-level security with the policy tenant_wall on every table', async () => {
      const secured = await list(
        `SELECT c.relname AS line FROM pg_class c WHERE ${TABLES} AND c.relrowsecurity AND c.relforcerowsecurity`,
      );
      expect(tenantTables.filter((name) => !secured.includes(name))).toEqual([]);
      // Ignore policies for the owner, which do not apply to the service role (docs/adr/0007).
      const { rows } = await owner.query<Record<'table' | 'policy', string>>(
        `SELECT tablename AS table, concat_ws(' ', policyname, permissive, cmd, roles, 'USING', qual, 'CHECK', with_check) AS policy
           FROM pg_policies WHERE schemaname = 'public' AND permissive = 'PERMISSIVE' AND roles <> ARRAY[current_user] ORDER BY tablename`,
      );
      const policies = rows.filter(({ table }) => tenantTables.includes(table));
      const expected = `tenant_wall PERMISSIVE ALL {public} USING ${TENANT_CONDITION_ONCE} CHECK ${TENANT_CONDITION_ONCE}`;
      expect(policies).toEqual(tenantTables.map((table) => ({ table, policy: expected })));
    });

    it('has one restrictive policy, for inserts into the audit log', async () => {
      const { rows } = await owner.query(
        `SELECT concat_ws(' ', tablename, policyname, cmd, roles, qual, with_check) AS policy
           FROM pg_policies WHERE schemaname = 'public' AND permissive = 'RESTRICTIVE'`,
      );
      const actor = `(NULLIF(current_setting('app.actor_id'::text, true), ''::text))::uuid`;
      expect(rows).toEqual([
        {
          policy: `audit_entries actor_of_transaction INSERT {public} (NOT (actor_id IS DISTINCT FROM ${actor}))`,
        },
      ]);
    });

    it('has search views with the tenant condition and without write privileges', async () => {
      const { rows } = await owner.query<Record<'view' | 'definition', string>>(
        `SELECT c.relname AS view, pg_get_viewdef(c.oid) AS definition
           FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('v', 'm') AND ${OWN('c.oid')}`,
      );
      expect(rows.filter(({ view }) => view === OWN_TENANTS)).toHaveLength(1);
      const isSearchView = (view: string) => view !== OWN_TENANTS && !(view in QUEUE_VIEWS);
      for (const { view, definition } of rows.filter(({ view }) => isSearchView(view))) {
        const table = view.replace(/_(search|by_word)$/, '');
        const condition = view === VIEW_BY_WORD ? `(${TENANT_CONDITION_ONCE} IS TRUE)` : TENANT_CONDITION;
        expect(tenantTables).toContain(table);
        // PostgreSQL 15 and older qualify the columns with the table.
        expect(definition.replace(/\s+/g, ' ').replaceAll(`${table}.`, '')).toMatch(
          new RegExp(`^ SELECT [a-z0-9_, ]+ FROM ${table} WHERE ${escape(condition)};$`),
        );
        const { rows: privileges } = await service.query<{ writes: boolean }>(
          `SELECT has_table_privilege($1, 'INSERT, UPDATE, DELETE') AS writes`,
          [view],
        );
        expect(privileges).toEqual([{ writes: false }]);
      }
    });

    it.each([
      [
        'the rows of the user of the transaction',
        OWN_TENANTS,
        ['tenant_id', 'role_id', 'role_key', 'role_name'],
      ],
      ...Object.entries(QUEUE_VIEWS).map(
        ([view, columns]) => [`columns of the event queue (${view})`, view, columns] as const,
      ),
    ])('has a view across tenants with only %s', async (_, view, columns) => {
      const { rows } = await service.query(
        `SELECT (SELECT array_agg(attname::text ORDER BY attnum) FROM pg_attribute
                  WHERE attrelid = c.oid AND attnum > 0) AS columns, c.reloptions AS options,
                has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE') AS writes
           FROM pg_class c WHERE c.oid = $1::regclass`,
        [view],
      );
      expect(rows).toEqual([
        {
          columns,
          options: ['security_barrier=true'],
          writes: false,
        },
      ]);
    });

    it('begins every primary key, unique constraint and index with tenant_id', async () => {
      const { rows } = await owner.query<Record<'table' | 'index' | 'first', string>>(
        `SELECT c.relname AS table, i.relname AS index, a.attname AS first
           FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
           LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = x.indkey[0]
          WHERE ${TABLES} ORDER BY 1, 2`,
      );
      const indexes = rows.filter(({ table }) => tenantTables.includes(table));
      expect(indexes.filter(({ first }) => first !== 'tenant_id').map(({ index }) => index)).toEqual([
        INDEX_BY_FIELD,
        ...INDEXES_BY_USER,
      ]);
      const keyed = await list(
        `SELECT c.relname AS line FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid WHERE x.indisprimary`,
      );
      expect(tenantTables.filter((table) => !keyed.includes(table))).toEqual([]);
    });

    it('begins every foreign key between tenant tables with tenant_id on both sides', async () => {
      const { rows } = await owner.query<Record<'name' | 'from' | 'to' | 'column' | 'target', string>>(
        `SELECT k.conname AS name, c.relname AS from, t.relname AS to, a.attname AS column, b.attname AS target
           FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class t ON t.oid = k.confrelid
           JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.conkey[1]
           JOIN pg_attribute b ON b.attrelid = t.oid AND b.attnum = k.confkey[1]
          WHERE k.contype = 'f' AND ${TABLES} ORDER BY 1`,
      );
      const isTenants = (table: string) => tenantTables.includes(table);
      const between = rows.filter(({ from, to }) => isTenants(from) && isTenants(to));
      expect(between.length).toBeGreaterThan(5);
      expect(
        between
          .filter(({ column, target }) => column !== 'tenant_id' || target !== 'tenant_id')
          .map(({ name }) => name),
      ).toEqual([]);
      // Citus does not allow a reference table to refer to a distributed table.
      expect(
        rows.filter(({ from, to }) => !isTenants(from) && isTenants(to)).map(({ name }) => name),
      ).toEqual([]);
      const anchored = rows
        .filter(({ to, column }) => to === 'tenants' && column === 'tenant_id')
        .map(({ from }) => from);
      expect(tenantTables.filter((table) => !anchored.includes(table))).toEqual([]);
    });

    it('has an index for each foreign key between tenant tables, except to two with few rows', async () => {
      expect(
        await list(
          `SELECT k.conname AS line FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
            WHERE k.contype = 'f' AND cardinality(k.conkey) > 1 AND ${TABLES}
              AND NOT EXISTS (
                SELECT FROM pg_index x WHERE x.indrelid = k.conrelid AND (x.indkey::int2[])[0:1] @> k.conkey[1:2]
                   AND coalesce(pg_get_expr(x.indpred, x.indrelid) ~ '^[(]\\w+ IS NOT NULL[)]$', true))
            ORDER BY 1`,
        ),
      ).toEqual(['fk_disposals_file_type', 'fk_expected_members_role']);
    });

    it('has no triggers or foreign tables, no sequence but that of the migrations, no functions but those for ids', async () => {
      expect(await list(`SELECT tgname AS line FROM pg_trigger WHERE NOT tgisinternal`)).toEqual([]);
      expect(
        await list(
          `SELECT c.relname AS line FROM pg_class c
            WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('S', 'f') AND ${OWN('c.oid')}`,
        ),
      ).toEqual(['migrations_id_seq']);
      expect(
        await list(
          `SELECT p.proname AS line FROM pg_proc p
            WHERE p.pronamespace = 'public'::regnamespace AND ${OWN('p.oid')}
              AND NOT (p.proname ~ '^tenants_with_' AND p.proretset AND p.prorettype = 'uuid'::regtype)`,
        ),
      ).toEqual(['search_shares']);
    });

    it('shows no rows to the service role when no tenant is set', async () => {
      await owner.query(
        `INSERT INTO tenants (id, name) VALUES ('0199f7a4-6c1e-7b52-9d2e-000000000001', 'One')`,
      );
      await owner.query(
        `INSERT INTO roles (tenant_id, id, name, name_key, permissions)
         VALUES ('0199f7a4-6c1e-7b52-9d2e-000000000001', '0199f7a4-6c1e-7b52-9d2e-000000000002', 'R', 'r', '{}')`,
      );
      const views = await list(
        `SELECT c.relname AS line FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'v' AND ${OWN('c.oid')}`,
      );
      for (const table of [...tenantTables, ...views.filter((view) => !(view in QUEUE_VIEWS))]) {
        const { rows } = await service.query<{ count: number }>(
          `SELECT count(*)::int AS count FROM ${table}`,
        );
        expect({ table, ...rows[0] }).toEqual({ table, count: 0 });
      }
      const { rows } = await owner.query('SELECT FROM roles');
      expect(rows).toHaveLength(1);
    });
  });

  describe('for the service role', () => {
    it('has no special attributes, and is a member of filing_service_role only', async () => {
      const { rows } = await service.query(
        `SELECT rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication,
                ARRAY(SELECT g.rolname::text FROM pg_roles g WHERE pg_has_role(r.oid, g.oid, 'MEMBER') AND g.oid <> r.oid) AS groups
           FROM pg_roles r WHERE rolname IN (current_user, 'filing_service_role') ORDER BY rolname = current_user`,
      );
      const plain = {
        rolsuper: false,
        rolbypassrls: false,
        rolcreaterole: false,
        rolcreatedb: false,
        rolreplication: false,
      };
      expect(rows).toEqual([
        { ...plain, groups: [] },
        { ...plain, groups: ['filing_service_role'] },
      ]);
    });

    it('has no objects owned by the role, and no CREATE privilege', async () => {
      const { rows } = await service.query(
        `SELECT (SELECT count(*)::int FROM pg_shdepend d JOIN pg_roles r ON r.oid = d.refobjid
                  WHERE d.deptype = 'o' AND r.rolname IN (current_user, 'filing_service_role')) AS owned,
                has_schema_privilege('public', 'CREATE') AS schema, has_database_privilege(current_database(), 'CREATE') AS database`,
      );
      expect(rows).toEqual([{ owned: 0, schema: false, database: false }]);
    });

    it('has no TRUNCATE, REFERENCES or TRIGGER privilege, which bypass row-level security', async () => {
      for (const table of tables) {
        const { rows } = await service.query<{ truncates: boolean; refers: boolean; triggers: boolean }>(
          `SELECT has_table_privilege($1, 'TRUNCATE') AS truncates, has_table_privilege($1, 'REFERENCES') AS refers,
                  has_table_privilege($1, 'TRIGGER') AS triggers`,
          [table],
        );
        expect({ table, ...rows[0] }).toEqual({ table, truncates: false, refers: false, triggers: false });
      }
    });

    it.each([
      ['audit_entries', 'INSERT', ['occurred_at']],
      ['notifications', 'INSERT', ['created_at', 'read_at']],
      [
        'tenants',
        'UPDATE',
        [
          'built_in_roles',
          'created_at',
          'id',
          'name',
          'rate_limit_burst',
          'rate_limit_per_minute',
          'storage_limit',
          'suspended_at',
          'updated_at',
        ],
      ],
      [
        'notifications',
        'UPDATE',
        ['created_at', 'document_id', 'file_id', 'id', 'parameters', 'tenant_id', 'type', 'user_id'],
      ],
    ])('refuses to write the protected columns of %s on %s', async (table, privilege, columns) => {
      const { rows } = await service.query<{ columns: string[] }>(
        `SELECT array_agg(attname::text ORDER BY attname) AS columns FROM pg_attribute
          WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped
            AND NOT has_column_privilege(attrelid, attnum, $2)`,
        [table, privilege],
      );
      expect(rows).toEqual([{ columns }]);
    });

    it.each([
      'UPDATE audit_entries SET summary = NULL',
      'DELETE FROM audit_entries',
      'TRUNCATE audit_entries',
      'DROP TABLE audit_entries',
    ])('refuses %s', async (statement) => {
      await expect(service.query(statement)).rejects.toMatchObject({ code: '42501' });
    });

    it.each([
      'SET ROLE postgres',
      'ALTER TABLE files DISABLE ROW LEVEL SECURITY',
      'DROP POLICY tenant_wall ON files',
      'CREATE TABLE mine (id int)',
    ])('prevents %s', async (statement) => {
      const { rows } = await owner.query<{ owner: string }>('SELECT current_user AS owner');
      await expect(
        service.query(statement.replace('postgres', pg.escapeIdentifier(rows[0]?.owner ?? ''))),
      ).rejects.toMatchObject({ code: '42501' });
    });
  });
});
