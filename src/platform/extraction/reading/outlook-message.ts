import { isAscii } from 'node:buffer';
import iconv from 'iconv-lite';
import msgReader, { type FieldsData } from '@kenjiuno/msgreader';
import { decompressRTF } from '@kenjiuno/decompressrtf';
import { type Attachment, attachmentOf } from './attachments.js';
import { detectEncoding } from './decode-text.js';
import { ExtractionError } from './extraction-error.js';
import { readHtml } from './markup.js';
import { readRtf } from './rtf.js';
import { BufferSource, type Source } from './source.js';
import { type TextOutput } from './text-output.js';

const { default: MsgReader } = msgReader;

/**
 * Adds the text of an Outlook message ([MS-OXMSG]): subject, addresses, date and body.
 *
 * @param limit maximum size in bytes: the library needs the whole message in memory
 * @returns the attachments, including attached messages
 * @throws ExtractionError Corrupted or MemoryLimitExceeded
 */
export async function readOutlookMessage(
  source: Source,
  output: TextOutput,
  limit: number,
): Promise<Attachment[]> {
  if (source.size > limit) throw new ExtractionError('MemoryLimitExceeded', `${source.size} bytes`);
  const bytes = await source.read(0, source.size);
  const reader = parsed(() => readerOf(Uint8Array.from(bytes).buffer));
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
  await readMapiBody(message, output);
  return attachments.map((attachment) => {
    const { fileName, fileNameShort, name, attachMimeTag } = attachment;
    const content = () => Buffer.from(parsed(() => reader.getAttachment(attachment)).content);
    return attachmentOf(fileName ?? fileNameShort ?? name ?? null, content, attachMimeTag);
  });
}

/** Maximum bytes of the texts that show their encoding. */
const SAMPLE = 64 * 1024;
/** [MS-OXCDATA] 2.11.1: a text that is not in Unicode. */
const STRING8 = 0x001e;

/** A reader that decodes texts which are not in Unicode by the code page of the message, or else as text files. */
function readerOf(bytes: ArrayBuffer): InstanceType<typeof MsgReader> {
  const reader = new MsgReader(bytes);
  let sample = Buffer.alloc(0);
  reader.parserConfig = {
    propertyObserver: (_, tag, raw) => {
      if ((tag & 0xffff) === STRING8 && raw && sample.length < SAMPLE)
        sample = Buffer.concat([sample, raw.subarray(0, SAMPLE)]);
    },
  };
  const { messageCodepage, internetCodepage } = reader.getFileData();
  if (isAscii(sample)) return reader;
  const encoding = detectEncoding(sample, codePage(messageCodepage ?? internetCodepage));
  const decoding = new MsgReader(bytes);
  decoding.parserConfig = { ansiEncoding: iconv.encodingExists(encoding) ? encoding : 'windows-1252' };
  return decoding;
}

function codePage(number: number | undefined): string | undefined {
  return number === undefined ? undefined : `cp${number}`;
}

type MapiBody = Pick<FieldsData, 'body' | 'html' | 'bodyHtml' | 'compressedRtf' | 'internetCodepage'>;

/** Adds the first of the plain text, the HTML and the rich text that exists. */
export async function readMapiBody(message: MapiBody, output: TextOutput): Promise<void> {
  const { body, html, bodyHtml, compressedRtf } = message;
  if (body?.trim()) output.add(body);
  else if (html)
    await readHtml(new BufferSource(Buffer.from(html)), output, codePage(message.internetCodepage));
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
