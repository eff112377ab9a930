import { expect, it } from '@jest/globals';
import { describeMigration } from './migration.js';

describeMigration('SuspendedTenants1795870000000', (database) => {
  const schema = async () => ({
    columns: await database.query<{ column: string; mayUpdate: boolean }>(
      `SELECT c.relname AS table, a.attname AS column,
              has_column_privilege('filing_service_role', c.oid, a.attnum, 'UPDATE') AS "mayUpdate"
         FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
        WHERE c.relname IN ('tenants', 'access_versions') AND a.attname IN ('access_version', 'suspended_at') ORDER BY 1, 2`,
    ),
    policies: await database.query(
      `SELECT polname FROM pg_policy WHERE polrelid = 'tenants'::regclass ORDER BY polname`,
    ),
    deletion: await database.query(
      `SELECT has_table_privilege('filing_service_role', 'tenants', 'DELETE') AS "mayDelete"`,
    ),
  });

  it('suspends no existing tenant, lets only the owner suspend and delete, and can be reverted', async () => {
    const former = await schema();
    await database.insertTenant();
    await database.migrate();
    expect(await database.query('SELECT suspended_at FROM tenants')).toEqual([{ suspended_at: null }]);
    const { columns, deletion } = await schema();
    expect(columns).toHaveLength(former.columns.length * 2);
    for (const { column, mayUpdate } of columns) expect(mayUpdate).toBe(column === 'access_version');
    expect(deletion).toEqual([{ mayDelete: false }]);
    await database.undo();
    expect(await schema()).toEqual(former);
    await database.migrate();
  });
});
