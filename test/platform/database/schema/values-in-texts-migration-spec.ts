import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ValuesInTexts1795900000000 } from '../../../../src/platform/database/schema/migrations/1795900000000-values-in-texts.js';
import { MigratedDatabase } from './migration.js';

describe('ValuesInTexts migration', () => {
  let database: MigratedDatabase;
  beforeAll(async () => {
    database = await MigratedDatabase.create();
    await database.undo(ValuesInTexts1795900000000.name);
  });
  afterAll(() => database.drop());

  it('leaves the documents of existing types to the task, and new types have nothing to index', async () => {
    const { owner } = database;
    const tenant = await database.insertTenant();
    const insertType = (key: string) =>
      owner.query(
        `INSERT INTO document_types (tenant_id, id, key, name_de, name_en, sort_key)
         VALUES ($1, gen_random_uuid(), $2, 'x', 'x', 'x')`,
        [tenant, key],
      );
    await insertType('former');

    await owner.runMigrations({ transaction: 'each' });

    await insertType('new');
    expect(await owner.query('SELECT key, index_before FROM document_types ORDER BY key')).toEqual([
      { key: 'former', index_before: 'ffffffff-ffff-ffff-ffff-ffffffffffff' },
      { key: 'new', index_before: null },
    ]);
  });
});
