import { type DecompressionBudget, ZipContainer, entryBytes } from './office/zip-container.js';
import { BufferSource, type Source } from './source.js';
import { type Hints } from './text-media-type.js';
import { type TextOutput } from './text-output.js';

/** Maximum nesting depth of messages and archives in each other. */
export const MAX_DEPTH = 5;

/** Maximum number of attachments of a message whose contents are read. The names of all are added. */
export const MAX_READ_ATTACHMENTS = 100;

/** A file in another file. */
export interface Attachment extends Hints {
  /** May throw an ExtractionError. */
  readonly open: () => Promise<Source>;
}

/** Reads an attachment like any other file. A failure does not make the outer file fail. */
export type ReadAttachment = (attachment: Attachment, depth: number) => Promise<void>;

/** Adds the names of all attachments, then the texts of the first `limit` ones up to the maximum depth. */
export async function readAttachments(
  attachments: readonly Attachment[],
  limit: number,
  output: TextOutput,
  depth: number,
  read: ReadAttachment,
): Promise<void> {
  // Before the texts, because these may fill the output.
  output.add('\n\n');
  for (const { fileName } of attachments) if (fileName !== null) output.add(`${fileName}\n`);
  if (depth >= MAX_DEPTH) return;
  for (const attachment of attachments.slice(0, limit)) {
    if (output.full) return;
    output.add('\n\n');
    await read(attachment, depth + 1);
  }
}

/** Maximum number of entries whose contents are read. The names of all entries are added. */
const MAX_READ = 1000;

/**
 * Adds the names of the entries of a ZIP archive, then their texts. Entries that are encrypted, damaged or too large are
 * found by name only.
 */
export async function readArchive(
  source: Source,
  output: TextOutput,
  budget: DecompressionBudget,
  depth: number,
  read: ReadAttachment,
): Promise<void> {
  // Nothing is stored under the names, so they may be paths of any kind.
  const zip = await ZipContainer.open(source, budget, { anyNames: true });
  const entries = zip.entries
    .filter(({ name }) => !name.endsWith('/'))
    .map((entry) => ({
      fileName: entry.name,
      claimedType: 'application/octet-stream',
      open: async () => new BufferSource(await entryBytes(entry)),
    }));
  await readAttachments(entries, MAX_READ, output, depth, read);
}
