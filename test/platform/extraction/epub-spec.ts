import { describe, expect, it } from '@jest/globals';
import { buildZip } from '../../factories/content/zip-file.js';
import { extraction } from '../../support/shared-extraction.js';

const chapter = (text: string) =>
  `<html xmlns="http://www.w3.org/1999/xhtml"><head/><body><p>${text}</p></body></html>`;

function buildEpub({ encryption = '', spine = ['b', 'absent', 'a'] } = {}): Buffer {
  return buildZip([
    { name: 'mimetype', content: 'application/epub+zip', stored: true },
    {
      name: 'META-INF/container.xml',
      content: '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
    },
    { name: 'META-INF/encryption.xml', content: `<encryption>${encryption}</encryption>` },
    {
      name: 'OPS/book.opf',
      content:
        '<package><metadata><dc:title>Die Akte</dc:title><dc:creator>Erika &amp; Max</dc:creator><dc:date>2026</dc:date></metadata>' +
        '<manifest><item id="a" href="text/zwei%20.xhtml"/><item id="b" href="eins.xhtml"/><item id="absent" href="none.xhtml"/></manifest>' +
        `<spine>${spine.map((id) => `<itemref idref="${id}"/>`).join('')}</spine></package>`,
    },
    { name: 'OPS/text/zwei .xhtml', content: chapter('Zweites Kapitel') },
    { name: 'OPS/eins.xhtml', content: chapter('Erstes Kapitel') },
  ]);
}

describe('Reading an EPUB', () => {
  it('returns title, authors and chapters in their order', async () => {
    expect(await extraction.extract(buildEpub())).toMatchObject({
      mediaType: 'application/epub+zip',
      text: 'Die Akte\nErika & Max\n\nErstes Kapitel\n\nZweites Kapitel',
      failure: null,
    });
  });

  it.each([
    ['fonts', 'http://www.idpf.org/2008/embedding', null],
    ['chapters', 'http://www.w3.org/2001/04/xmlenc#aes128-cbc', 'Encrypted'],
  ])('with encrypted %s', async (_, algorithm, failure) => {
    const encryption = `<enc:EncryptionMethod Algorithm="${algorithm}"/>`;
    expect((await extraction.extract(buildEpub({ encryption }))).failure).toBe(failure);
  });

  it('without chapters ends with Corrupted', async () => {
    expect((await extraction.extract(buildEpub({ spine: [] }))).failure).toBe('Corrupted');
  });
});
