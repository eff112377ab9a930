import { describe, expect, it } from '@jest/globals';
import { searchFold } from '../../../src/common/text.js';
import { service } from '../../support/service/shared-service.js';

/** Latin-1 Supplement to Latin Extended-B; further Latin letters are phonetic or medieval, or have a decomposition. */
const [FIRST, LAST] = [0xc0, 0x24f];
/** Letters with a sign beside them, which searches ignore or keep, and `unaccent` converts to a quote. */
const WITH_SIGN = ['ŉ', 'ŀ', 'Ŀ'];

describe('searchFold compared with unaccent', () => {
  it('folds each letter of European and African alphabets to the same base letters', async () => {
    const letters = Array.from({ length: LAST - FIRST + 1 }, (_, n) =>
      String.fromCodePoint(FIRST + n),
    ).filter((letter) => /\p{L}/u.test(letter) && !WITH_SIGN.includes(letter));
    const client = await service.owner.connect();
    try {
      await client.query('BEGIN; CREATE EXTENSION unaccent');
      const { rows } = await client.query<{ letter: string; base: string }>(
        'SELECT letter, unaccent(letter) AS base FROM unnest($1::text[]) AS l (letter)',
        [letters],
      );
      const converted = rows.filter(({ letter, base }) => base !== letter);
      expect(converted.length).toBeGreaterThan(300);
      expect(converted.map(({ letter }) => [letter, searchFold(letter)])).toEqual(
        converted.map(({ letter, base }) => [letter, base.toLowerCase()]),
      );
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });
});
