import { describe, expect, it, jest } from '@jest/globals';
import { lookupFolding } from 'unicode-case-folding';
import {
  caseFold,
  codePointLength,
  hasControlCharacters,
  hasTooManyMarks,
  isUuid,
  nameKey,
  normalizeText,
  searchFold,
} from '../../src/common/text.js';
import { sized } from '../support/exhaustive.js';

/** The planes with the characters that have other forms, but the ideographs of compatibility of plane 2. */
const LAST_CODE_POINT = sized(0x1ffff, 0x10ffff);

/** Code points of well-formed strings. */
function* scalarValues(): Generator<number> {
  for (let codePoint = 0; codePoint <= LAST_CODE_POINT; codePoint += 1) {
    if (codePoint < 0xd800 || codePoint > 0xdfff) yield codePoint;
  }
}

function hex(text: string): string {
  return [...text].map((character) => character.codePointAt(0)?.toString(16).padStart(4, '0')).join(' ');
}

describe('caseFold', () => {
  it('follows rows C and F of CaseFolding.txt for every assigned character', () => {
    const different: string[] = [];
    let rows = 0;
    for (const codePoint of scalarValues()) {
      const character = String.fromCodePoint(codePoint);
      if (!/\p{Assigned}/u.test(character)) continue;
      const folded = lookupFolding(codePoint);
      if (folded) rows += 1;
      // caseFold converts to NFC first. If that results in another character, the loop checks that one.
      if (character.normalize('NFC') !== character) continue;
      const expected = folded ? String.fromCodePoint(...folded).normalize('NFC') : character;
      const actual = caseFold(character);
      if (actual !== expected)
        different.push(`${hex(character)}: ${hex(actual)} instead of ${hex(expected)}`);
    }
    expect(different).toEqual([]);
    // Unicode 14 has 1530 rows. Fewer would mean incomplete data.
    expect(rows).toBeGreaterThanOrEqual(1530);
  });

  it('is idempotent and returns NFC', () => {
    const unstable: string[] = [];
    for (const codePoint of scalarValues()) {
      const folded = caseFold(String.fromCodePoint(codePoint));
      if (caseFold(folded) !== folded || folded.normalize('NFC') !== folded) unstable.push(hex(folded));
    }
    expect(unstable).toEqual([]);
  });

  it.each([
    ['ß', 'SS'],
    ['ẞ', 'ss'],
    ['Straße', 'STRASSE'],
    ['ς', 'Σ'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
    ['ſ', 'S'],
    ['\u212a', 'k'], // Kelvin sign
    ['\u00b5', 'μ'], // micro sign
    ['ﬃ', 'FFI'],
    ['İ', 'i\u0307'],
    ['ŉ', 'ʼN'],
    ['ǰ', 'J\u030c'],
    ['ᾼ', 'αι'],
    ['Ǆ', 'ǅ'],
    ['ꭰ', 'Ꭰ'],
    ['𐐀', '𐐨'],
    ['é', 'E\u0301'],
    ['\u1e9b\u0323', '\u1e69'],
  ])('folds %s and %s to the same text', (one, other) =>
    expect(hex(caseFold(one))).toBe(hex(caseFold(other))),
  );

  it.each([
    ['ı', 'i'], // the Turkish rules are not applied
    ['ı', 'I'],
    ['İ', 'i'],
    ['é', 'e'],
    ['ä', 'ae'],
    ['²', '2'],
  ])('folds %s and %s to different texts', (one, other) => expect(caseFold(one)).not.toBe(caseFold(other)));
});

describe('searchFold', () => {
  it.each([
    ['Ärger', 'arger'],
    ['A\u0308rger', 'arger'],
    ['STRAẞE', 'strasse'],
    ['Straße', 'strasse'],
    ['Crème Brûlée', 'creme brulee'],
    ['İstanbul', 'istanbul'],
    ['ΐ', 'ι'],
    ['ﬁnal', 'final'],
    ['Łukasz Wałęsa', 'lukasz walesa'],
    ['Øystein', 'oystein'],
    ['ÆRØSKØBING', 'aeroskobing'],
    ['Ǽ', 'ae'],
    ['Œuvre', 'oeuvre'],
    ['Đorđe', 'dorde'],
    ['Þórður', 'thordur'],
    ['Ħal Għaxaq', 'hal ghaxaq'],
    ['ılık', 'ilik'],
    ['Ŋŧ', 'nt'],
    ['\u0301', ''],
    ['한글', '한글'],
  ])('folds %s to %s', (text, expected) => expect(searchFold(text)).toBe(expected));
});

describe('nameKey', () => {
  it('is idempotent, in NFKC, and equal for all forms of each character', () => {
    const different: string[] = [];
    for (const codePoint of scalarValues()) {
      const character = String.fromCodePoint(codePoint);
      const key = nameKey(character);
      const isStable = nameKey(key) === key && key.normalize('NFKC') === key;
      const forms = [character.normalize('NFKC'), caseFold(character), `${character}\u200b`];
      if (!isStable || forms.some((form) => nameKey(form) !== key)) different.push(hex(character));
    }
    expect(different).toEqual([]);
  });

  it.each([
    ['2026 1', '2026\u00a0\u20091'],
    ['AZ²', 'az2'],
    ['Ｂａｕ', 'bau'],
    ['Straße', 'STRAS\u00adSE'],
    ['ﬁx', 'FIX'],
    ['👨‍👩', '👨👩'],
  ])('is the same for %s and %s', (one, other) => expect(nameKey(one)).toBe(nameKey(other)));

  it.each([
    ['o', 'ö'],
    ['ab', 'a b'],
    ['ı', 'i'],
    ['АZ', 'AZ'], // Cyrillic А
  ])('differs for %s and %s', (one, other) => expect(nameKey(one)).not.toBe(nameKey(other)));

  it('stays small enough for an index', () => {
    expect(Buffer.byteLength(nameKey('\ufdfa'.repeat(200)))).toBeLessThan(2700);
  });
});

describe('normalizeText', () => {
  it('trims and converts to NFC', () => expect(normalizeText(' \u00a0\ufeffA\u0308 b\u3000\n')).toBe('Ä b'));
});

describe('hasControlCharacters', () => {
  it.each(['\u0000', '\u0008', '\u000b', '\u001b', '\u007f', '\u0085', '\u009f'])(
    'finds %j, with and without allowed lines',
    (control) => {
      expect(hasControlCharacters(`a${control}b`)).toBe(true);
      expect(hasControlCharacters(`a${control}b`, true)).toBe(true);
    },
  );

  it.each(['\n', '\t'])('accepts %j only with allowed lines', (control) => {
    expect(hasControlCharacters(`a${control}b`)).toBe(true);
    expect(hasControlCharacters(`a${control}b`, true)).toBe(false);
  });

  it.each([' ', '\u00a0', '\u00ad', '\u200d', 'ä', '😀'])('accepts %j', (character) =>
    expect(hasControlCharacters(character)).toBe(false),
  );
});

describe('codePointLength', () => {
  it('counts code points', () => {
    expect(['', 'a', 'ä', 'a\u0308', '😀', '👩‍👧'].map(codePointLength)).toEqual([0, 1, 1, 2, 1, 3]);
  });
});

describe('isUuid', () => {
  it.each(['0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d', '0199F7A4-6C1E-7B52-9D2E-3C5F0A1B2C3D'])(
    'accepts %s',
    (text) => expect(isUuid(text)).toBe(true),
  );

  it.each([
    '0199f7a46c1e7b529d2e3c5f0a1b2c3d',
    '{0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d}',
    'urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d',
    '0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d\n',
    '0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3',
    '0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3g',
    '',
    null,
    42,
    ['0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d'],
  ])('rejects %j', (value) => expect(isUuid(value)).toBe(false));
});

describe('hasTooManyMarks and normalizeText', () => {
  /** Alternating marks of two classes, the worst case for the sorting of NFC. */
  const marks = (count: number) => 'a' + '\u0301\u0323'.repeat(count / 2);

  it('finds more than 200 consecutive marks, counted in code points', () => {
    expect(hasTooManyMarks(marks(200))).toBe(false);
    expect(hasTooManyMarks(`${marks(200)}b`.repeat(50))).toBe(false);
    expect(hasTooManyMarks(`a${'\u{1e8d0}'.repeat(200)}`)).toBe(false);
    expect(hasTooManyMarks(marks(202))).toBe(true);
    expect(hasTooManyMarks(`${'b'.repeat(1000)}${marks(202)}b`)).toBe(true);
  });

  it('does not convert a text with too many marks to NFC, which would take minutes', () => {
    const text = marks(500_000);
    const normalize = jest.spyOn(String.prototype, 'normalize');
    try {
      expect(normalizeText(` ${text} `) === text).toBe(true);
      expect(normalize).not.toHaveBeenCalled();
    } finally {
      normalize.mockRestore();
    }
  });

  it('converts a text with up to 200 consecutive marks to NFC', () => {
    expect(normalizeText('a\u0301\u0323')).toBe('\u1ea1\u0301');
    expect(normalizeText(marks(200))).toBe(marks(200).normalize('NFC'));
  });
});
