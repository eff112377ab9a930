import type { ContentStore } from './content-store.js';

const ONE_DAY_MS = 24 * 60 * 60 * 1000;
const BATCH = 500;

interface SweepOptions {
  /** Minimum age in milliseconds of what is removed, because uploads may be in progress. Default: one day. */
  readonly olderThanMs?: number;
  /** Time by a clock that all processes share, in milliseconds since 1970. Default: that of this machine. */
  readonly now?: number;
  /** Locks the content against new references and calls `remove` if there is no reference; see `sweepContent`. */
  readonly withContentLock: (tenantId: string, sha256: string, remove: () => Promise<void>) => Promise<void>;
  /** Aborts the sweep between two steps, with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface SweepResult {
  readonly temporary: number;
  readonly kept: number;
}

/**
 * Removes content that crashes and purged documents leave behind: old temporary content, and old kept content without
 * references. Several instances may run it at the same time.
 *
 * An upload may contain the same bytes as unreferenced content that is being removed. To prevent a reference to removed
 * bytes, both sides lock the same row of the table `contents`:
 *
 * - An upload locks the row (`insert … on conflict … do update`) before `ContentStore.keep`, until its commit.
 * - `withContentLock` locks the row too, and inserts it if it does not exist, so that the first upload of these bytes
 *   waits as well. Then it checks the references again. If there are none, it awaits `remove`, deletes the row and
 *   commits.
 *
 * So either the removal finds the reference and does nothing, or the upload finds no bytes and stores its own. A crash
 * between `remove` and the commit leaves a row without references and bytes, which does no harm.
 *
 * @param isReferenced returns the hashes that must stay. Called without locks, to exclude the content in use.
 *   Content that lost its last reference less than a day ago must count as referenced: the time of its file is the
 *   time of the upload, not of its last use.
 */
export async function sweepContent(
  store: ContentStore,
  isReferenced: (tenantId: string, sha256s: string[]) => Promise<Set<string>>,
  { olderThanMs = ONE_DAY_MS, now = Date.now(), withContentLock, signal }: SweepOptions,
): Promise<SweepResult> {
  const before = now - olderThanMs;
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
