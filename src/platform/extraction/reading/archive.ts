import { type ReadAttachment, readAttachments } from './attachments.js';
import { type DecompressionBudget, ZipContainer, entryBytes } from './office/zip-container.js';
import { BufferSource, type Source } from './source.js';
import { type TextOutput } from './text-output.js';

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
