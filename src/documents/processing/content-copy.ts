import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ContentMissing, type ContentStore } from '../../content/content-store.js';

/** The store has lost these bytes, or has others in their place. */
export class ContentDamaged extends Error {
  constructor(detail: string) {
    super(`The content in the store is not what was put there: ${detail}.`);
    this.name = 'ContentDamaged';
  }
}

export interface CopiedContent {
  readonly tenantId: string;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
}

/**
 * Copies kept bytes to a local file, and holds them against what they were when they were received.
 *
 * @throws ContentDamaged; whatever the store or the file system fails with
 */
export async function copyContent(
  store: ContentStore,
  { tenantId, sha256, size }: CopiedContent,
  file: string,
  signal: AbortSignal,
): Promise<void> {
  const source = await store.open(tenantId, sha256).catch((error: unknown) => {
    throw error instanceof ContentMissing ? new ContentDamaged('it is missing') : error;
  });
  const hash = createHash('sha256');
  let copied = 0;
  const check = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      copied += chunk.length;
      hash.update(chunk);
      // What has grown is not copied on until the disk is full.
      done(copied > size ? new ContentDamaged(`it has more than ${size} bytes`) : null, chunk);
    },
  });
  await pipeline(source, check, createWriteStream(file, { flags: 'wx', mode: 0o600 }), { signal });
  if (copied !== size) throw new ContentDamaged(`it has ${copied} of ${size} bytes`);
  if (hash.digest('hex') !== sha256) throw new ContentDamaged('its hash is another one');
}
