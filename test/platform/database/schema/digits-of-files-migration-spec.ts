import { expect, it } from '@jest/globals';
import { fileSearchKeys } from '../../../../src/resources/files/file-search.js';
import { describeMigration } from './migration.js';

/** Numbers and names of files. */
const FILES: readonly (readonly [number: string, name: string])[] = [
  ['AZ-2026/00004711', 'Neubau'],
  ['00000000', '030123456 und 030123456789'],
  ['12345', '6'],
  ['a٠١٢٣٤٥', 'x'],
  ['1', ''],
];

describeMigration('DigitsOfFiles1795950000000', (database) => {
  it('gives the files of all tenants the sequences of digits that new ones have, also a second time', async () => {
    const user = await database.insertUser();
    const keys = FILES.map(([number, name]) => ({ number, ...fileSearchKeys(number, name) }));
    for (const tenant of [await database.insertTenant(), await database.insertTenant()])
      for (const { number, searchText: text, searchStarts } of keys)
        await database.insertFile(tenant, user, {
          ...{ number, text },
          starts: searchStarts.filter((start) => start.length < 6),
        });
    const read = () =>
      database.query<{ number: string; starts: string[] }>(
        'SELECT number, search_starts AS starts FROM files ORDER BY number COLLATE "C", tenant_id',
      );
    const before = await read();

    await database.migrate();
    const after = await read();
    await database.undo();
    expect(await read()).toEqual(before);
    await database.migrate();

    expect(await read()).toEqual(after);
    const expected = new Map(keys.map(({ number, searchStarts }) => [number, [...searchStarts].sort()]));
    expect(after).toHaveLength(2 * FILES.length);
    for (const { number, starts } of after) expect([...starts].sort()).toEqual(expected.get(number));
    expect(expected.get('AZ-2026/00004711')).toEqual(expect.arrayContaining(['000047', '000471', '004711']));
  });
});
