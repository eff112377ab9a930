import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type DataSource } from 'typeorm';
import { newId } from '../../../../src/common/identifier.js';
import { MigratedDatabase } from './migration.js';

const MIGRATION = 'DocumentTexts1763701300000';

describe('DocumentTexts migration', () => {
  let database: MigratedDatabase;
  let owner: DataSource;
  beforeAll(async () => {
    database = await MigratedDatabase.create();
    ({ owner } = database);
  });
  afterAll(() => database.drop());

  it('indexes the titles of all documents, in all tenants, and can be reverted', async () => {
    await database.undo(MIGRATION);
    const user = await database.insertUser();
    const tenants = [await database.insertTenant(), await database.insertTenant()];
    const ids: string[] = [];
    for (const tenant of tenants) {
      const id = newId();
      ids.push(id);
      await owner.query(
        `INSERT INTO documents (tenant_id, id, title, status, created_by, created_at)
         VALUES ($1, $2, 'Bau-Pläne', 'Active', $3, '2026-01-01T00:00:00Z')`,
        [tenant, id, user],
      );
    }
    // More than one batch.
    await owner.query(
      `INSERT INTO documents (tenant_id, id, title, status, created_by)
       SELECT $1, gen_random_uuid(), 'Weitere', 'Active', $2 FROM generate_series(1, 2500)`,
      [tenants[0], user],
    );

    await owner.runMigrations({ transaction: 'each' });

    const rows = await owner.query<object[]>(
      `SELECT tenant_id, document_id, part, created_at, text, vector::text FROM document_texts
        WHERE text <> 'Weitere' ORDER BY document_id`,
    );
    expect(rows).toEqual(
      ids.map((id, n) => ({
        tenant_id: tenants[n],
        document_id: id,
        part: 0,
        created_at: '2026-01-01T00:00:00.000Z',
        text: 'Bau-Pläne',
        vector: `'bau':1A 'bauplan':1,2 'bauplane':1A,2A 'plan':2 'plane':2A`,
      })),
    );
    const [others] = await owner.query<object[]>(
      `SELECT count(*)::int AS count FROM document_texts WHERE vector @@ 'weit:*'`,
    );
    expect(others).toEqual({ count: 2500 });
    const forced = await owner.query<object[]>(
      `SELECT relname FROM pg_class WHERE relname IN ('documents', 'document_texts') AND relforcerowsecurity`,
    );
    expect(forced).toHaveLength(2);
  });
});
