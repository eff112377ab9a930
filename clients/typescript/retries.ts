import { type ConnectionFailed, FilingProblem } from './errors.js';

/** Longest `Retry-After` that the client waits for. With a longer one, the call fails. */
const LONGEST_WAIT_SECONDS = 60;

/**
 * Seconds until the retry, or null for no retry. A request answered 429 was not executed, so it can always be repeated.
 * After a 503 or a broken connection, the request may have been executed, so only repeatable requests are repeated.
 */
export function waitingTime(
  failure: FilingProblem | ConnectionFailed,
  attempt: number,
  isRepeatable: boolean,
): number | null {
  if (failure.status !== 429 && !(isRepeatable && (failure.status === null || failure.status === 503)))
    return null;
  const after = failure instanceof FilingProblem ? failure.response.headers.get('Retry-After') : null;
  if (after === null || !/^\d+$/.test(after)) return Math.min(2 ** attempt, 15) * (0.5 + Math.random() / 2);
  return Number(after) <= LONGEST_WAIT_SECONDS ? Number(after) : null;
}

export async function sleep(seconds: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener('abort', abort);
  });
}
