import type { ContentStore } from './content-store.js';

const ONE_DAY_MS = 24 * 60 * 60 * 1000;
const BATCH = 500;

interface SweepOptions {
  /** Younger things stay: an upload may be on its way, or about to commit. One day unless told. */
  readonly olderThanMs?: number;
  /** Calls `remove` while nobody can begin to refer to this content, or does not call it; see `sweepContent`. */
  readonly withContentLock: (tenantId: string, sha256: string, remove: () => Promise<void>) => Promise<void>;
  /** Ends the sweep between two steps; it then fails with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** How much was removed. */
export interface SweepResult {
  readonly temporary: number;
  readonly kept: number;
}

/**
 * Removes what crashes and purged documents leave: old temporary content, and old kept content that nothing
 * refers to. May run on several instances at once.
 *
 * The danger is an upload of bytes that are there already, unreferenced, and just being swept: it would commit a
 * link to nothing. So linking and removing lock the same row of the table `contents`:
 *
 * - An upload takes the row (`insert … on conflict … do update`) before `ContentStore.keep`, and holds it to its
 *   commit.
 * - `withContentLock` takes the row, too (inserting it where there is none, so that an upload of these bytes waits even
 *   if it is the first), then asks once more whether anything refers to the content; only if nothing does, it
 *   awaits `remove`, deletes the row and commits.
 *
 * Then either the removal finds the link and does nothing, or the upload finds the bytes gone and puts its own in
 * their place. A crash between `remove` and the commit leaves a row without links and bytes, which harms nobody.
 *
 * @param isReferenced which of these to leave alone. Asked without locks, to sort out the many that are in use.
 *   Bytes go only a day after the last link to them: content that lost its last link since counts as referenced,
 *   because the time of its file says when it came, not when it was last in use.
 */
export async function sweepContent(
  store: ContentStore,
  isReferenced: (tenantId: string, sha256s: string[]) => Promise<Set<string>>,
  { olderThanMs = ONE_DAY_MS, withContentLock, signal }: SweepOptions,
): Promise<SweepResult> {
  const before = Date.now() - olderThanMs;
  let temporary = 0;
  for await (const { token, modifiedAt } of store.listTemporary()) {
    signal?.throwIfAborted();
    if (modifiedAt.getTime() >= before) continue;
    await store.discard({ token });
    temporary += 1;
  }

  let kept = 0;
  let tenant = '';
  let candidates: string[] = [];
  const removeCandidates = async (): Promise<void> => {
    const [tenantId, sha256s] = [tenant, candidates];
    candidates = [];
    if (sha256s.length === 0) return;
    const referenced = await isReferenced(tenantId, sha256s);
    for (const sha256 of sha256s) {
      if (referenced.has(sha256)) continue;
      signal?.throwIfAborted();
      await withContentLock(tenantId, sha256, async () => {
        await store.remove(tenantId, sha256);
        kept += 1;
      });
    }
  };
  for await (const { tenantId, sha256, modifiedAt } of store.listKept()) {
    signal?.throwIfAborted();
    if (modifiedAt.getTime() >= before) continue;
    if (tenantId !== tenant || candidates.length === BATCH) await removeCandidates();
    tenant = tenantId;
    candidates.push(sha256);
  }
  await removeCandidates();
  return { temporary, kept };
}
