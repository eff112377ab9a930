import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type DataSource } from 'typeorm';
import { searchFold } from '../../../src/common/text.js';
import { MigratedDatabase } from './schema/migration.js';

/** Latin-1 Supplement to Latin Extended-B; further Latin letters are phonetic or medieval, or have a decomposition. */
const [FIRST, LAST] = [0xc0, 0x24f];
/** Letters with a sign beside them, which searches ignore or keep, and `unaccent` converts to a quote. */
const WITH_SIGN = ['ŉ', 'ŀ', 'Ŀ'];

describe('searchFold compared with unaccent', () => {
  let database: MigratedDatabase;
  let owner: DataSource;
  beforeAll(async () => {
    database = await MigratedDatabase.create();
    ({ owner } = database);
    await owner.query('CREATE EXTENSION unaccent');
  });
  afterAll(() => database.drop());

  it('folds each letter of European and African alphabets to the same base letters', async () => {
    const letters = Array.from({ length: LAST - FIRST + 1 }, (_, n) =>
      String.fromCodePoint(FIRST + n),
    ).filter((letter) => /\p{L}/u.test(letter) && !WITH_SIGN.includes(letter));
    const rows = await owner.query<{ letter: string; base: string }[]>(
      'SELECT letter, unaccent(letter) AS base FROM unnest($1::text[]) AS l (letter)',
      [letters],
    );
    const converted = rows.filter(({ letter, base }) => base !== letter);
    expect(converted.length).toBeGreaterThan(300);
    expect(converted.map(({ letter }) => [letter, searchFold(letter)])).toEqual(
      converted.map(({ letter, base }) => [letter, base.toLowerCase()]),
    );
  });
});
