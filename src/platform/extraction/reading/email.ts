import { type Attachment, attachmentOf } from './attachments.js';
import { CMS_TYPE, cmsKind, decodeCms, signedContent } from './cms.js';
import { decodeDetected } from './decode-text.js';
import { ExtractionError } from './extraction-error.js';
import { readHtml } from './markup.js';
import { MimePart, decodeField } from './mime.js';
import { BufferSource, type Source, SourceSlice } from './source.js';
import { MAILBOX_TYPE, beforeHeader } from './text-media-type.js';
import { type TextOutput } from './text-output.js';

/** The end is optional, so that the time is linear. */
const QUOTED = /"((?:[^"\\]|\\.)*)"?/g;

/**
 * Adds the text of a message (RFC 5322, MIME): subject, addresses, date and body (HTML only if it has no plain text).
 *
 * @param limit maximum number of bytes read. The rest is usually the end of a large attachment, because the body comes
 *   first.
 * @returns the attachments, including attached messages
 * @throws ExtractionError Corrupted
 */
export async function readEmail(source: Source, output: TextOutput, limit: number): Promise<Attachment[]> {
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
  return attachments.map((part) => {
    const type = part.charset === undefined ? part.type : `${part.type}; charset=${part.charset}`;
    return attachmentOf(part.fileName, () => part.content(), type);
  });
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

/** Maximum number of messages that are read. */
const MAX_MESSAGES = 10_000;
/** The line before a message (RFC 4155) has a time and follows an empty line. Programs quote such lines in texts. */
const SEPARATOR = /\n\r?\nFrom [^\r\n]{1,500}\d:\d\d[^\r\n]{0,500}\r?\n/g;
/** Two chunks share this many bytes, more than a separator has. */
const OVERLAP = 1100;

/** The first {@link MAX_MESSAGES} messages of an mbox file; the source itself if it is none. */
export async function messagesIn(source: Source, mediaType: string): Promise<Source[]> {
  // The first message may be so large that the start of the file does not show the second.
  const isMailbox = mediaType === MAILBOX_TYPE || (await source.read(0, 5)).toString('latin1') === 'From ';
  if (!isMailbox) return [source];
  const messages: Source[] = [];
  let start = beforeHeader((await source.read(0, OVERLAP)).toString('latin1'));
  for await (const { index, end } of separators(source)) {
    messages.push(new SourceSlice(source, start, index));
    if (messages.length >= MAX_MESSAGES) return messages;
    start = end;
  }
  return [...messages, new SourceSlice(source, start)];
}

async function* separators(source: Source): AsyncGenerator<{ readonly index: number; readonly end: number }> {
  let before = '';
  let position = 0;
  let last = 0;
  for await (const chunk of source.chunks()) {
    const text = before + chunk.toString('latin1');
    const offset = position - before.length;
    for (const { index, 0: line } of text.matchAll(SEPARATOR)) {
      if (offset + index < last) continue;
      last = offset + index + line.length;
      yield { index: offset + index, end: last };
    }
    position += chunk.length;
    before = text.slice(-OVERLAP);
  }
}
