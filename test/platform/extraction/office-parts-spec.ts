import { describe, expect, it } from '@jest/globals';
import {
  buildDocx,
  buildPptx,
  buildXlsx,
  paragraph,
  relationships,
} from '../../factories/content/office-files.js';
import { buildStorages } from '../../factories/content/outlook-message.js';
import { buildPdf } from '../../factories/content/pdf-files.js';
import { type ZipEntry } from '../../factories/content/zip-file.js';
import { extraction } from '../../support/shared-extraction.js';

const CHART =
  '<c:chartSpace><c:title><c:tx><c:rich><a:p><a:r><a:t>Ausgaben</a:t></a:r></a:p></c:rich></c:tx></c:title>' +
  '<c:ser><c:tx><c:strRef><c:f>Sheet1!$B$1</c:f><c:strCache><c:pt><c:v>Personal</c:v></c:pt></c:strCache></c:strRef></c:tx>' +
  '<c:cat><c:strRef><c:strCache><c:pt><c:v>Januar</c:v></c:pt><c:pt><c:v>Februar</c:v></c:pt></c:strCache></c:strRef></c:cat>' +
  '<c:val><c:numRef><c:numCache><c:pt><c:v>4711</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:chartSpace>';
const CHART_TEXT = 'Ausgaben\nPersonal\nJanuar\nFebruar';
/** Charts of Office 2016 (waterfall, treemap). */
const NEW_CHART =
  '<cx:chartSpace><cx:strDim><cx:f>Sheet1!$A$2</cx:f><cx:lvl><cx:pt>Anfang</cx:pt><cx:pt>Ende</cx:pt></cx:lvl></cx:strDim>' +
  '<cx:numDim><cx:lvl><cx:pt>4711</cx:pt></cx:lvl></cx:numDim></cx:chartSpace>';
const SMART_ART =
  '<dgm:dataModel>' +
  ['Antrag', 'Prüfung'].map((text) => `<dgm:t><a:p><a:r><a:t>${text}</a:t></a:r></a:p></dgm:t>`).join('') +
  '</dgm:dataModel>';

