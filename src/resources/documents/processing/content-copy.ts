import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { type ContentStore } from '../../../platform/content/content-store.js';

/** The bytes in the content store differ from those that were stored. */
export class ContentDamaged extends Error {
  constructor(detail: string) {
    super(`The stored content is damaged: ${detail}.`);
    this.name = 'ContentDamaged';
  }
}

interface CopiedContent {
  readonly tenantId: string;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
}

/**
 * Copies a content from the store to a local file and verifies its size and hash.
 *
 * @throws ContentDamaged; ContentMissing and other errors of the store or the file system
 */
export async function copyContent(
  store: ContentStore,
  { tenantId, sha256, size }: CopiedContent,
  file: string,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const source = await store.open(tenantId, sha256);
  const hash = createHash('sha256');
  let copied = 0;
  try {
    const handle = await open(file, 'wx', 0o600);
    try {
      for await (const chunk of addAbortSignal(signal, source) as AsyncIterable<Buffer>) {
        copied += chunk.length;
        // Stop early, so that a larger content does not fill the disk.
        if (copied > size) throw new ContentDamaged(`it has more than ${size} bytes`);
        hash.update(chunk);
        await handle.appendFile(chunk);
      }
    } finally {
      await handle.close();
    }
  } finally {
    source.destroy();
  }
  if (copied !== size) throw new ContentDamaged(`it has ${copied} of ${size} bytes`);
  if (hash.digest('hex') !== sha256) throw new ContentDamaged('its hash differs');
}
