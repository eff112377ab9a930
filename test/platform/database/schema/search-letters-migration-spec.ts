import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type DataSource } from 'typeorm';
import { newId } from '../../../../src/common/identifier.js';
import { SearchLetters1795860000000 } from '../../../../src/platform/database/schema/migrations/1795860000000-search-letters.js';
import { MigratedDatabase } from './migration.js';

describe('SearchLetters migration', () => {
  let database: MigratedDatabase;
  let owner: DataSource;
  let user: string;
  beforeAll(async () => {
    database = await MigratedDatabase.create();
    ({ owner } = database);
    await database.undo(SearchLetters1795860000000.name);
    user = await database.insertUser();
  });
  afterAll(() => database.drop());

  async function insertFile(tenant: string, number: string, text: string, starts: readonly string[]) {
    const [type] = await owner.query<{ id: string }[]>(
      `INSERT INTO file_types (tenant_id, id, key, name_de, name_en, sort_key)
       VALUES ($1, gen_random_uuid(), $2, 'x', 'x', 'x') RETURNING id`,
      [tenant, number],
    );
    await owner.query(
      `INSERT INTO files (tenant_id, id, file_type_id, number, number_key, name, search_text, search_starts, created_by)
       VALUES ($1, $2, $3, $4, $4, 'x', $5, $6, $7)`,
      [tenant, newId(), type?.id, number, text, starts, user],
    );
  }

  it('folds the search forms of files of all tenants, and leaves their texts to the task', async () => {
    const tenants = [await database.insertTenant(), await database.insertTenant()];
    for (const tenant of tenants) {
      await insertFile(tenant, '1', 'łø-1\næsj lodz', ['ł', 'łø', 'æ', 'æs', 'l', 'lo', 'xæ']);
      await insertFile(tenant, '2', '2\narger', ['2', 'a', 'ar']);
    }

    await owner.runMigrations({ transaction: 'each' });

    const files = await owner.query<object[]>(
      'SELECT search_text AS text, search_starts AS starts FROM files ORDER BY number, tenant_id',
    );
    const [folded, plain] = [
      { text: 'lo-1\naesj lodz', starts: ['l', 'lo', 'a', 'ae', 'x', 'xa'] },
      { text: '2\narger', starts: ['2', 'a', 'ar'] },
    ];
    expect(files).toEqual([folded, folded, plain, plain]);
    const foldings = await owner.query<{ tenant_id: string }[]>('SELECT tenant_id FROM text_foldings');
    expect(foldings.map(({ tenant_id }) => tenant_id).sort()).toEqual([...tenants].sort());
    const forced = await owner.query<object[]>(
      `SELECT FROM pg_class WHERE relforcerowsecurity AND relname IN ('files', 'text_foldings')`,
    );
    expect(forced).toHaveLength(2);
  });
});
