import { type Source } from './source.js';
import { type Hints } from './text-media-type.js';
import { type TextOutput } from './text-output.js';

/** Maximum nesting depth of messages and archives in each other. */
const MAX_DEPTH = 5;

/** Maximum number of attachments of a message. Further ones are ignored. */
export const MAX_ATTACHMENTS = 100;

/** A file in another file. */
export interface Attachment extends Hints {
  /** May throw an ExtractionError. */
  readonly open: () => Promise<Source>;
}

/** Reads an attachment like any other file. A failure does not make the outer file fail. */
export type ReadAttachment = (attachment: Attachment, depth: number) => Promise<void>;

/** Adds the names of the attachments, and their texts up to the maximum depth. */
export async function readAttachments(
  attachments: Iterable<Attachment>,
  output: TextOutput,
  depth: number,
  read: ReadAttachment,
): Promise<void> {
  for (const attachment of attachments) {
    if (output.full) return;
    output.add('\n\n');
    if (attachment.fileName !== null) output.add(`${attachment.fileName}\n`);
    if (depth < MAX_DEPTH) await read(attachment, depth + 1);
  }
}
