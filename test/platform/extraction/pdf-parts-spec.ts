import { describe, expect, it } from '@jest/globals';
import { buildDocx, paragraph } from '../../factories/content/office-files.js';
import {
  FIRST_OBJECT as FIRST,
  type PdfObject,
  buildPdf,
  buildPdfOfStream,
  pageContent,
} from '../../factories/content/pdf-files.js';
import { extraction } from '../../support/shared-extraction.js';

/** A PDF with one page and further objects. */
const buildPdfWith = (
  objects: readonly PdfObject[],
  more: { readonly catalog?: string; readonly page?: string },
): Buffer => buildPdfOfStream('<<>>', pageContent(['Rechnung']), { ...more, objects });

const file = (name: string, stream: number): PdfObject => ({
  dictionary: `<</Type /Filespec /F (${name}) /UF (${name}) /EF <</F ${stream} 0 R>>>>`,
});
const embedded = (stream: Buffer): PdfObject => ({ dictionary: '<</Type /EmbeddedFile>>', stream });

describe('The text of a PDF', () => {
  it('contains what annotations without a text of their own show', async () => {
    const stamp = 'BT /F1 12 Tf 5 20 Td (Eingegangen) Tj 0 -14 Td [(am) -500 (5. Mai)] TJ ET';
    const bytes = buildPdfWith(
      [
        { dictionary: '<</Type /Annot /Subtype /Stamp /Rect [0 0 90 40] /AP <</N 7 0 R>>>>' },
        {
          dictionary:
            '<</Type /XObject /Subtype /Form /BBox [0 0 90 40] /Resources <</Font <</F1 3 0 R>>>>>>',
          stream: Buffer.from(stamp),
        },
        {
          dictionary:
            '<</Type /Annot /Subtype /Stamp /Rect [0 0 9 9] /Contents (Geprueft) /AP <</N 7 0 R>>>>',
        },
      ],
      { page: '/Annots [6 0 R 8 0 R]' },
    );
    expect((await extraction.extract(bytes)).text).toBe('Rechnung\nGeprueft\nEingegangen\nam 5. Mai');
  });

  it('contains the names and texts of its files on a last page', async () => {
    const bytes = buildPdfWith(
      [
        file('Anlage.docx', FIRST + 1),
        embedded(buildDocx({ body: paragraph('Vertrag') })),
        { dictionary: `<</Type /Annot /Subtype /FileAttachment /Rect [0 0 9 9] /FS ${FIRST + 3} 0 R>>` },
        file('Plan.pdf', FIRST + 4),
        embedded(buildPdf([['Grundriss'], ['Schnitt']])),
        file('defekt.pdf', FIRST + 6),
        embedded(Buffer.from('%PDF-1.7 damaged')),
      ],
      {
        catalog: `/Names <</EmbeddedFiles <</Names [(a) ${FIRST} 0 R (b) ${FIRST + 5} 0 R]>>>>`,
        page: `/Annots [${FIRST + 2} 0 R]`,
      },
    );
    expect(await extraction.extract(bytes)).toMatchObject({
      pageCount: 1,
      text: 'Rechnung\fAnlage.docx\ndefekt.pdf\nPlan.pdf\n\nVertrag\n\nGrundriss\n\nSchnitt',
      failure: null,
    });
  });

  it('contains all values of a list', async () => {
    const list = '/Subtype /Widget /FT /Ch /T (Ort) /Opt [(Berlin) (Potsdam) (Cottbus)]';
    const bytes = buildPdfWith(
      [{ dictionary: `<</Type /Annot ${list} /V [(Berlin) (Cottbus)] /Rect [0 0 9 9]>>` }],
      { catalog: `/AcroForm <</Fields [${FIRST} 0 R]>>`, page: `/Annots [${FIRST} 0 R]` },
    );
    expect((await extraction.extract(bytes)).text).toBe('Rechnung\nBerlin\nCottbus');
  });

  it('of a dynamic form does not exist', async () => {
    const form = embedded(Buffer.from('<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"/>'));
    expect(
      await extraction.extract(
        buildPdfWith([form], { catalog: `/AcroForm <</Fields [] /XFA ${FIRST} 0 R>>` }),
      ),
    ).toMatchObject({ pageCount: null, text: null, failure: 'ConverterMissing' });
  });

  it('of a form whose fields are in the PDF, too, is that of its pages', async () => {
    const objects = [
      embedded(Buffer.from('<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"/>')),
      { dictionary: '<</Type /Annot /Subtype /Widget /FT /Tx /T (Name) /V (Erika) /Rect [0 0 9 9]>>' },
    ];
    const bytes = buildPdfWith(objects, {
      catalog: `/AcroForm <</Fields [${FIRST + 1} 0 R] /XFA ${FIRST} 0 R>>`,
      page: `/Annots [${FIRST + 1} 0 R]`,
    });
    expect(await extraction.extract(bytes)).toMatchObject({ text: 'Rechnung\nErika', failure: null });
  });
});
