import PostalMime, { type Address, type Attachment } from 'postal-mime';
import { MAX_READ_ATTACHMENTS, type ReadAttachment, readAttachments } from './attachments.js';
import { ExtractionError } from './extraction-error.js';
import { readHtmlText } from './html.js';
import { BufferSource, type Source } from './source.js';
import { type TextOutput } from './text-output.js';

/**
 * Adds the text of a message (RFC 5322, MIME): subject, addresses, date and body (HTML only if it has no plain text),
 * then the names and texts of the attachments, including attached messages.
 *
 * @param limit maximum number of bytes read. The library needs the whole message and five times its size in memory.
 *   The rest is usually the end of a large attachment, because the body comes first.
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
  const attachments = message.attachments.map((attachment) => ({
    fileName: attachment.filename,
    claimedType: attachment.mimeType,
    open: async () => new BufferSource(bytesOf(attachment)),
  }));
  await readAttachments(attachments, MAX_READ_ATTACHMENTS, output, depth, readAttachment);
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
