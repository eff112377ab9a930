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

/** The entries of a ZIP archive. Those that are encrypted, damaged or too large are found by name only. */
export async function archivedFiles(source: Source, budget: DecompressionBudget): Promise<Attachment[]> {
  // Nothing is stored under the names, so they may be paths of any kind.
  const zip = await ZipContainer.open(source, budget, { anyNames: true });
  return zip.entries
    .filter(({ name }) => !name.endsWith('/'))
    .map((entry) => attachmentOf(entry.name, () => entryBytes(entry)));
}
