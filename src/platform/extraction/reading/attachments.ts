import { ExtractionError } from './extraction-error.js';
import { type Source } from './source.js';
import { type Hints } from './text-media-type.js';
import { type TextOutput } from './text-output.js';

/** Maximum nesting depth of messages and archives in each other. */
const MAX_DEPTH = 5;

/** A file in another file. */
export interface Attachment extends Hints {
  /** May throw an ExtractionError: the attachment is then skipped. */
  readonly open: () => Promise<Source>;
}

/** Reads an attachment like any other file. A failure does not make the outer file fail. */
export type ReadAttachment = (source: Source, hints: Hints, depth: number) => Promise<void>;

/** Adds the names of the attachments, and their texts up to the maximum depth. */
export async function readAttachments(
  attachments: Iterable<Attachment>,
  output: TextOutput,
  depth: number,
  read: ReadAttachment,
): Promise<void> {
  for (const { fileName, claimedType, open } of attachments) {
    if (output.full) return;
    output.add('\n\n');
    if (fileName !== null) output.add(`${fileName}\n`);
    if (depth >= MAX_DEPTH) continue;
    try {
      await read(await open(), { fileName, claimedType }, depth + 1);
    } catch (error) {
      if (!(error instanceof ExtractionError)) throw error;
    }
  }
}
