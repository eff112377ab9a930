import { describe, expect, it } from '@jest/globals';
import { extractionOf } from '../../support/extraction.js';
import { extraction } from '../../support/shared-extraction.js';

describe('The text of an RTF file', () => {
  it.each([
    ['with paragraphs and lines', '\\ansi Eins\\par Zwei\\line Drei', 'Eins\nZwei\nDrei'],
    ['in a code page', "\\ansi\\ansicpg1252 Gr\\'f6\\'dfe 5 \\'80", 'Größe 5 €'],
    ['in a Cyrillic code page', "\\ansi\\ansicpg1251 \\'cf\\'f0\\'e8\\'e2\\'e5\\'f2", 'Привет'],
    [
      'in the code page of a font',
      "\\ansi\\ansicpg1252{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset204 Arial Cyr;}}\\f0 Gr\\'fc\\'dfe \\f1 \\'cf\\'f0",
      'Grüße Пр',
    ],
    ['with Unicode and its replacement', '\\ansi\\uc1 K\\u246 oln \\u8364?5\\uc2 \\u228 ae.', 'Köln €5ä.'],
    ['with a table', '\\ansi\\trowd A\\cell B\\cell\\row\\trowd C\\cell D\\cell\\row', 'A\nB\n\nC\nD'],
    [
      'without pictures, objects, styles and descriptions',
      '\\ansi{\\info{\\title Titel}{\\author Autor}}{\\stylesheet{\\s0 Normal;}}Vor{\\pict\\pngblip 89504e47}{\\object{\\*\\objdata 0102}{\\result Bild}}{\\*\\unbekannt x} Nach',
      'VorBild Nach',
    ],
    [
      'with notes and comments',
      "\\ansi Vertrag{\\footnote \\pard Fussnote}{\\*\\atnid EM}{\\*\\atnauthor Erika}\\chatn{\\*\\annotation{\\*\\atnref 1}\\pard Pr\\'fcfen {\\b bitte}} endet",
      'Vertrag\nFussnote\n\nErika\n\nPrüfen bitte\nendet',
    ],
    ['with escaped characters', '\\ansi a\\\\b \\{c\\} d\\~e f\\_g', 'a\\b {c} d e f-g'],
  ])('%s', async (_, body, text) => {
    expect(await extraction.extract(`{\\rtf1${body}}`)).toEqual(
      extractionOf({ mediaType: 'application/rtf', text }),
    );
  });

  it('is read in limited memory when a control word promises much binary data', async () => {
    const { failure } = await extraction.extract('{\\rtf1\\ansi A{\\pict\\bin2000000000 x}}');
    expect([null, 'Corrupted', 'MemoryLimitExceeded']).toContain(failure);
    expect((await extraction.extract('weiter')).text).toBe('weiter');
  });

  it.each([
    ['ends in the middle', '{\\rtf1\\ansi Anfang{\\b fett'],
    ['has groups within groups', `{\\rtf1\\ansi Anfang ${'{'.repeat(200_000)}x${'}'.repeat(200_000)}}`],
    ['has too many ends of groups', `{\\rtf1\\ansi Anfang}${'}'.repeat(1000)}`],
    ['has an unknown code page', "{\\rtf1\\ansi\\ansicpg99999 Anfang \\'e4}"],
  ])('exists at least in part, or the file is Corrupted, when it %s', async (_, bytes) => {
    const { failure, text } = await extraction.extract(bytes);
    if (failure === null) expect(text).toContain('Anfang');
    else expect(failure).toBe('Corrupted');
  });
});
