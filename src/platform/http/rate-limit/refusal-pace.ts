import { LRUCache } from 'lru-cache';

/** The first refusals of a caller are answered at once, further ones at this interval. */
const AT_ONCE = 10;
const INTERVAL_MS = 100;
const MAX_DELAY_MS = 2000;
/** Maximum number of answers that are held back. Each holds a connection and the head of its request. */
const MAX_HELD = 2000;

/**
 * Holds back answers with 429. A refusal costs the service about as much as a cheap request, and a client that ignores
 * `Retry-After` sends the next request as soon as it is refused: so it has to wait. A client that heeds it notices
 * nothing.
 */
export class RefusalPace {
  /** When the next answer to a caller is due, in milliseconds of the monotonic clock. */
  private readonly due = new LRUCache<string, number>({ max: 10_000 });
  private held = 0;

  answer(caller: string, send: () => void): void {
    const now = performance.now();
    const due = Math.max(this.due.get(caller) ?? -Infinity, now - AT_ONCE * INTERVAL_MS) + INTERVAL_MS;
    const delay = Math.min(due - now, MAX_DELAY_MS);
    this.due.set(caller, now + delay);
    if (delay <= 0 || this.held >= MAX_HELD) return send();
    this.held += 1;
    setTimeout(() => {
      this.held -= 1;
      send();
    }, delay);
  }
}