describe('The text of an Office file', () => {
  const textOf = async (bytes: Buffer) => {
    const { text, failure } = await extraction.extract(bytes);
    expect(failure).toBeNull();
    return text;
  };
  const docx = (...extraEntries: readonly ZipEntry[]) =>
    textOf(buildDocx({ body: paragraph('Vertrag'), extraEntries }));

  it('contains titles, series and categories of charts, and SmartArt, without numbers', async () => {
    expect(
      await docx(
        { name: 'word/charts/chart1.xml', content: CHART },
        { name: 'word/charts/chartEx2.xml', content: NEW_CHART },
        { name: 'word/diagrams/data1.xml', content: SMART_ART },
      ),
    ).toBe(`Vertrag\n\n${CHART_TEXT}\n\nAntrag\nPrüfung\n\nAnfang\nEnde`);
    const xlsx = buildXlsx({
      shared: [],
      sheets: { Tabelle: '' },
      extraEntries: [{ name: 'xl/charts/chart1.xml', content: CHART }],
    });
    expect(await textOf(xlsx)).toBe(`Tabelle\n\n${CHART_TEXT}`);
  });

  it('of a pptx contains SmartArt, charts and comments on the page of their slide', async () => {
    const comment = (text: string) => `<p:cmLst><p:cm><p:text>${text}</p:text></p:cm></p:cmLst>`;
    const bytes = buildPptx(
      ['Eins', 'Zwei'],
      [
        relationships('ppt/slides/slide1.xml', [
          ['diagramData', '../diagrams/data1.xml'],
          ['chart', '/ppt/charts/chart1.xml'],
          ['comments', '../comments/comment1.xml'],
          ['comments', '../comments/absent.xml'],
        ]),
        relationships('ppt/slides/slide2.xml', [['comments', '../comments/modernComment_1.xml']]),
        { name: 'ppt/diagrams/data1.xml', content: SMART_ART },
        { name: 'ppt/charts/chart1.xml', content: CHART },
        { name: 'ppt/comments/comment1.xml', content: comment('Bitte') + comment('kürzen') },
        {
          name: 'ppt/comments/modernComment_1.xml',
          content: '<p188:cm><p188:txBody><a:p><a:r><a:t>Neu</a:t></a:r></a:p></p188:txBody></p188:cm>',
        },
      ],
    );
    expect(await textOf(bytes)).toBe(
      `Eins\n\nAntrag\nPrüfung\n\n${CHART_TEXT}\n\nBitte\nkürzen\fZwei\n\nNeu`,
    );
  });

  it('of an xlsx separates comments', async () => {
    const comments = ['Erster', 'Zweiter'].map(
      (text) => `<comment><text><r><t>${text}</t></r></text></comment>`,
    );
    const bytes = buildXlsx({
      shared: [],
      sheets: { Tabelle: '' },
      extraEntries: [{ name: 'xl/comments1.xml', content: `<comments>${comments.join('')}</comments>` }],
    });
    expect(await textOf(bytes)).toBe('Tabelle\n\nErster\nZweiter');
  });

  it.each([
    ['html', Buffer.from('<html><body><p>Import<b>wort</b></p></body></html>')],
    ['docx', buildDocx({ body: paragraph('Importwort') })],
    ['txt', Buffer.from('Importwort')],
  ])('contains imported parts of type %s', async (extension, content) => {
    const part = `afchunk1.${extension}`;
    expect(
      await docx(relationships('word/document.xml', [['aFChunk', part]]), { name: `word/${part}`, content }),
    ).toBe('Vertrag\n\nImportwort');
  });

  it('contains names and texts of embedded files', async () => {
    expect(
      await docx(
        {
          name: 'word/embeddings/Tabelle1.xlsx',
          content: buildXlsx({ shared: [], sheets: { Haushalt: '' } }),
        },
        {
          name: 'word/embeddings/oleObject1.bin',
          content: buildStorages({ '\x01Ole10Native': packaged('Größe.txt', 'Notiz') }),
        },
        {
          name: 'word/embeddings/oleObject2.bin',
          content: buildStorages({ CONTENTS: buildPdf([['Bescheid']]) }),
        },
        { name: 'word/embeddings/oleObject3.bin', content: 'damaged' },
        {
          name: 'word/embeddings/oleObject4.bin',
          content: buildStorages({ '\x01Ole10Native': Buffer.from('damaged') }),
        },
      ),
    ).toBe(
      'Vertrag\n\nTabelle1.xlsx\nGröße.txt\noleObject2.bin\noleObject3.bin\noleObject4.bin\n\nHaushalt\n\nNotiz\n\nBescheid\n\ndamaged',
    );
  });

  it('of a pptx has embedded files after the slides', async () => {
    const bytes = buildPptx(['Eins'], [{ name: 'ppt/embeddings/a.docx', content: buildDocx({ body: '' }) }]);
    expect(await textOf(bytes)).toBe('Eins\fa.docx');
  });

  it('is read in limited time when files embed each other', async () => {
    let bytes = buildDocx({ body: paragraph('Kern') });
    for (let depth = 0; depth < 10; depth += 1) {
      const content = bytes;
      const extraEntries = Array.from({ length: 2 }, (_, n) => ({
        name: `word/embeddings/${depth}-${n}.docx`,
        content,
      }));
      bytes = buildDocx({ body: paragraph('Schale'), extraEntries });
    }
    const text = await textOf(bytes);
    expect(text).toContain('9-1.docx');
    expect(text).not.toContain('Kern');
  });
});

/** The stream of the Windows packager. */
function packaged(label: string, content: string): Buffer {
  const bytes = Buffer.from(content);
  const text = (value: string) => Buffer.from(`${value}\0`, 'latin1');
  const number = (value: number) => {
    const buffer = Buffer.alloc(4);
    buffer.writeUInt32LE(value);
    return buffer;
  };
  const temporary = text('C:\\Temp\\a.txt');
  return Buffer.concat([
    number(0),
    Buffer.from([2, 0]),
    text(label),
    text(`C:\\Users\\${label}`),
    ...[number(0x30000), number(temporary.length), temporary, number(bytes.length), bytes],
  ]);
}
