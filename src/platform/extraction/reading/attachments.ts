import { type DecompressionBudget, ZipContainer, entryBytes } from './office/zip-container.js';
import { BufferSource, type Source } from './source.js';
import { type Hints } from './text-media-type.js';

/** A file in another file. */
export interface Attachment extends Hints {
  /** May throw an ExtractionError. */
  readonly open: () => Promise<Source>;
}

/** An attachment whose bytes are in memory while it is read. */
export function attachmentOf(
  fileName: string | null,
  bytes: () => Buffer | Promise<Buffer>,
  claimedType = 'application/octet-stream',
): Attachment {
  return { fileName, claimedType, open: async () => new BufferSource(await bytes()) };
}

/**
 * Adds the names of all attachments, then the texts of the first `limit` ones, which are read like any other file. A
 * failure does not make the outer file fail.
 */
export type AddAttachments = (attachments: readonly Attachment[], limit?: number) => Promise<void>;

/** Maximum number of entries whose contents are read. The names of all entries are added. */
const MAX_READ = 1000;

/**
 * Adds the names of the entries of a ZIP archive, then their texts. Entries that are encrypted, damaged or too large are
 * found by name only.
 */
export async function readArchive(
  source: Source,
  budget: DecompressionBudget,
  addAttachments: AddAttachments,
): Promise<void> {
  // Nothing is stored under the names, so they may be paths of any kind.
  const zip = await ZipContainer.open(source, budget, { anyNames: true });
  const entries = zip.entries.filter(({ name }) => !name.endsWith('/'));
  await addAttachments(
    entries.map((entry) => attachmentOf(entry.name, () => entryBytes(entry))),
    MAX_READ,
  );
}
