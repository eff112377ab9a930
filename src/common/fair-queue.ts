import { unavailable } from './problem.js';
import { type Owner, type ShareLimits, Shares } from './shares.js';

type Release = () => void;

interface Waiter {
  readonly owner: Owner;
  readonly proceed: () => void;
}

/**
 * Assigns a limited number of slots, for example database connections. Waiting callers are served round-robin: over
 * the tenants, then over the callers of each tenant. A tenant with hundreds of waiting requests thus delays another
 * tenant by one request only.
 */
export class FairQueue {
  private readonly shares: Shares;
  /** Waiters by tenant and caller. The tenant and caller served last are at the end. */
  private readonly waiting = new Map<string, Map<string, Waiter[]>>();

  /** @param timeoutMs longest waiting time; then `acquire` is rejected with a Problem 503 */
  constructor(
    limits: ShareLimits,
    private readonly timeoutMs: () => number,
  ) {
    this.shares = new Shares(limits);
  }

  /** Synchronous if a slot is free. */
  acquire(owner: Owner): Release | Promise<Release> {
    if (this.shares.exceeded(owner, 1)) return this.wait(owner);
    return this.take(owner);
  }

  private take(owner: Owner): Release {
    this.shares.add(owner, 1);
    return () => {
      this.shares.add(owner, -1);
      if (this.waiting.size > 0) this.serveNext();
    };
  }

  private wait(owner: Owner): Promise<Release> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.remove(waiter);
        reject(unavailable(1));
      }, this.timeoutMs());
      const waiter: Waiter = {
        owner,
        proceed: () => {
          clearTimeout(timer);
          resolve(this.take(owner));
        },
      };
      this.add(waiter);
    });
  }

  private serveNext(): void {
    for (const [tenant, callers] of this.waiting) {
      for (const [caller, [waiter]] of callers) {
        if (!waiter || this.shares.exceeded(waiter.owner, 1)) continue;
        this.remove(waiter);
        moveToEnd(callers, caller);
        moveToEnd(this.waiting, tenant);
        waiter.proceed();
        return;
      }
    }
  }

  private add(waiter: Waiter): void {
    const { tenant, caller } = waiter.owner;
    let callers = this.waiting.get(tenant);
    if (!callers) this.waiting.set(tenant, (callers = new Map<string, Waiter[]>()));
    const waiters = callers.get(caller);
    if (waiters) waiters.push(waiter);
    else callers.set(caller, [waiter]);
  }

  private remove(waiter: Waiter): void {
    const { tenant, caller } = waiter.owner;
    const callers = this.waiting.get(tenant);
    const waiters = callers?.get(caller);
    if (!callers || !waiters) return;
    const index = waiters.indexOf(waiter);
    if (index >= 0) waiters.splice(index, 1);
    if (waiters.length === 0) callers.delete(caller);
    if (callers.size === 0) this.waiting.delete(tenant);
  }
}

function moveToEnd<V>(map: Map<string, V>, key: string): void {
  const value = map.get(key);
  if (value === undefined || !map.delete(key)) return;
  map.set(key, value);
}
