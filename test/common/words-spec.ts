import { describe, expect, it } from '@jest/globals';
import { partsOf, singlePart, textOfParts } from '../../src/common/text-parts.js';
import { wordsOf } from '../../src/common/words.js';

const keys = (text: string) => [...wordsOf(text)].map(({ key }) => key);

describe('wordsOf', () => {
  it.each([
    ['', []],
    [' .,;:-_!?"§$%&/()=', []],
    ['Straße, STRASSE; Stra\u00dfe', ['strasse', 'strasse', 'strasse']],
    ['Mu\u0308ller Müller Éclair ﬁnden', ['muller', 'muller', 'eclair', 'finden']],
    ['a_b a-b a/b a.b a@b', ['a', 'b', 'a', 'b', 'a', 'b', 'a', 'b', 'a', 'b']],
    ['Vor\u00adgang Vor\u200bgang', ['vorgang', 'vorgang']],
    ['12.345,60 € x² ½ №5', ['12', '345', '60', 'x2', '12', '5']],
    ['\u0301 \u0301a', ['a']],
    ['ΣΟΦΟΣ Σοφός', ['σοφοσ', 'σοφοσ']],
  ])('splits %j', (text, expected) => expect(keys(text)).toEqual(expected));

  it('returns the positions of words', () => {
    expect([...wordsOf('„Häuser“, 12')]).toEqual([
      { key: 'hauser', start: 1, end: 7 },
      { key: '12', start: 10, end: 12 },
    ]);
  });

  it('cuts very long words, in linear time', () => {
    expect(keys('x'.repeat(1_000_000))).toEqual(['x'.repeat(64)]);
    expect(keys(`a${'\u0301'.repeat(1_000_000)}b`)).toEqual(['a']);
    expect(keys('x\u00ad'.repeat(10_000_000))).toEqual(['x'.repeat(32)]);
    const long = `${'x'.repeat(9_999)}\u00ad${'\u{10400}'.repeat(30_000)}\u0301`;
    expect([...wordsOf(`${long}-y`)]).toMatchObject([
      { start: 0, end: long.length },
      { key: 'y', start: long.length + 1 },
    ]);
    expect(keys('\ufdfa'.repeat(64)).every((key) => key.length <= 64)).toBe(true);
    expect(keys(`${'x'.repeat(63)}😀𝔸`)[0]).toBe('x'.repeat(63));
    expect(keys(`${'y'.repeat(63)}\u{10400}`)[0]?.isWellFormed()).toBe(true);
  });
});

describe('textOfParts', () => {
  const restored = (text: string) => textOfParts([...partsOf(text)].map((part) => part.text));

  it.each([
    ['without words', ' — ', ''],
    ['in one part', 'Ein  Satz,\nnoch einer.', 'Ein Satz,\nnoch einer.'],
    ['that begins and ends with empty pages', ' \f\fDritte\f\fFünfte\f ', '\f\fDritte\f\fFünfte\f'],
  ])('returns a text %s', (_, text, expected) => expect(restored(text)).toBe(expected));

  it('returns a text in several parts without the repeated words', () => {
    const text = Array.from(
      { length: 5000 },
      (_, n) => `Wort-${n}, (${n % 7} %)${n % 90 === 0 ? '\f' : '\n'}x`,
    ).join(' ');
    expect(restored(text)).toBe(text);
  });

  it('keeps the ends of pages in a text that is shortened', () => {
    const text = `Eins ${'.'.repeat(30_000)}\f\fZwei ${'x'.repeat(30_000)}\fDrei`;
    const pages = restored(text).split('\f');
    expect(pages.map((page) => page.slice(0, 4))).toEqual(['Eins', '', 'Zwei', 'Drei']);
    expect(restored(text).length).toBeLessThan(400);
  });
});

describe('partsOf', () => {
  it('keeps all words and their positions, and repeats words at part boundaries', () => {
    const words = Array.from({ length: 2000 }, (_, n) => `w${n}`);
    const parts = [...partsOf(words.join('\n'))];
    expect(parts.map(({ words: kept }) => kept.length)).toEqual([700, 700, 640]);
    expect(parts[1]?.text.split(/\s/)).toEqual(words.slice(680, 1380));
    expect([parts[1]?.words[0], parts[1]?.positions[0], parts[1]?.positions[699]]).toEqual([
      'w680',
      '1A',
      '700A',
    ]);
  });

  it('shortens long words and separators, but keeps all words', () => {
    const long = `Anfang ${'.'.repeat(1_000_000)} ${'x'.repeat(500_000)}-${'😀'.repeat(100_000)}y ${'\u{10400}'.repeat(100_000)} Ende`;
    for (const part of [...partsOf(long), singlePart(long)]) {
      expect(part.text.length).toBeLessThan(1000);
      expect(part.text.isWellFormed()).toBe(true);
      expect(keys(part.text)).toEqual(keys(long));
    }
  });

  it('returns no part that contains only repeated words', () => {
    expect([...partsOf(Array(700).fill('x').join(' '))]).toHaveLength(1);
    expect([...partsOf(Array(701).fill('x').join(' '))]).toHaveLength(2);
    expect([...partsOf(' \n ')]).toEqual([]);
  });

  it('adds hyphenated compounds as one word, at the positions of their parts', () => {
    const { words, positions } = singlePart('Bau-Genehmigung, Geneh-\nmigung; Haus- und Hof');
    expect(Object.fromEntries(words.map((word, n) => [word, positions[n]]))).toEqual({
      bau: '1A',
      genehmigung: '2A,3A,4A',
      geneh: '3A',
      migung: '4A',
      haus: '5A',
      und: '6A',
      hof: '7A',
      baugenehmigung: '1A,2A',
    });
  });
});
