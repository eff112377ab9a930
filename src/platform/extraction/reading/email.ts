import { MAX_READ_ATTACHMENTS, type ReadAttachment, readAttachments } from './attachments.js';
import { CMS_TYPE, cmsKind, decodeCms, signedContent } from './cms.js';
import { decodeDetected } from './decode-text.js';
import { ExtractionError } from './extraction-error.js';
import { decodeField } from './mime-header.js';
import { MimePart } from './mime-part.js';
import { readHtml } from './html.js';
import { BufferSource, type Source } from './source.js';
import { beforeHeader } from './text-media-type.js';
import { type TextOutput } from './text-output.js';

/** The end is optional, so that the time is linear. */
const QUOTED = /"((?:[^"\\]|\\.)*)"?/g;

/**
 * Adds the text of a message (RFC 5322, MIME): subject, addresses, date and body (HTML only if it has no plain text),
 * then the names and texts of the attachments, including attached messages.
 *
 * @param limit maximum number of bytes read. The rest is usually the end of a large attachment, because the body comes
 *   first.
 * @throws ExtractionError Corrupted
 */
export async function readEmail(
  source: Source,
  output: TextOutput,
  limit: number,
  depth: number,
  readAttachment: ReadAttachment,
): Promise<void> {
  const bytes = await source.read(0, limit);
  const message = new MimePart(bytes.subarray(beforeHeader(bytes.toString('latin1', 0, 64 * 1024))));
  const texts: MimePart[] = [];
  const attachments: MimePart[] = [];
  const body = bodyOf(message);
  collect(body, texts, attachments);
  if (texts[0] && PGP.test(texts[0].content().toString('latin1', 0, 1024)))
    throw new ExtractionError('Encrypted', 'PGP');
  // A header has the encoding of the body, unless it shows another one.
  const charset = texts[0]?.charset;
  const addresses = ['from', 'to', 'cc'].map((name) => addressesOf(message.raw(name), charset));
  for (const line of [message.text('subject', charset), ...addresses, dateOf(message.raw('date'))])
    if (line) output.add(`${line}\n`);
  output.add('\n');
  for (const part of texts) {
    await readBody(part, output);
    output.add('\n');
  }
  const files = attachments.map((part) => ({
    fileName: part.fileName,
    claimedType: part.charset === undefined ? part.type : `${part.type}; charset=${part.charset}`,
    open: async () => new BufferSource(part.content()),
  }));
  await readAttachments(files, MAX_READ_ATTACHMENTS, output, depth, readAttachment);
}

/** Maximum number of signatures around each other. */
const MAX_SIGNATURES = 5;
const PGP = /^\s*-----BEGIN PGP MESSAGE-----/;

/**
 * The message, or the part that its signature contains (RFC 8551, 3.5.2).
 *
 * @throws ExtractionError Encrypted for S/MIME and PGP/MIME
 */
function bodyOf(message: MimePart): MimePart {
  let body = message;
  for (let count = 0; count < MAX_SIGNATURES; count += 1) {
    if (body.type === 'multipart/encrypted') throw new ExtractionError('Encrypted', body.type);
    if (!CMS_TYPE.test(body.type) && !/\.p7m$/i.test(body.fileName ?? '')) break;
    const bytes = decodeCms(body.content());
    const kind = cmsKind(bytes);
    if (kind === 'encrypted') throw new ExtractionError('Encrypted', body.type);
    const content = kind === 'signed' ? signedContent(bytes) : null;
    if (content === null) break;
    body = new MimePart(content);
  }
  return body;
}

/** Divides the parts into texts of the body and attachments. */
function collect(part: MimePart, texts: MimePart[], attachments: MimePart[]): void {
  const { type, children } = part;
  if (type.startsWith('multipart/')) {
    const inner: MimePart[] = [];
    for (const child of children) collect(child, inner, attachments);
    // HTML is the same text again, unless the plain text is empty.
    const hasPlain = type === 'multipart/alternative' && inner.some(isPlain);
    texts.push(...inner.filter((text) => !hasPlain || text.type !== 'text/html'));
  } else if (!part.isAttachment && part.fileName === null && /^text\/(?:plain|html)$/.test(type)) {
    texts.push(part);
  } else {
    attachments.push(part);
  }
}

function isPlain(part: MimePart): boolean {
  return part.type === 'text/plain' && /\S/.test(part.content().toString('latin1'));
}

async function readBody(part: MimePart, output: TextOutput): Promise<void> {
  const content = part.content();
  if (part.type === 'text/html') return readHtml(new BufferSource(content), output, part.charset);
  const text = decodeDetected(content.subarray(0, output.limit * 4), part.charset);
  // RFC 3676, 4.3: `-- ` is the line before a signature.
  output.add(
    part.flow === null
      ? text
      : text.replace(/^ /gm, '').replace(/(?<!^--) \r?\n/gm, part.flow === 'space' ? ' ' : ''),
  );
}

/** Names and addresses without quotes and brackets. */
function addressesOf(raw: string, charset?: string): string {
  const unquoted = raw.replace(QUOTED, (_, text: string) => text.replace(/\\(.)/g, '$1'));
  return decodeField(unquoted, charset)
    .replaceAll('<', ' ')
    .replace(/[>;]|:(?=\s|$)/g, '')
    .trim();
}

function dateOf(value: string): string {
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? value : date.toISOString();
}
