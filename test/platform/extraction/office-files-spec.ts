import { describe, expect, it } from '@jest/globals';
import {
  buildCompoundFile,
  buildDocx,
  buildOpenDocument,
  buildPptx,
  buildXlsx,
  paragraph,
} from '../../factories/content/office-files.js';
import { buildZip } from '../../factories/content/zip-file.js';
import { buildStorages } from '../../factories/content/outlook-message.js';
import { extractionOf } from '../../support/extraction.js';
import { extraction } from '../../support/shared-extraction.js';

const OOXML = 'application/vnd.openxmlformats-officedocument';
const ODF = 'application/vnd.oasis.opendocument';

describe('Reading an Office file', () => {
  it('returns paragraphs, headers, notes and page count of a docx', async () => {
    const bytes = buildDocx({
      body: `${paragraph('Feuer', 'wache ', 'Nord')}<w:p><w:r><w:t>Zeile</w:t><w:br/><w:t>zwei</w:t><w:tab/><w:t>Tab &amp; mehr</w:t></w:r></w:p>`,
      pages: 3,
      extraEntries: [
        { name: 'word/footnotes.xml', content: `<w:footnotes>${paragraph('Fußnote')}</w:footnotes>` },
        { name: 'word/header1.xml', content: `<w:hdr>${paragraph('Kopfzeile')}</w:hdr>` },
      ],
    });
    expect(await extraction.extract(bytes)).toEqual(
      extractionOf({
        mediaType: `${OOXML}.wordprocessingml.document`,
        pageCount: 3,
        text: 'Feuerwache Nord\nZeile\nzwei Tab & mehr\n\nKopfzeile\n\nFußnote',
      }),
    );
  });

  it('skips deleted text, field codes and fallbacks for older programs', async () => {
    const box = paragraph('Textfeld');
    const body = `<w:p><w:del><w:r><w:delText>gelöscht</w:delText></w:r></w:del><w:r><w:instrText>PAGE</w:instrText></w:r></w:p><mc:AlternateContent><mc:Choice>${box}</mc:Choice><mc:Fallback>${box}</mc:Fallback></mc:AlternateContent>`;
    expect((await extraction.extract(buildDocx({ body }))).text).toBe('Textfeld');
  });

  it('ignores an implausible page count', async () => {
    expect((await extraction.extract(buildDocx({ body: paragraph('x'), pages: 0 }))).pageCount).toBeNull();
    expect(
      (await extraction.extract(buildDocx({ body: paragraph('x'), pages: 999_999_999 }))).pageCount,
    ).toBeNull();
  });

  it('returns the cells of an xlsx: shared and inline texts, rounded numbers, dates', async () => {
    const bytes = buildXlsx({
      shared: ['Bauamt', 'Straße'],
      styles: [0, 14, 170],
      sheets: {
        Gebühren:
          '<row><c t="s"><v>0</v></c><c t="inlineStr"><is><t>Antrag</t></is></c></row>' +
          '<row><c><v>0.30000000000000004</v></c><c s="1"><v>45917</v></c><c s="2"><v>45918.5</v></c></row>',
        Orte: '<row><c t="s"><v>1</v></c><c t="str"><v>A1</v></c></row>',
      },
    });
    expect(await extraction.extract(bytes)).toEqual(
      extractionOf({
        mediaType: `${OOXML}.spreadsheetml.sheet`,
        text: 'Gebühren\nOrte\n\nBauamt Antrag\n0.3 2025-09-17 2025-09-18\n\nStraße A1',
      }),
    );
  });

  it('returns the slides of a pptx in order, and their number', async () => {
    const slides = Array.from({ length: 11 }, (_, index) => `Folie ${index + 1}`);
    expect(await extraction.extract(buildPptx(slides))).toMatchObject({
      mediaType: `${OOXML}.presentationml.presentation`,
      pageCount: 11,
      text: slides.join('\f'),
      failure: null,
    });
  });

  it('returns headings, spaces, footers and page count of an odt without deleted text', async () => {
    const bytes = buildOpenDocument({
      kind: 'text',
      pages: 2,
      body: '<text:tracked-changes><text:p>gelöscht</text:p></text:tracked-changes><text:h>Bescheid</text:h><text:p>Sehr<text:s text:c="3"/>geehrte<text:line-break/>Frau <text:span>Müller</text:span></text:p>',
    });
    expect(await extraction.extract(bytes)).toEqual(
      extractionOf({
        mediaType: `${ODF}.text`,
        pageCount: 2,
        text: 'Bescheid\nSehr geehrte\nFrau Müller\n\nFußzeile',
      }),
    );
  });

  it('returns notes, comments and frames of an odt after their paragraph', async () => {
    const bytes = buildOpenDocument({
      kind: 'text',
      body:
        '<text:p>Der Denkmalschutz<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Landesbauordnung</text:p></text:note-body></text:note> gilt' +
        '<office:annotation><dc:creator>Erika</dc:creator><dc:date>2026-01-05</dc:date><text:p>prüfen<text:s/>bitte</text:p></office:annotation> hier' +
        '<draw:frame><draw:text-box><text:p>Kasten</text:p><text:p>Rahmen</text:p></draw:text-box></draw:frame>.</text:p><text:p>Ende</text:p>',
    });
    expect((await extraction.extract(bytes)).text).toBe(
      'Der Denkmalschutz gilt hier.\n\n1\nLandesbauordnung\n\nErika\n2026-01-05\nprüfen bitte\n\nKasten\nRahmen\n\nEnde\n\nFußzeile',
    );
  });

  it('returns text boxes of a docx after their paragraph', async () => {
    const box = `<w:txbxContent>${paragraph('Kasten')}</w:txbxContent>`;
    const body = `<w:p><w:r><w:t>Anfang</w:t>${box}</w:r><w:r><w:t>swort</w:t></w:r></w:p>`;
    expect((await extraction.extract(buildDocx({ body }))).text).toBe('Anfangswort\n\nKasten');
  });

  it('returns the cells of an ods', async () => {
    const bytes = buildOpenDocument({
      kind: 'spreadsheet',
      body: '<table:table><table:table-row><table:table-cell><text:p>Aktenzeichen</text:p></table:table-cell><table:table-cell table:number-columns-repeated="16000"/></table:table-row></table:table>',
    });
    expect(await extraction.extract(bytes)).toMatchObject({
      mediaType: `${ODF}.spreadsheet`,
      pageCount: null,
      text: 'Aktenzeichen\n\nFußzeile',
      failure: null,
    });
  });

  it.each(['UTF-16LE', 'UTF-16BE'])('reads parts in %s', async (encoding) => {
    const xml = `\ufeff<?xml version="1.0" encoding="UTF-16"?><w:hdr>${paragraph('Über')}</w:hdr>`;
    const little = Buffer.from(xml, 'utf16le');
    const content = encoding === 'UTF-16LE' ? little : Buffer.from(little).swap16();
    const bytes = buildDocx({ body: '', extraEntries: [{ name: 'word/header1.xml', content }] });
    expect((await extraction.extract(bytes)).text).toBe('Über');
  });

  it('recognises an Office file with parts in an unusual order', async () => {
    const media = Array.from({ length: 1100 }, (_, index) => ({
      name: `word/media/${index}.bin`,
      content: 'x',
    }));
    const bytes = buildZip([
      ...media,
      { name: 'word/document.xml', content: `<w:document>${paragraph('Inhalt')}</w:document>` },
      { name: '[Content_Types].xml', content: '<Types/>' },
    ]);
    expect(await extraction.extract(bytes)).toMatchObject({
      mediaType: `${OOXML}.wordprocessingml.document`,
      text: 'Inhalt',
    });
  });

  it('treats other ZIP files as application/zip', async () => {
    const inner = buildZip([{ name: 'innen.txt', content: 'geheim' }]);
    const bytes = buildZip([{ name: 'innen.zip', content: inner }]);
    expect(await extraction.extract(bytes, { claimedType: `${OOXML}.wordprocessingml.document` })).toEqual(
      extractionOf({ mediaType: 'application/zip', text: 'innen.zip\n\ninnen.txt\n\ngeheim' }),
    );
  });

  describe('that is encrypted', () => {
    it('recognises an odt by its manifest', async () => {
      const bytes = buildOpenDocument({ kind: 'text', body: '', encrypted: true, pages: 2 });
      expect(await extraction.extract(bytes)).toMatchObject({
        mediaType: `${ODF}.text`,
        text: null,
        failure: 'Encrypted',
      });
    });

    it('recognises a docx by its container and its file name', async () => {
      const bytes = buildCompoundFile(['EncryptedPackage', 'EncryptionInfo']);
      expect(await extraction.extract(bytes, { fileName: 'Vertrag.docx' })).toEqual(
        extractionOf({ mediaType: `${OOXML}.wordprocessingml.document`, failure: 'Encrypted' }),
      );
      expect(await extraction.extract(bytes)).toMatchObject({
        mediaType: 'application/x-cfb',
        failure: 'Encrypted',
      });
    });

    it.each([
      ['doc', 'application/msword', ['WordDocument'], 'eca5c1004700070400000001'],
      ['xls', 'application/vnd.ms-excel', ['Workbook'], '09080400000600052f0002000100'],
      ['xls of Excel 5', 'application/vnd.ms-excel', ['Book'], '0908040000050500860000002f0002000100'],
      ['ppt', 'application/vnd.ms-powerpoint', ['PowerPoint Document', 'EncryptedSummary'], '00'],
      ['xls in capitals', 'application/vnd.ms-excel', ['WORKBOOK'], '09080400000600052f0002000100'],
    ])('recognises a %s', async (_, mediaType, streams, start) => {
      const bytes = buildCompoundFile(streams, Buffer.from(start, 'hex'));
      expect(await extraction.extract(bytes)).toMatchObject({ mediaType, text: null, failure: 'Encrypted' });
    });

    it.each([
      ['doc', ['WordDocument'], 'eca5c1004700070400000002'],
      ['xls', ['Workbook'], '0908040000060005e1000200b004c10002000000'],
    ])('recognises that a %s is not', async (_, streams, start) => {
      const bytes = buildCompoundFile(streams, Buffer.from(start, 'hex'));
      expect((await extraction.extract(bytes)).failure).toBe('ConverterMissing');
    });

    it.each([
      // XOR obfuscation: [MS-XLS] 2.4.117.
      [
        'xls',
        'application/vnd.ms-excel',
        'Workbook',
        '0908100000060500000000000000000000000000' + '2f000600' + '000012345678',
      ],
      ['ppt', 'application/vnd.ms-powerpoint', 'Current User', '0000f60f1c00000014000000dfc4d1f3'],
    ])('recognises a small %s with old encryption', async (_, mediaType, stream, start) => {
      const bytes = buildStorages({
        a: Buffer.alloc(5000),
        b: Buffer.alloc(700),
        ...(stream === 'Workbook' ? {} : { 'PowerPoint Document': Buffer.alloc(100) }),
        [stream]: Buffer.from(start, 'hex'),
      });
      expect(await extraction.extract(bytes)).toMatchObject({ mediaType, text: null, failure: 'Encrypted' });
    });

    it('recognises a docx by its container in capitals', async () => {
      const { failure } = await extraction.extract(buildCompoundFile(['ENCRYPTEDPACKAGE', 'ENCRYPTIONINFO']));
      expect(failure).toBe('Encrypted');
    });

    it('ignores embedded objects', async () => {
      const objects = {
        MBD0001: {
          WordDocument: Buffer.from('eca5c1004700070400000001', 'hex'),
          EncryptedPackage: Buffer.alloc(1),
        },
      };
      const bytes = buildStorages({ ...objects, Workbook: Buffer.from('0908040000060005', 'hex') });
      expect(await extraction.extract(bytes)).toMatchObject({
        mediaType: 'application/vnd.ms-excel',
        failure: 'ConverterMissing',
      });
    });

    it('recognises encrypted parts by their flag in the ZIP file', async () => {
      const bytes = buildDocx({
        body: '',
        extraEntries: [{ name: 'word/header1.xml', content: 'x', encrypted: true }],
      });
      expect((await extraction.extract(bytes)).failure).toBe('Encrypted');
    });
  });

  it.each([
    ['WordDocument', 'application/msword', 'ConverterMissing'],
    ['Workbook', 'application/vnd.ms-excel', 'ConverterMissing'],
    ['PowerPoint Document', 'application/vnd.ms-powerpoint', 'ConverterMissing'],
    ['Unknown', 'application/x-cfb', null],
  ])('returns type and no text of a compound file with the stream %s', async (stream, mediaType, failure) => {
    expect(await extraction.extract(buildCompoundFile([stream]))).toMatchObject({
      mediaType,
      text: null,
      failure,
    });
  });
});
