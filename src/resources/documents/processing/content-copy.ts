import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { type ContentStore } from '../../../platform/content/content-store.js';

/** The store has other bytes in the place of these. */
export class ContentDamaged extends Error {
  constructor(detail: string) {
    super(`The content in the store is not what was put there: ${detail}.`);
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
 * Copies kept bytes to a local file, and holds them against what they were when they were received.
 *
 * @throws ContentDamaged; ContentMissing and whatever else the store or the file system fails with
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
        // What has grown is not copied on until the disk is full.
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
  if (hash.digest('hex') !== sha256) throw new ContentDamaged('its hash is another one');
}
