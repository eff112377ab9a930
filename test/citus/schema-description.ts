import { runAsAdmin } from '../support/database-nodes.js';

/** What a migrated and distributed schema consists of. Each query returns texts. */
const PARTS = {
  columns: `SELECT table_name || ' ' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '') AS text
              FROM information_schema.columns WHERE table_schema = 'public'`,
  constraints: `SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || ' ' || convalidated AS text
                  FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND conrelid <> 0`,
  indexes: `SELECT indexdef AS text FROM pg_indexes WHERE schemaname = 'public'`,
  policies: `SELECT tablename || ' ' || policyname || ' ' || permissive || ' ' || cmd || ' ' || roles::text || ' ' ||
                    coalesce(qual, '') || ' ' || coalesce(with_check, '') AS text
               FROM pg_policies WHERE schemaname = 'public'`,
  rowLevelSecurity: `SELECT relname || ' ' || relrowsecurity || ' ' || relforcerowsecurity AS text
                       FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
  privileges: `SELECT relname || ' ' || coalesce(relacl::text, '') AS text FROM pg_class WHERE relnamespace = 'public'::regnamespace`,
  columnPrivileges: `SELECT attrelid::regclass || ' ' || attname || ' ' || attacl::text AS text
                       FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
                      WHERE attacl IS NOT NULL AND c.relnamespace = 'public'::regnamespace`,
  distribution: `SELECT logicalrelid || ' ' || partmethod::text || ' ' || coalesce(column_to_column_name(logicalrelid, partkey), 'reference') AS text
                   FROM pg_dist_partition`,
};

export type SchemaDescription = Readonly<Record<string, readonly string[]>>;

/** Shards are tables in the same schema on their node, and on the coordinator for reference tables. */
const IS_SHARD = /^(CREATE .* ON public\.)?\w+_\d{6}\b/;

/** @param url of the coordinator */
export async function describeSchema(url: string): Promise<SchemaDescription> {
  const parts = await Promise.all(
    Object.entries(PARTS).map(async ([part, query]) => {
      const rows = await runAsAdmin<{ text: string }>(url, query);
      const texts = rows.map(({ text }) => text).filter((text) => !IS_SHARD.test(text));
      return [part, texts.sort()] as const;
    }),
  );
  return Object.fromEntries(parts);
}

/** Number and hash of the rows of each table, read by the superuser. */
export async function describeRows(url: string): Promise<Record<string, string>> {
  const tables = await runAsAdmin<{ name: string }>(
    url,
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY relname`,
  );
  const result: Record<string, string> = {};
  for (const { name } of tables.filter((table) => !IS_SHARD.test(table.name))) {
    const [row] = await runAsAdmin<{ print: string }>(
      url,
      `SELECT count(*) || ' ' || md5(coalesce(string_agg(t::text, E'\\n' ORDER BY t::text), '')) AS print FROM ${name} t`,
    );
    result[name] = row?.print ?? '';
  }
  return result;
}
