const ODF = 'urn:oasis:names:tc:opendocument:xmlns';
const NAMESPACES = ['office', 'text', 'table'].map((name) => `xmlns:${name}="${ODF}:${name}:1.0"`).join(' ');

function sample(kind: string, extension: string, body: string) {
  const content = `<?xml version="1.0" encoding="UTF-8"?><office:document ${NAMESPACES} xmlns:draw="${ODF}:drawing:1.0" office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.${kind}"><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document>`;
  return { extension, content: Buffer.from(content) };
}

/** An Office file of each kind. */
export const SAMPLES = [
  sample('text', 'fodt', '<text:p>a</text:p>'),
  sample(
    'spreadsheet',
    'fods',
    '<table:table table:name="a"><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell></table:table-row></table:table>',
  ),
  sample('presentation', 'fodp', '<draw:page draw:name="a"/>'),
];
