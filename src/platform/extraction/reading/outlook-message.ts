import msgReader, { type FieldsData } from '@kenjiuno/msgreader';
import { decompressRTF } from '@kenjiuno/decompressrtf';
import { MAX_READ_ATTACHMENTS, type ReadAttachment, readAttachments } from './attachments.js';
import { ExtractionError } from './extraction-error.js';
import { readHtml } from './html.js';
import { readRtf } from './rtf.js';
import { BufferSource, type Source } from './source.js';
import { type TextOutput } from './text-output.js';

const { default: MsgReader } = msgReader;

/**
 * Adds the text of an Outlook message ([MS-OXMSG]): subject, addresses, date and body, then the names and texts of the
 * attachments, including attached messages.
 *
 * @param limit maximum size in bytes: the library needs the whole message in memory
 * @throws ExtractionError Corrupted or MemoryLimitExceeded
 */
export async function readOutlookMessage(
  source: Source,
  output: TextOutput,
  limit: number,
  depth: number,
  readAttachment: ReadAttachment,
): Promise<void> {
  if (source.size > limit) throw new ExtractionError('MemoryLimitExceeded', `${source.size} bytes`);
  const bytes = await source.read(0, source.size);
  const reader = new MsgReader(Uint8Array.from(bytes).buffer);
  const message = parsed(() => reader.getFileData());
  if (message.error !== undefined) throw new ExtractionError('Corrupted', message.error);
  const { subject, senderName, senderEmail, senderSmtpAddress, recipients = [], attachments = [] } = message;
  for (const line of [
    subject,
    person(senderName, senderSmtpAddress ?? senderEmail),
    recipients.map(({ name, smtpAddress, email }) => person(name, smtpAddress ?? email)).join(', '),
    message.messageDeliveryTime ?? message.clientSubmitTime,
  ]) {
    if (line) output.add(`${line}\n`);
  }
  output.add('\n');
  await readBody(message, output);
  const files = attachments.map((attachment) => ({
    fileName: attachment.fileName ?? attachment.fileNameShort ?? attachment.name ?? null,
    claimedType: attachment.attachMimeTag ?? 'application/octet-stream',
    open: async () => new BufferSource(Buffer.from(parsed(() => reader.getAttachment(attachment)).content)),
  }));
  await readAttachments(files, MAX_READ_ATTACHMENTS, output, depth, readAttachment);
}

async function readBody(message: FieldsData, output: TextOutput): Promise<void> {
  const { body, html, bodyHtml, compressedRtf } = message;
  if (body?.trim()) output.add(body);
  else if (html) await readHtml(new BufferSource(Buffer.from(html)), output);
  else if (bodyHtml) await readHtml(new BufferSource(Buffer.from(bodyHtml)), output);
  else if (compressedRtf) {
    const rtf = parsed(() => decompressRTF([...compressedRtf]));
    await readRtf(new BufferSource(Buffer.from(rtf)), output);
  }
}

function person(name = '', address = ''): string {
  return name === address ? name : `${name} ${address}`.trim();
}

/** The library throws errors of any kind for a damaged file. */
function parsed<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new ExtractionError('Corrupted', (error as Error).message);
  }
}
