import path from 'node:path';
import { buildStorages } from './outlook-message.js';
import { type ZipEntry, buildZip } from './zip-file.js';

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const OOXML = 'http://schemas.openxmlformats.org';
const ODF = 'urn:oasis:names:tc:opendocument:xmlns';

const W = `xmlns:w="${OOXML}/wordprocessingml/2006/main" xmlns:mc="${OOXML}/markup-compatibility/2006"`;

function contentTypes(part: string, mediaType: string): ZipEntry {
  return {
    name: '[Content_Types].xml',
    content: `${XML}<Types xmlns="${OOXML}/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${part}" ContentType="application/vnd.openxmlformats-officedocument.${mediaType}.main+xml"/></Types>`,
  };
}

export interface WordDocument {
  /** XML of the paragraphs. Callers escape text. */
  readonly body: string;
  readonly pages?: number;
  readonly extraEntries?: readonly ZipEntry[];
}

export function buildDocx({ body, pages, extraEntries = [] }: WordDocument): Buffer {
  return buildZip([
    contentTypes('word/document.xml', 'wordprocessingml.document'),
    { name: 'word/document.xml', content: `${XML}<w:document ${W}><w:body>${body}</w:body></w:document>` },
    ...(pages === undefined
      ? []
      : [
          {
            name: 'docProps/app.xml',
            content: `${XML}<Properties xmlns="${OOXML}/officeDocument/2006/extended-properties"><Pages>${pages}</Pages></Properties>`,
          },
        ]),
    ...extraEntries,
  ]);
}

export const paragraph = (...runs: string[]): string =>
  `<w:p>${runs.map((run) => `<w:r><w:t xml:space="preserve">${run}</w:t></w:r>`).join('')}</w:p>`;

export interface Workbook {
  readonly shared: readonly string[];
  /** XML of the rows, by sheet name. */
  readonly sheets: Readonly<Record<string, string>>;
  /** Ids of the number formats of the cell styles. */
  readonly styles?: readonly number[];
  readonly extraEntries?: readonly ZipEntry[];
}

export function buildXlsx({ shared, sheets, styles = [0], extraEntries = [] }: Workbook): Buffer {
  const main = `xmlns="${OOXML}/spreadsheetml/2006/main"`;
  const names = Object.keys(sheets);
  return buildZip([
    contentTypes('xl/workbook.xml', 'spreadsheetml.sheet'),
    {
      name: 'xl/workbook.xml',
      content: `${XML}<workbook ${main}><sheets>${names.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}"/>`).join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/styles.xml',
      content: `${XML}<styleSheet ${main}><numFmts><numFmt numFmtId="170" formatCode="dd\\.mm\\.yyyy"/></numFmts><cellXfs>${styles.map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs></styleSheet>`,
    },
    {
      name: 'xl/sharedStrings.xml',
      content: `${XML}<sst ${main}>${shared.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    },
    ...Object.values(sheets).map((rows, index) => ({
      name: `xl/worksheets/sheet${index + 1}.xml`,
      content: `${XML}<worksheet ${main}><sheetData>${rows}</sheetData></worksheet>`,
    })),
    ...extraEntries,
  ]);
}

export function buildPptx(slides: readonly string[], extraEntries: readonly ZipEntry[] = []): Buffer {
  const a = `xmlns:a="${OOXML}/drawingml/2006/main" xmlns:p="${OOXML}/presentationml/2006/main"`;
  return buildZip([
    contentTypes('ppt/presentation.xml', 'presentationml.presentation'),
    { name: 'ppt/presentation.xml', content: `${XML}<p:presentation ${a}/>` },
    ...slides.map((text, index) => ({
      name: `ppt/slides/slide${index + 1}.xml`,
      content: `${XML}<p:sld ${a}><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:sld>`,
    })),
    ...extraEntries,
  ]);
}

/** The parts to which a part refers (ECMA-376, part 2, 9.3): type and target of each. */
export function relationships(part: string, targets: readonly (readonly [string, string])[]): ZipEntry {
  const { dir, base } = path.posix.parse(part);
  const list = targets.map(
    ([type, target], index) =>
      `<Relationship Id="r${index}" Type="${OOXML}/officeDocument/2006/relationships/${type}" Target="${target}"/>`,
  );
  return {
    name: `${dir}/_rels/${base}.rels`,
    content: `${XML}<Relationships>${list.join('')}</Relationships>`,
  };
}

export interface OpenDocument {
  readonly kind: 'text' | 'spreadsheet' | 'presentation';
  /** XML inside office:text, office:spreadsheet or office:presentation. */
  readonly body: string;
  readonly pages?: number;
  readonly encrypted?: boolean;
}

export function buildOpenDocument({ kind, body, pages, encrypted = false }: OpenDocument): Buffer {
  const namespaces = ['office', 'text', 'table', 'draw', 'meta', 'style']
    .map((name) => `xmlns:${name}="${ODF}:${name}:1.0"`)
    .join(' ');
  const secret = encrypted
    ? '<manifest:encryption-data manifest:checksum-type="SHA1/1K" manifest:checksum="AA=="/>'
    : '';
  return buildZip([
    { name: 'mimetype', content: `application/vnd.oasis.opendocument.${kind}`, stored: true },
    {
      name: 'META-INF/manifest.xml',
      content: `${XML}<manifest:manifest xmlns:manifest="${ODF}:manifest:1.0"><manifest:file-entry manifest:full-path="content.xml">${secret}</manifest:file-entry></manifest:manifest>`,
    },
    {
      name: 'content.xml',
      content: encrypted
        ? Buffer.from('6b1f0a9cc4e1', 'hex')
        : `${XML}<office:document-content ${namespaces}><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    },
    {
      name: 'styles.xml',
      content: `${XML}<office:document-styles ${namespaces}><office:master-styles><style:footer><text:p>Fußzeile</text:p></style:footer></office:master-styles></office:document-styles>`,
    },
    ...(pages === undefined
      ? []
      : [
          {
            name: 'meta.xml',
            content: `${XML}<office:document-meta ${namespaces}><office:meta><meta:document-statistic meta:page-count="${pages}"/></office:meta></office:document-meta>`,
          },
        ]),
  ]);
}

/**
 * A compound file ([MS-CFB]) with these streams: the format of encrypted Office files and of Office before 2007.
 *
 * @param start the first bytes of the first stream; without it, all streams are empty
 */
export function buildCompoundFile(names: readonly string[], start?: Buffer): Buffer {
  const content = Buffer.alloc(start ? 4096 : 0);
  start?.copy(content);
  return buildStorages(
    Object.fromEntries(names.map((name, index) => [name, index === 0 ? content : Buffer.alloc(0)])),
  );
}
