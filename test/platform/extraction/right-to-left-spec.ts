import { describe, expect, it } from '@jest/globals';
import { GLYPH_WIDTH, type GlyphRun, buildPdfOfGlyphs } from '../../factories/content/pdf-files.js';
import { extraction } from '../../support/shared-extraction.js';

const LEFT = 50;
const RIGHT = 400;

/** The glyphs of a text without ligatures, from left to right. */
const drawn = (text: string): string[] => [...text].reverse();

/** Each line is one run from left to right. */
const lines = (...texts: readonly (readonly string[])[]): GlyphRun[] =>
  texts.map((glyphs, index) => ({ x: LEFT, y: 780 - 14 * index, glyphs }));

/** A run for each glyph, from left to right, as browsers write a line. */
const singly = (glyphs: readonly string[], y = 780): GlyphRun[] =>
  glyphs.map((glyph, index) => ({ x: LEFT + index * GLYPH_WIDTH, y, glyphs: [glyph] }));

/** A run for each word with a space between them, the rightmost first, as word processors write a line. */
function wordByWord(words: readonly (readonly string[])[], y = 780): GlyphRun[] {
  let end = RIGHT;
  return words.map((glyphs) => {
    const x = end - glyphs.length * GLYPH_WIDTH;
    end = x - GLYPH_WIDTH / 2;
    return { x, y, glyphs };
  });
}

describe('Reading text from right to left', () => {
  const textOf = async (runs: readonly GlyphRun[], page?: string) =>
    (await extraction.extract(buildPdfOfGlyphs(runs, page))).text;

  it('returns lines that are one run', async () => {
    expect(await textOf(lines(drawn('שלום עולם'), drawn('كتاب')))).toBe('שלום עולם\nكتاب');
  });

  it('returns words inside a line from left to right', async () => {
    expect(await textOf(lines([...'Die Rechnung an ', ...drawn('שלום'), ...' folgt']))).toBe(
      'Die Rechnung an שלום folgt',
    );
  });

  it('keeps the order of letters in ligatures', async () => {
    // lam and alef are one glyph: as two letters, as one character, and as a form of it.
    const peace = ['م', 'لا', 'س', 'ل', 'ا'];
    expect(await textOf(lines(peace, ['ﻻ'], ['ﰱ'], [...'Das Wort ', ...peace, '.']))).toBe(
      'السلام\nلا\nفى\nDas Wort السلام.',
    );
  });

  it('keeps the order of words in a ligature', async () => {
    expect(await textOf(lines(['صلى الله', ' ', 'د', 'م', 'ح', 'م']))).toBe('محمد صلى الله');
  });

  it('returns lines whose glyphs are runs from left to right', async () => {
    expect(await textOf(singly([...drawn('الله'), ' ', '1', '2', ' ', 'م', 'لا', 'س']))).toBe('سلام 12 الله');
  });

  it('returns lines whose words are runs from right to left, with spaces between them', async () => {
    const words = [drawn('הסכם'), drawn('שכירות'), [...'45'], drawn('בלתי')];
    expect(await textOf(wordByWord(words))).toBe('הסכם שכירות 45 בלתי');
  });

  it('returns each line of a page with both kinds of text', async () => {
    const runs = [
      ...lines([...'Vertrag']),
      ...wordByWord([drawn('שלום'), drawn('עולם')], 740),
      { x: LEFT, y: 700, glyphs: [...'Ende'] },
    ];
    expect(await textOf(runs)).toBe('Vertrag\nשלום עולם\nEnde');
  });

  it('separates words in other lines of the page by their position', async () => {
    const runs = [
      { x: 300, y: 780, glyphs: [...'Potsdam'] },
      { x: LEFT, y: 780, glyphs: [...'Ort'] },
      ...wordByWord([drawn('שלום'), drawn('עולם')], 740),
    ];
    expect(await textOf(runs)).toBe('Potsdam Ort\nשלום עולם');
  });

  it('returns the text of a page that is turned', async () => {
    const words = [drawn('הסכם'), ['م', 'لا', 'س', 'ل', 'ا']];
    expect(await textOf(wordByWord(words), '/Rotate 90')).toBe('הסכם السلام');
  });

  it('ignores glyphs outside the page', async () => {
    const outside = { x: 2000, y: 780, glyphs: ['ك', 'ت'] };
    expect(await textOf([outside, ...lines(['م', 'لا', 'س', 'ل', 'ا'])])).toBe('السلام');
  });
});
