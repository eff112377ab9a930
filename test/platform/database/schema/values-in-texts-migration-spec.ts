import { expect, it } from '@jest/globals';
import { describeMigration } from './migration.js';

describeMigration('ValuesInTexts1795900000000', (database) => {
  it('leaves the documents of existing types to the task, and new types have nothing to index', async () => {
    const tenant = await database.insertTenant();
    const insertType = (key: string) =>
      database.query(
        `INSERT INTO document_types (tenant_id, id, key, name_de, name_en, sort_key)
         VALUES ($1, gen_random_uuid(), $2, 'x', 'x', 'x')`,
        [tenant, key],
      );
    await insertType('former');

    await database.migrate();

    await insertType('new');
    expect(await database.query('SELECT key, index_before FROM document_types ORDER BY key')).toEqual([
      { key: 'former', index_before: 'ffffffff-ffff-ffff-ffff-ffffffffffff' },
      { key: 'new', index_before: null },
    ]);
  });
});
