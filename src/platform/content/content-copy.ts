import { ContentMissing, type ContentStore, type KeptContent } from './content-store.js';

interface CopyResult {
  /** How many were copied now, and how many were there already. */
  readonly copied: number;
  readonly alreadyThere: number;
  /** Those whose bytes are not the ones that they are named after. */
  readonly damaged: readonly KeptContent[];
}

/**
 * Copies what a store keeps into another one, as far as it is not there yet; what is removed meanwhile is left out.
 * Every byte that is copied is counted into its hash again: damage is told, and not copied.
 */
export async function copyContents(from: ContentStore, to: ContentStore): Promise<CopyResult> {
  let copied = 0;
  let there = 0;
  const damaged: KeptContent[] = [];
  for await (const content of from.listKept()) {
    const { tenantId, sha256 } = content;
    const size = await sizeIn(from, content);
    if (size === null) continue;
    if ((await sizeIn(to, content)) === size) {
      there += 1;
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
  return { copied, alreadyThere: there, damaged };
}

/** Null when the store does not have it. */
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
