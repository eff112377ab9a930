import { type ReadAttachment, readAttachments } from './attachments.js';
import { ExtractionError } from './extraction-error.js';
import { type DecompressionBudget, ZipContainer, type ZipEntry } from './office/zip-container.js';
import { BufferSource, type Source } from './source.js';
import { type TextOutput } from './text-output.js';

/** Maximum number of entries whose contents are read. The names of all entries are added. */
const MAX_READ = 1000;
/** Maximum size of an entry in memory, in bytes. Larger ones are found by name only. */
const MAX_ENTRY = 64 * 1024 * 1024;

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
      open: async () => new BufferSource(await bytesOf(entry)),
    }));
  await readAttachments(entries, MAX_READ, output, depth, read);
}

async function bytesOf({ name, read }: ZipEntry): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of read()) {
    length += chunk.length;
    if (length > MAX_ENTRY) throw new ExtractionError('OutputLimitExceeded', `${name} is too large`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
