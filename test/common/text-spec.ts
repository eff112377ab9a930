import { describe, expect, it, jest } from '@jest/globals';
import { lookupFolding } from 'unicode-case-folding';
import {
  caseFold,
  codePointLength,
  hasControlCharacters,
  hasTooManyMarks,
  isUuid,
  isWellFormed,
  normalizeText,
  searchFold,
} from '../../src/common/text.js';

/** Every code point that can stand in a well-formed string. */
function* scalarValues(): Generator<number> {
  for (let codePoint = 0; codePoint <= 0x10ffff; codePoint += 1) {
    if (codePoint < 0xd800 || codePoint > 0xdfff) yield codePoint;
  }
}

function hex(text: string): string {
  return [...text].map((character) => character.codePointAt(0)?.toString(16).padStart(4, '0')).join(' ');
}

describe('caseFold', () => {
  it('is what the rows C and F of CaseFolding.txt say, for every character that this Node knows', () => {
    const different: string[] = [];
    let rows = 0;
    for (const codePoint of scalarValues()) {
      const character = String.fromCodePoint(codePoint);
      if (!/\p{Assigned}/u.test(character)) continue;
      const folded = lookupFolding(codePoint);
      if (folded) rows += 1;
      // NFC may make another character of this one before it is folded; that one is checked when its turn comes.
      if (character.normalize('NFC') !== character) continue;
      const expected = folded ? String.fromCodePoint(...folded).normalize('NFC') : character;
      const actual = caseFold(character);
      if (actual !== expected)
        different.push(`${hex(character)}: ${hex(actual)} instead of ${hex(expected)}`);
    }
    expect(different).toEqual([]);
    // Unicode 14 had 1530 rows; fewer would mean that the data is not what it says.
    expect(rows).toBeGreaterThanOrEqual(1530);
  });

  it('folds what is folded to itself, and to NFC', () => {
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
    ['\u212a', 'k'], // the sign for kelvin
    ['\u00b5', 'μ'], // the sign for micro
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
  ])('makes %s and %s the same', (one, other) => expect(hex(caseFold(one))).toBe(hex(caseFold(other))));

  it.each([
    ['ı', 'i'], // Turkish rules are of no language in particular, so they are not applied
    ['ı', 'I'],
    ['İ', 'i'],
    ['é', 'e'],
    ['ä', 'ae'],
    ['²', '2'],
  ])('keeps %s and %s apart', (one, other) => expect(caseFold(one)).not.toBe(caseFold(other)));
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
    ['Łódź', 'łodz'],
    ['\u0301', ''],
    ['한글', '한글'],
  ])('makes %s %s', (text, expected) => expect(searchFold(text)).toBe(expected));
});

describe('normalizeText', () => {
  it('trims and composes', () => expect(normalizeText(' \u00a0\ufeffA\u0308 b\u3000\n')).toBe('Ä b'));
});

describe('hasControlCharacters', () => {
  it.each(['\u0000', '\u0008', '\u000b', '\u001b', '\u007f', '\u0085', '\u009f'])(
    'finds %j everywhere',
    (control) => {
      expect(hasControlCharacters(`a${control}b`)).toBe(true);
      expect(hasControlCharacters(`a${control}b`, true)).toBe(true);
    },
  );

  it.each(['\n', '\t'])('lets %j pass only where there may be lines', (control) => {
    expect(hasControlCharacters(`a${control}b`)).toBe(true);
    expect(hasControlCharacters(`a${control}b`, true)).toBe(false);
  });

  it.each([' ', '\u00a0', '\u00ad', '\u200d', 'ä', '😀'])('does not take %j for one', (character) =>
    expect(hasControlCharacters(character)).toBe(false),
  );
});

describe('isWellFormed', () => {
  it('refuses halves of surrogate pairs and nothing else', () => {
    expect(['\ud83d', '\ude00', '\ude00\ud83d', 'a\ud800b'].map(isWellFormed)).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(['', 'ä', '😀', '\uffff'].map(isWellFormed)).toEqual([true, true, true, true]);
  });
});

describe('codePointLength', () => {
  it('counts code points', () => {
    expect(['', 'a', 'ä', 'a\u0308', '😀', '👩‍👧'].map(codePointLength)).toEqual([0, 1, 1, 2, 1, 3]);
  });
});

describe('isUuid', () => {
  it.each(['0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d', '0199F7A4-6C1E-7B52-9D2E-3C5F0A1B2C3D'])(
    'takes %s',
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
  ])('refuses %j', (value) => expect(isUuid(value)).toBe(false));
});

describe('Combining marks without end', () => {
  /** Marks of two classes in turn: as far as can be from the order that NFC puts them in. */
  const marks = (count: number) => 'a' + '\u0301\u0323'.repeat(count / 2);

  it('are more than 200 in a row, in code points', () => {
    expect(hasTooManyMarks(marks(200))).toBe(false);
    expect(hasTooManyMarks(`${marks(200)}b`.repeat(50))).toBe(false);
    expect(hasTooManyMarks(`a${'\u{1e8d0}'.repeat(200)}`)).toBe(false);
    expect(hasTooManyMarks(marks(202))).toBe(true);
    expect(hasTooManyMarks(`${'b'.repeat(1000)}${marks(202)}b`)).toBe(true);
  });

  it('are not put in order, which would take minutes', () => {
    const text = marks(500_000);
    const normalize = jest.spyOn(String.prototype, 'normalize');
    try {
      expect(normalizeText(` ${text} `) === text).toBe(true);
      expect(normalize).not.toHaveBeenCalled();
    } finally {
      normalize.mockRestore();
    }
  });

  it('are put in order up to there', () => {
    expect(normalizeText('a\u0301\u0323')).toBe('\u1ea1\u0301');
    expect(normalizeText(marks(200))).toBe(marks(200).normalize('NFC'));
  });
});
