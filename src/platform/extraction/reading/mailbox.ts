import { type Attachment, type ReadAttachment, readAttachments } from './attachments.js';
import { type Source, SourceSlice } from './source.js';
import { beforeHeader } from './text-media-type.js';
import { type TextOutput } from './text-output.js';

/** Maximum number of messages that are read. */
const MAX_MESSAGES = 10_000;
/** The line before a message (RFC 4155) has a time and follows an empty line. Programs quote such lines in texts. */
const SEPARATOR = /\n\r?\nFrom [^\r\n]{1,500}\d:\d\d[^\r\n]{0,500}\r?\n/g;
/** Two chunks share this many bytes, more than a separator has. */
const OVERLAP = 1100;

/** Whether a message begins like one in an mbox. */
export async function isMailbox(source: Source): Promise<boolean> {
  return (await source.read(0, 5)).toString('latin1') === 'From ';
}

/**
 * Adds the texts of all messages in an mbox file, one after the other, with their attachments.
 *
 * @param readSingle reads the only message, whose failure is that of the file
 */
export async function readMailbox(
  source: Source,
  output: TextOutput,
  depth: number,
  read: ReadAttachment,
  readSingle: (message: Source) => Promise<void>,
): Promise<void> {
  const first = beforeHeader((await source.read(0, OVERLAP)).toString('latin1'));
  const messages: Attachment[] = [];
  let start = first;
  const add = (end: number): void => {
    const slice = new SourceSlice(source, start, end);
    messages.push({ fileName: null, claimedType: 'message/rfc822', open: async () => slice });
  };
  for await (const { index, end } of separators(source)) {
    if (messages.length >= MAX_MESSAGES) break;
    add(index);
    start = end;
  }
  if (messages.length === 0) return readSingle(new SourceSlice(source, start));
  add(source.size);
  await readAttachments(messages, MAX_MESSAGES, output, depth, read);
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
