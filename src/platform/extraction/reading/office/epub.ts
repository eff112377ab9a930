import path from 'node:path';
import { ExtractionError } from '../extraction-error.js';
import { parseXml, readHtml } from '../markup.js';
import { BufferSource } from '../source.js';
import { type TextOutput } from '../text-output.js';
import { type ZipContainer, entryBytes } from './zip-container.js';

/** Algorithms that encrypt contents. Others only change fonts, which stay readable as text. */
const ENCRYPTION = /Algorithm="[^"]*xmlenc#(?!sha)/;

/**
 * Adds the title, the authors and the chapters of a book (EPUB 3.3).
 *
 * @throws ExtractionError Encrypted, or Corrupted if the book has no chapters
 */
export async function readEpub(zip: ZipContainer, output: TextOutput): Promise<void> {
  if (ENCRYPTION.test(await zip.text('META-INF/encryption.xml')))
    throw new ExtractionError('Encrypted', 'The chapters are encrypted');
  const { names, parts } = await readPackage(zip);
  if (parts.length === 0) throw new ExtractionError('Corrupted', 'The book has no chapters');
  output.add(`${names.join('\n')}\n`);
  const entryOf = new Map(zip.entries.map((entry) => [entry.name, entry]));
  for (const part of parts) {
    if (output.full) return;
    const entry = entryOf.get(part);
    if (!entry) continue;
    output.add('\n\n');
    await readHtml(new BufferSource(await entryBytes(entry)), output);
  }
}

/** Title and authors, and the parts in the order in which they are read. */
async function readPackage(zip: ZipContainer): Promise<{ names: string[]; parts: string[] }> {
  let root = '';
  await parseXml(zip.read('META-INF/container.xml'), {
    open(name, attributes) {
      if (name === 'rootfile') root ||= attributes['full-path'] ?? '';
    },
  });
  const hrefs = new Map<string, string>();
  const parts: string[] = [];
  const names: string[] = [];
  let isName = false;
  await parseXml(zip.read(root), {
    open(name, { id = '', href = '', idref = '' }) {
      if (name === 'item') hrefs.set(id, href);
      else if (name === 'itemref') parts.push(hrefs.get(idref) ?? '');
      isName = name === 'title' || name === 'creator';
      if (isName) names.push('');
    },
    text(text) {
      if (isName) names.push(`${names.pop()}${text}`);
    },
    close() {
      isName = false;
    },
  });
  return { names, parts: parts.map((href) => path.posix.join(path.posix.dirname(root), decoded(href))) };
}

function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}
