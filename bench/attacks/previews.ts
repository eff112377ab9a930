import { setTimeout as sleep } from 'node:timers/promises';
import { buildSlowPdf } from '../../test/factories/content/pdf-files.js';
import { buildZip } from '../../test/factories/content/zip-file.js';
import { type Attacker } from './attacker.js';

const OFFICE = 'urn:oasis:names:tc:opendocument:xmlns';
const NAMESPACES = ['office', 'text'].map((name) => `xmlns:${name}="${OFFICE}:${name}:1.0"`).join(' ');
const TEXT = 'application/vnd.oasis.opendocument.text';
const MANIFEST = `<manifest:manifest xmlns:manifest="${OFFICE}:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="${TEXT}"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`;
const PARAGRAPHS = 400_000;
const WIDTHS = [200, 400, 800, 1600];

/** An odt of 36 KB that LibreOffice does not convert in 30 s, in 825 MiB. */
function buildSlowText(): Buffer {
  const body = '<text:p>a</text:p>'.repeat(PARAGRAPHS);
  const content = `<office:document-content ${NAMESPACES} office:version="1.3"><office:body><office:text>${body}</office:text></office:body></office:document-content>`;
  return buildZip([
    { name: 'mimetype', content: TEXT, stored: true },
    { name: 'META-INF/manifest.xml', content: MANIFEST },
    { name: 'content.xml', content },
  ]);
}

/**
 * Attacks with previews of pages that take long or do not exist. Office files are converted only if the bench runs with
 * CONVERTER=libreoffice.
 */
export async function preparePreviews(
  attacker: Attacker,
  origin: string,
): Promise<Record<string, () => Promise<unknown>>> {
  const headers = { authorization: attacker.authorization };
  const upload = async (bytes: Buffer, type: string, name: string): Promise<string> => {
    const form = new FormData();
    form.set('document', new Blob([JSON.stringify({ title: name })], { type: 'application/json' }));
    form.set('content', new Blob([new Uint8Array(bytes)], { type }), name);
    const created = await fetch(`${origin}${attacker.path('/documents')}`, {
      method: 'POST',
      headers,
      body: form,
    });
    const { id } = (await created.json()) as { id: string };
    const document = `${origin}${attacker.path(`/documents/${id}`)}`;
    const isProcessed = async () =>
      ((await (await fetch(document, { headers })).json()) as { status: string }).status !== 'Processing';
    while (!(await isProcessed())) await sleep(500);
    return id;
  };
  const text = await upload(buildSlowText(), TEXT, 'slow.odt');
  const pdf = await upload(buildSlowPdf(), 'application/pdf', 'slow.pdf');
  let page = 0;
  const attack = (name: string, id: string) => () =>
    Promise.all(
      WIDTHS.map((width, n) => {
        page += 1;
        const target = attacker.path(`/documents/${id}/preview?page=${page}&width=${width}`);
        return attacker.send(name, n, 'GET', target);
      }),
    );
  return {
    'previews of an Office file': attack('previews of an Office file', text),
    'previews of a slow PDF': attack('previews of a slow PDF', pdf),
  };
}
