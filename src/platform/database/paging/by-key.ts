interface KeyedRow {
  /** Column that is compared with the key. Default: `id`. */
  readonly column?: string;
  /** Further condition on the row. */
  readonly condition?: string;
}

/**
 * JOIN with the row of a table of the tenant `$1` that has a key of the row before. `OFFSET 0` makes it a query of its own,
 * for which PostgreSQL uses the index of the key. A plain join is planned with all of the statement: next to the cost of a
 * search with many conditions, a scan of the whole table for each key looks free. In a statement with few conditions, a plain
 * join is cheaper: row-level security then compares the tenant once, and not for each key.
 *
 * @param key SQL expression, such as `found.id`
 */
export function byKey(
  table: string,
  alias: string,
  key: string,
  { column = 'id', condition = 'true' }: KeyedRow = {},
): string {
  return `CROSS JOIN LATERAL (SELECT * FROM ${table} ${alias}
    WHERE ${alias}.tenant_id = $1 AND ${alias}.${column} = ${key} AND ${condition} OFFSET 0) ${alias}`;
}

/** {@link byKey} for the user `u` with an id. The table has the users of all tenants. */
export function userByKey(key: string): string {
  return `CROSS JOIN LATERAL (SELECT * FROM users u WHERE u.id = ${key} OFFSET 0) u`;
}
