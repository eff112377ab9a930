import { deflateSync } from 'node:zlib';

const A4: readonly [width: number, height: number] = [595, 842];
const HELVETICA = '<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>';

/** `/Length` of the stream is added. */
export interface PdfObject {
  readonly dictionary: string;
  readonly stream?: Buffer;
}

/** A PDF file (ISO 32000-1, 7.5) of these objects, numbered from 1. The first one is the catalog. */
export function buildPdfFile(objects: readonly PdfObject[], trailer = ''): Buffer {
  const pieces: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  const offsets: number[] = [];
  let length = pieces[0]?.length ?? 0;
  const write = (piece: Buffer): void => {
    pieces.push(piece);
    length += piece.length;
  };
  for (const [index, { dictionary, stream }] of objects.entries()) {
    offsets.push(length);
    const open = stream ? dictionary.replace(/>>$/, ` /Length ${stream.length}>>`) : dictionary;
    write(Buffer.from(`${index + 1} 0 obj\n${open}\n`, 'latin1'));
    if (stream) {
      write(Buffer.from('stream\n'));
      write(stream);
      write(Buffer.from('\nendstream\n'));
    }
    write(Buffer.from('endobj\n'));
  }
  const start = length;
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  write(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<</Size ${objects.length + 1} /Root 1 0 R ${trailer}>>\nstartxref\n${start}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(pieces);
}

export function pageContent(lines: readonly string[]): Buffer {
  const shown = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj T*`).join('\n');
  return Buffer.from(`BT /F1 12 Tf 14 TL 50 780 Td\n${shown}\nET`, 'latin1');
}

/** A PDF with the lines of each page, compressed. */
export function buildPdf(pages: readonly (readonly string[])[], box = A4): Buffer {
  const first = 4;
  const kids = pages.map((_, index) => `${first + index * 2} 0 R`).join(' ');
  return buildPdfFile([
    { dictionary: '<</Type /Catalog /Pages 2 0 R>>' },
    { dictionary: `<</Type /Pages /Kids [${kids}] /Count ${pages.length}>>` },
    {
      dictionary: '<</Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding>>',
    },
    ...pages.flatMap((lines, index) => [
      { dictionary: pdfPage(first + index * 2 + 1, box) },
      { dictionary: '<</Filter /FlateDecode>>', stream: deflateSync(pageContent(lines)) },
    ]),
  ]);
}

/**
 * A page dictionary with content object `content` and font object 3.
 *
 * @param box width and height in points
 */
function pdfPage(content: number, box = A4, { page = '', resources = '' }: OnePage = {}): string {
  return `<</Type /Page /Parent 2 0 R /MediaBox [0 0 ${box.join(' ')}] /Contents ${content} 0 R /Resources <</Font <</F1 3 0 R>> ${resources}>> ${page}>>`;
}

/** Glyphs that are drawn from left to right, from the point (x, y) on. */
export interface GlyphRun {
  readonly x: number;
  readonly y: number;
  readonly glyphs: readonly string[];
}

/** The width of each glyph of {@link buildPdfOfGlyphs}. */
export const GLYPH_WIDTH = 6;

/**
 * A PDF with one page of these runs, in this order. Its font has a glyph for each text.
 *
 * @param page entries of the page dictionary
 */
export function buildPdfOfGlyphs(runs: readonly GlyphRun[], page = ''): Buffer {
  const glyphs = [...new Set(runs.flatMap((run) => run.glyphs))];
  const hex = (code: number) => code.toString(16).padStart(2, '0');
  const mappings = glyphs.map(
    (text, code) => `<${hex(code + 1)}> <${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`,
  );
  const map = `begincmap\n1 begincodespacerange <00> <ff> endcodespacerange
${mappings.length} beginbfchar\n${mappings.join('\n')}\nendbfchar\nendcmap`;
  const shown = runs.map(
    (run) =>
      `1 0 0 1 ${run.x} ${run.y} Tm <${run.glyphs.map((text) => hex(glyphs.indexOf(text) + 1)).join('')}> Tj`,
  );
  const font = `<</Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode ${FIRST_OBJECT} 0 R /FirstChar 1 /LastChar ${glyphs.length} /Widths [${glyphs.map(() => 500).join(' ')}]>>`;
  return buildPdfOfStream('<<>>', Buffer.from(`BT /F1 12 Tf\n${shown.join('\n')}\nET`), {
    page,
    font,
    objects: [{ dictionary: '<<>>', stream: Buffer.from(map) }],
  });
}

/** What a PDF with one page has besides its content: entries of dictionaries, its font, and further objects. */
interface OnePage {
  readonly catalog?: string;
  readonly page?: string;
  readonly resources?: string;
  readonly trailer?: string;
  readonly font?: string;
  /** Numbered from {@link FIRST_OBJECT}. */
  readonly objects?: readonly PdfObject[];
}

export const FIRST_OBJECT = 6;

/** A PDF with one page and this content stream. */
export function buildPdfOfStream(dictionary: string, stream: Buffer, more: OnePage = {}): Buffer {
  const { catalog = '', font = HELVETICA, objects = [], trailer } = more;
  return buildPdfFile(
    [
      { dictionary: `<</Type /Catalog /Pages 2 0 R ${catalog}>>` },
      { dictionary: '<</Type /Pages /Kids [4 0 R] /Count 1>>' },
      { dictionary: font },
      { dictionary: pdfPage(5, A4, more) },
      { dictionary, stream },
      ...objects,
    ],
    trailer,
  );
}

/** A PDF of 80 KB that takes seconds to read: 500 pages share one content of 16 MiB. */
export function buildSlowPdf(): Buffer {
  const [count, firstPage] = [500, 5];
  const pages = Array.from({ length: count }, () => ({ dictionary: pdfPage(4) }));
  const kids = pages.map((_, index) => `${firstPage + index} 0 R`).join(' ');
  return buildPdfFile([
    { dictionary: '<</Type /Catalog /Pages 2 0 R>>' },
    { dictionary: `<</Type /Pages /Kids [${kids}] /Count ${count}>>` },
    { dictionary: HELVETICA },
    { dictionary: '<</Filter /FlateDecode>>', stream: deflateSync(Buffer.alloc(16 * 1024 * 1024, 'q Q ')) },
    ...pages,
  ]);
}
