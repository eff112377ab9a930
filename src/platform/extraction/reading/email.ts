import PostalMime, { type Address, type Attachment } from 'postal-mime';
import { ExtractionError } from './extraction-error.js';
import { readHtmlText } from './html.js';
import { BufferSource, type Source } from './source.js';
import { type TextOutput } from './text-output.js';

/** Messages within messages that are followed, all in all. */
const MAX_DEPTH = 5;
const MAX_ATTACHMENTS = 100;

/** How what is attached is read: like any other file, and its failure is not the message's. */
type ReadAttachment = (
  source: Source,
  hints: { fileName: string | null; claimedType: string },
  depth: number,
) => Promise<void>;

/**
 * A message (RFC 5322, MIME): subject, people and date, the text (or the HTML where there is no text), then the names
 * and texts of what is attached, messages included.
 *
 * @param limit bytes that are read: the library takes a message whole, and five times its size in memory. What comes
 *   behind is the end of some large attachment, and the text stands in front.
 * @throws ExtractionError Corrupted
 */
export async function readEmail(
  source: Source,
  output: TextOutput,
  limit: number,
  depth: number,
  readAttachment: ReadAttachment,
): Promise<void> {
  const message = await PostalMime.parse(await source.read(0, limit), {
    maxRfc822NestingDepth: 0,
    forceRfc822Attachments: true,
    maxNestingDepth: 50,
    attachmentEncoding: 'arraybuffer',
  }).catch((error: unknown) => {
    throw new ExtractionError('Corrupted', (error as Error).message);
  });
  const { subject, from, to = [], cc = [], date } = message;
  for (const line of [subject, people(from ? [from] : []), people(to), people(cc), date]) {
    if (line) output.add(`${line}\n`);
  }
  output.add('\n');
  if (message.text?.trim()) output.add(message.text);
  else if (message.html) readHtmlText(message.html, output);
  if (depth >= MAX_DEPTH) return;
  for (const attachment of message.attachments.slice(0, MAX_ATTACHMENTS)) {
    if (output.full) return;
    output.add('\n\n');
    if (attachment.filename !== null) output.add(`${attachment.filename}\n`);
    const hints = { fileName: attachment.filename, claimedType: attachment.mimeType };
    await readAttachment(new BufferSource(bytesOf(attachment)), hints, depth + 1);
  }
}

function people(addresses: readonly Address[]): string {
  return addresses
    .map(({ name, address, group }) => (group ? `${name} ${people(group)}` : `${name} ${address}`.trim()))
    .join(', ');
}

function bytesOf({ content }: Attachment): Buffer {
  if (typeof content === 'string') return Buffer.from(content);
  return content instanceof ArrayBuffer
    ? Buffer.from(content)
    : Buffer.from(content.buffer, content.byteOffset, content.byteLength);
}
