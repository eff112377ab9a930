import { beforeAll, expect, it } from '@jest/globals';
import { newId } from '../../../../src/common/identifier.js';
import { describeMigration } from './migration.js';

describeMigration('SearchLetters1795860000000', (database) => {
  let user: string;
  beforeAll(async () => {
    user = await database.insertUser();
  });

  async function insertFile(tenant: string, number: string, text: string, starts: readonly string[]) {
    const [type] = await database.query<{ id: string }>(
      `INSERT INTO file_types (tenant_id, id, key, name_de, name_en, sort_key)
       VALUES ($1, gen_random_uuid(), $2, 'x', 'x', 'x') RETURNING id`,
      [tenant, number],
    );
    await database.query(
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

    await database.migrate();

    const files = await database.query(
      'SELECT search_text AS text, search_starts AS starts FROM files ORDER BY number, tenant_id',
    );
    const [folded, plain] = [
      { text: 'lo-1\naesj lodz', starts: ['l', 'lo', 'a', 'ae', 'x', 'xa'] },
      { text: '2\narger', starts: ['2', 'a', 'ar'] },
    ];
    expect(files).toEqual([folded, folded, plain, plain]);
    const foldings = await database.query<{ tenant_id: string }>('SELECT tenant_id FROM text_foldings');
    expect(foldings.map(({ tenant_id }) => tenant_id).sort()).toEqual([...tenants].sort());
  });
});
