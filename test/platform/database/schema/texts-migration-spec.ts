import { expect, it } from '@jest/globals';
import { newId } from '../../../../src/common/identifier.js';
import { describeMigration } from './migration.js';

describeMigration('DocumentTexts1763701300000', (database) => {
  it('indexes the titles of all documents, in all tenants, and can be reverted', async () => {
    const user = await database.insertUser();
    const tenants = [await database.insertTenant(), await database.insertTenant()];
    const ids: string[] = [];
    for (const tenant of tenants) {
      const id = newId();
      ids.push(id);
      await database.query(
        `INSERT INTO documents (tenant_id, id, title, status, created_by, created_at)
         VALUES ($1, $2, 'Bau-Pläne', 'Active', $3, '2026-01-01T00:00:00Z')`,
        [tenant, id, user],
      );
    }
    // More than one batch.
    await database.query(
      `INSERT INTO documents (tenant_id, id, title, status, created_by)
       SELECT $1, gen_random_uuid(), 'Weitere', 'Active', $2 FROM generate_series(1, 2500)`,
      [tenants[0], user],
    );

    await database.migrate();

    const rows = await database.query(
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
    const [others] = await database.query(
      `SELECT count(*)::int AS count FROM document_texts WHERE vector @@ 'weit:*'`,
    );
    expect(others).toEqual({ count: 2500 });
  });
});
