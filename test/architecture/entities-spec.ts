import { beforeAll, describe, expect, it } from '@jest/globals';
import { type ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { type EntityMetadata, DataSource } from 'typeorm';
import { service } from '../support/service/shared-service.js';

/** Tables that the service does not read or write. */
const WITHOUT_ENTITY = ['event_log_origin', 'migrations'];

interface ColumnRow {
  table: string;
  column: string;
  type: string;
  nullable: boolean;
  /** Position in the primary key, from 1; null for other columns. */
  key: number | null;
}

/** The PostgreSQL name of the type that an entity declares. */
function typeOf({ type, precision, isArray }: ColumnMetadata): string {
  const name = type === 'timestamptz' ? `timestamp(${precision}) with time zone` : String(type);
  return isArray ? `${name}[]` : name;
}

function describeRow({ column, type, nullable, key }: ColumnRow): string {
  return `${column} ${type}${nullable ? '' : ' not null'}${key === null ? '' : ` key ${key}`}`;
}

function describeEntity({ columns, primaryColumns }: EntityMetadata): string[] {
  return columns.map((column) => {
    const key = column.isPrimary ? ` key ${primaryColumns.indexOf(column) + 1}` : '';
    return `${column.databaseName} ${typeOf(column)}${column.isNullable ? '' : ' not null'}${key}`;
  });
}

describe('The entities', () => {
  let entities: Map<string, EntityMetadata>;
  const tables = new Map<string, ColumnRow[]>();
  beforeAll(async () => {
    entities = new Map(
      service.app.get(DataSource).entityMetadatas.map((metadata) => [metadata.tableName, metadata]),
    );
    const rows = await service.query<ColumnRow>(`
      SELECT c.relname AS table, a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type,
             NOT a.attnotnull AS nullable, array_position(i.indkey::int2[], a.attnum) + 1 AS key
        FROM pg_class c
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       ORDER BY c.relname, a.attnum`);
    for (const row of rows) tables.set(row.table, [...(tables.get(row.table) ?? []), row]);
  });

  it('exist for every table, and for no others', () => {
    const expected = [...tables.keys()].filter((table) => !WITHOUT_ENTITY.includes(table));
    expect([...entities.keys()].sort()).toEqual(expected.sort());
  });

  it('have the columns of their tables, with type, nullability and primary key', () => {
    const both = [...entities].filter(([table]) => tables.has(table));
    const fromEntities = both.map(([table, metadata]) => [table, describeEntity(metadata).sort()]);
    const fromTables = both.map(([table]) => [table, (tables.get(table) ?? []).map(describeRow).sort()]);
    expect(Object.fromEntries(fromEntities)).toEqual(Object.fromEntries(fromTables));
  });
});
