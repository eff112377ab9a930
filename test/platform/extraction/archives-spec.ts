import { describe, expect, it } from '@jest/globals';
import { buildMessage } from '../../factories/content/mail-messages.js';
import { buildDocx, paragraph } from '../../factories/content/office-files.js';
import { buildPdf } from '../../factories/content/pdf-files.js';
import { buildZip } from '../../factories/content/zip-file.js';
import { SHARED_TEXT_LIMIT, extraction } from '../../support/shared-extraction.js';

const MIB = 1024 * 1024;

describe('The text of a ZIP archive', () => {
  const wordsOf = async (bytes: Buffer): Promise<string[]> => {
    const { mediaType, failure, text } = await extraction.extract(bytes);
    expect({ mediaType, failure }).toEqual({ mediaType: 'application/zip', failure: null });
    return (text ?? '').split(/\s+/);
  };

  it('contains the names and texts of the entries, in any supported format', async () => {
    const message = buildMessage({
      subject: 'Betreff',
      parts: [{ type: 'text/plain', content: 'Nachricht' }],
    });
    const words = await wordsOf(
      buildZip([
        { name: 'Ordner/', content: '' },
        { name: 'Ordner/Bescheid.pdf', content: buildPdf([['Seite eins'], ['Seite zwei']]) },
        { name: 'brief.docx', content: buildDocx({ body: paragraph('Absatz') }) },
        { name: 'mail.eml', content: message },
        { name: 'innen.zip', content: buildZip([{ name: 'tief.txt', content: 'Tiefer Text' }]) },
        { name: 'bild.bin', content: Buffer.alloc(50, 7) },
      ]),
    );
    expect(words).toEqual(
      expect.arrayContaining([
        ...[
          'Ordner/Bescheid.pdf',
          'eins',
          'zwei',
          'brief.docx',
          'Absatz',
          'mail.eml',
          'Betreff',
          'Nachricht',
        ],
        ...['innen.zip', 'tief.txt', 'Tiefer', 'bild.bin'],
      ]),
    );
    expect(words).not.toContain('Ordner/');
  });

  it('has no pages, also if it contains a file with pages', async () => {
    const bytes = buildZip([{ name: 'a.pdf', content: buildPdf([['eins'], ['zwei']]) }]);
    const { text, pageCount } = await extraction.extract(bytes);
    expect([text, pageCount]).toEqual(['a.pdf\n\neins\n\nzwei', null]);
  });

  it('contains the name of an entry that is encrypted or damaged, and the text of the others', async () => {
    const words = await wordsOf(
      buildZip([
        { name: 'geheim.txt', content: 'Verborgen', encrypted: true },
        { name: 'kaputt.txt', content: 'Falsch', claimedChecksum: 1 },
        { name: 'offen.txt', content: 'Lesbar' },
      ]),
    );
    expect(words).toEqual(['geheim.txt', 'kaputt.txt', 'offen.txt', 'Lesbar']);
  });

  it('contains all names, also of entries that exceed the limit of decompressed bytes', async () => {
    const large = Buffer.alloc(70 * MIB, 'a');
    const entries = Array.from({ length: 6 }, (_, n) => ({ name: `gross${n}.txt`, content: large }));
    const words = await wordsOf(buildZip([...entries, { name: 'klein.txt', content: 'Klein' }]));
    expect(words).toEqual(expect.arrayContaining(['gross5.txt', 'klein.txt', 'Klein']));
  });

  it('is read in limited time when archives contain each other many times', async () => {
    let bytes = buildZip([{ name: 'wort.txt', content: 'Kern' }]);
    for (let depth = 0; depth < 12; depth += 1) {
      const inner = bytes;
      bytes = buildZip(Array.from({ length: 4 }, (_, n) => ({ name: `${depth}-${n}.zip`, content: inner })));
    }
    const words = await wordsOf(bytes);
    expect(words).toContain('11-3.zip');
    expect(words).not.toContain('Kern');
  });

  it('contains the names of many entries', async () => {
    const entries = Array.from({ length: 3000 }, (_, n) => ({ name: `n${n}.txt`, content: `w${n}` }));
    const words = new Set(await wordsOf(buildZip(entries)));
    expect([words.has('n2999.txt'), words.has('w999'), words.has('w1000')]).toEqual([true, true, false]);
  });

  it('contains the names of entries after a text that exceeds the limit', async () => {
    const words = await wordsOf(
      buildZip([
        { name: 'lang.txt', content: Buffer.alloc(SHARED_TEXT_LIMIT + 1, 'wort ') },
        { name: 'danach.txt', content: 'Danach' },
      ]),
    );
    expect(words).toEqual(expect.arrayContaining(['lang.txt', 'danach.txt', 'wort']));
  });

  it('contains entries whose names are absolute paths or lead out of the archive', async () => {
    const words = await wordsOf(
      buildZip(
        ['/abs/eins.txt', '../zwei.txt', 'C:/drei.txt'].map((name) => ({ name, content: `in-${name}` })),
      ),
    );
    expect(words).toEqual([
      ...['/abs/eins.txt', '../zwei.txt', 'C:/drei.txt'],
      ...['in-/abs/eins.txt', 'in-../zwei.txt', 'in-C:/drei.txt'],
    ]);
  });

  it.each([
    ['UTF-8 without the flag for it', Buffer.from('Übersicht Größe – 5 €.txt'), 'Übersicht Größe – 5 €.txt'],
    ['code pages 437 and 850', Buffer.from('\x9abersicht Gr\x94\xe1e.txt', 'latin1'), 'Übersicht Größe.txt'],
  ])('contains names in %s', async (_, name, expected) => {
    expect((await extraction.extract(buildZip([{ name, content: 'Inhalt' }]))).text).toBe(
      `${expected}\n\nInhalt`,
    );
  });

  it.each([1, 20, 512, 200_000])('is read when %i zeros follow the archive', async (count) => {
    const bytes = buildZip([{ name: 'a.txt', content: 'Inhalt' }]);
    expect(await wordsOf(Buffer.concat([bytes, Buffer.alloc(count)]))).toEqual(['a.txt', 'Inhalt']);
  });

  it('contains each of several entries with the same name', async () => {
    const words = await wordsOf(
      buildZip(['Erstens', 'Zweitens'].map((content) => ({ name: 'a.txt', content }))),
    );
    expect(words).toEqual(['a.txt', 'a.txt', 'Erstens', 'Zweitens']);
  });

  it('of a damaged archive does not exist', async () => {
    const bytes = buildZip([{ name: 'a.txt', content: 'Text' }]).subarray(0, 60);
    expect(await extraction.extract(bytes)).toMatchObject({ text: null, failure: 'Corrupted' });
  });
});
