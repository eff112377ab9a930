import { type QueryRunner } from 'typeorm';

/**
 * Creates or replaces a function that returns the tenants with a row of the table `t` that meets the condition; its
 * parameter `before` is a time. It reads as the owner of the table and returns only ids of tenants (docs/adr/0043).
 */
export async function tenantsFunction(
  db: QueryRunner,
  name: string,
  table: string,
  condition: string,
): Promise<void> {
  // Every tenant has the role of administrators: one index lookup for each tenant, regardless of the rows. PL/pgSQL,
  // because Citus does not accept parameters of functions in SQL.
  await db.query(`
    CREATE OR REPLACE FUNCTION ${name}(before timestamptz) RETURNS SETOF uuid
      LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp
    AS $$ BEGIN
      RETURN QUERY SELECT r.tenant_id FROM roles r
        WHERE r.key = 'administrator'
          AND EXISTS (SELECT FROM ${table} t WHERE t.tenant_id = r.tenant_id AND ${condition});
    END $$`);
  await db.query(`REVOKE ALL ON FUNCTION ${name} FROM PUBLIC`);
  await db.query(`GRANT EXECUTE ON FUNCTION ${name} TO filing_service_role`);
}
