import { beforeAll, expect, it } from '@jest/globals';
import { describeMigration } from './migration.js';

describeMigration('SearchLetters1795860000000', (database) => {
  let user: string;
  beforeAll(async () => {
    user = await database.insertUser();
  });

  it('folds the search forms of files of all tenants, and leaves their texts to the task', async () => {
    const tenants = [await database.insertTenant(), await database.insertTenant()];
    for (const tenant of tenants) {
      const starts = ['ł', 'łø', 'æ', 'æs', 'l', 'lo', 'xæ'];
      await database.insertFile(tenant, user, { number: '1', text: 'łø-1\næsj lodz', starts });
      await database.insertFile(tenant, user, { number: '2', text: '2\narger', starts: ['2', 'a', 'ar'] });
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
