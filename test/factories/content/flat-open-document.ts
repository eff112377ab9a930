const ODF = 'urn:oasis:names:tc:opendocument:xmlns';
const NAMESPACES = [
  ...['office', 'text', 'table', 'style', 'presentation'].map((name) => `xmlns:${name}="${ODF}:${name}:1.0"`),
  `xmlns:draw="${ODF}:drawing:1.0"`,
  `xmlns:svg="${ODF}:svg-compatible:1.0"`,
  `xmlns:fo="${ODF}:xsl-fo-compatible:1.0"`,
  'xmlns:xlink="http://www.w3.org/1999/xlink"',
].join(' ');

const MASTER =
  '<office:master-styles><style:master-page style:name="master" style:page-layout-name="layout"/></office:master-styles>';

export interface FlatOpenDocument {
  readonly kind: 'text' | 'spreadsheet' | 'presentation';
  /** XML inside office:text, office:spreadsheet or office:presentation. */
  readonly body: string;
  /** XML inside office:styles. */
  readonly styles?: string;
  /** XML inside office:automatic-styles. */
  readonly automaticStyles?: string;
}

/** An Office file of one XML document (fodt, fods, fodp), which LibreOffice converts to other formats. */
export function buildFlatOpenDocument({
  kind,
  body,
  styles = '',
  automaticStyles = '',
}: FlatOpenDocument): Buffer {
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?><office:document ${NAMESPACES} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.${kind}"><office:styles>${styles}</office:styles><office:automatic-styles>${automaticStyles}<style:page-layout style:name="layout"><style:page-layout-properties fo:page-width="21cm" fo:page-height="15cm"/></style:page-layout><style:style style:name="break" style:family="paragraph"><style:paragraph-properties fo:break-before="page"/></style:style></office:automatic-styles>${MASTER}<office:body><office:${kind}>${body}</office:${kind}></office:body></office:document>`,
  );
}

/** A text with one paragraph on each page. */
export function buildFlatText(...pages: readonly string[]): Buffer {
  const body = pages.map(
    (text, index) => `<text:p${index > 0 ? ' text:style-name="break"' : ''}>${text}</text:p>`,
  );
  return buildFlatOpenDocument({ kind: 'text', body: body.join('') });
}

export function buildFlatSpreadsheet(...cells: readonly string[]): Buffer {
  const row = cells
    .map((text) => `<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`)
    .join('');
  const body = `<table:table table:name="Tabelle"><table:table-row>${row}</table:table-row></table:table>`;
  return buildFlatOpenDocument({ kind: 'spreadsheet', body });
}

export function buildFlatPresentation(...slides: readonly string[]): Buffer {
  const frame = (text: string) =>
    `<draw:frame svg:x="2cm" svg:y="2cm" svg:width="15cm" svg:height="3cm"><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>`;
  const body = slides.map(
    (text, index) =>
      `<draw:page draw:name="Folie ${index + 1}" draw:master-page-name="master">${frame(text)}</draw:page>`,
  );
  return buildFlatOpenDocument({ kind: 'presentation', body: body.join('') });
}
