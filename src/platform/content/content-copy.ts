import { ContentMissing, type ContentStore, type KeptContent } from './content-store.js';

interface CopyResult {
  readonly copied: number;
  readonly alreadyThere: number;
  /** Contents whose bytes do not match their hash. */
  readonly damaged: readonly KeptContent[];
}

/**
 * Copies the kept content that the target does not have yet. Skips content that is removed meanwhile. Verifies the hash
 * of everything it copies; damaged content is reported and not copied.
 */
export async function copyContents(from: ContentStore, to: ContentStore): Promise<CopyResult> {
  let copied = 0;
  let alreadyThere = 0;
  const damaged: KeptContent[] = [];
  for await (const content of from.listKept()) {
    const { tenantId, sha256 } = content;
    const size = await sizeIn(from, content);
    if (size === null) continue;
    if ((await sizeIn(to, content)) === size) {
      alreadyThere += 1;
      continue;
    }
    const source = await from.open(tenantId, sha256).catch(nullWhenMissing);
    if (source === null) continue;
    const received = await to.receive(source, Number.MAX_SAFE_INTEGER);
    if (received.sha256 === sha256) {
      await to.keep(tenantId, received);
      copied += 1;
    } else {
      await to.discard(received);
      damaged.push(content);
    }
  }
  return { copied, alreadyThere, damaged };
}

/** Null if the store does not have the content. */
export function sizeIn(
  store: ContentStore,
  { tenantId, sha256 }: Pick<KeptContent, 'tenantId' | 'sha256'>,
): Promise<number | null> {
  return store.size(tenantId, sha256).catch(nullWhenMissing);
}

function nullWhenMissing(error: unknown): null {
  if (error instanceof ContentMissing) return null;
  throw error;
}
