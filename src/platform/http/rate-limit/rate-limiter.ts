import { LRUCache } from 'lru-cache';
import { type Message } from '../../../common/messages/message.js';
import { Problem } from '../../../common/problem.js';

export interface Limit {
  readonly perMinute: number;
  /** Maximum number of requests at once: the capacity of the bucket. */
  readonly burst: number;
}

export interface LimitResult {
  readonly allowed: boolean;
  /** Remaining requests, rounded down. */
  readonly remaining: number;
  /** Seconds, rounded up, until `remaining` grows by one. */
  readonly nextIn: number;
}

/** Whether one more request was charged, and whether less than half of the burst is left. */
export interface Payment {
  readonly allowed: boolean;
  readonly isLow: boolean;
}

/** Maximum number of attempts in any period of this many seconds. */
export interface AttemptLimit {
  readonly attempts: number;
  readonly seconds: number;
}

export abstract class RateLimiter {
  /**
   * Takes `cost` requests from the bucket of the key, if it contains as many.
   *
   * @param cost from 1 to the capacity of the bucket
   */
  abstract consume(key: string, limit: Limit, cost?: number): LimitResult | Promise<LimitResult>;

  /**
   * Takes `cost` requests from the bucket for work already done. The bucket can become negative, down to ten times
   * its capacity. A negative cost gives requests back.
   */
  abstract debit(key: string, limit: Limit, cost: number): void;

  /**
   * Counts an attempt and returns 0; or returns the seconds until the next allowed attempt. For sensitive actions: a
   * token bucket that refills would allow nearly twice as many attempts in the period.
   */
  abstract attempt(key: string, limit: AttemptLimit): number | Promise<number>;
}

export const MAX_DEBT_FACTOR = 10;

interface Bucket {
  tokens: number;
  at: number;
}

/**
 * A token bucket for each key, with capacity `burst`. The number of keys is limited; the least recently used are
 * evicted.
 */
export class MemoryRateLimiter extends RateLimiter {
  private readonly buckets = new LRUCache<string, Bucket>({ max: 100_000 });
  private readonly attempts = new LRUCache<string, readonly number[]>({ max: 10_000 });

  /** @param now returns milliseconds of a monotonic clock */
  constructor(private readonly now: () => number = () => performance.now()) {
    super();
  }

  override consume(key: string, limit: Limit, cost = 1): LimitResult {
    const bucket = this.filled(key, limit);
    const allowed = bucket.tokens >= cost;
    if (allowed) bucket.tokens -= cost;
    return limitResult(allowed, bucket.tokens, limit);
  }

  override debit(key: string, limit: Limit, cost: number): void {
    const bucket = this.filled(key, limit);
    bucket.tokens = Math.min(limit.burst, Math.max(bucket.tokens - cost, -MAX_DEBT_FACTOR * limit.burst));
  }

  private filled(key: string, { perMinute, burst }: Limit): Bucket {
    const now = this.now();
    let bucket = this.buckets.get(key);
    if (bucket) {
      bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) * perMinute) / 60_000);
      bucket.at = now;
    } else {
      bucket = { tokens: burst, at: now };
      this.buckets.set(key, bucket);
    }
    return bucket;
  }

  override attempt(key: string, { attempts, seconds }: AttemptLimit): number {
    const now = this.now();
    const made = (this.attempts.get(key) ?? []).filter((at) => at > now - seconds * 1000);
    const [eldest = now] = made;
    if (made.length >= attempts) return toSeconds(eldest + seconds * 1000 - now);
    this.attempts.set(key, [...made, now]);
    return 0;
  }
}

/** Failed authentications and look-ups of invitations from one address. Requests with a valid token or link are not affected. */
const ADDRESS_LIMIT: Limit = { perMinute: 60, burst: 60 };

/** Counts a failed authentication, or a look-up. Returns the problem if the address has had too many of them. */
export async function addressLimited(limiter: RateLimiter, address = ''): Promise<Problem | null> {
  const { allowed, nextIn } = await limiter.consume(`address ${address}`, ADDRESS_LIMIT);
  return allowed ? null : rateLimited(nextIn);
}

/** The result for a bucket that contains `tokens` after the request. */
export function limitResult(allowed: boolean, tokens: number, { perMinute }: Limit): LimitResult {
  const remaining = Math.max(0, Math.floor(tokens));
  return { allowed, remaining, nextIn: toSeconds(((remaining + 1 - tokens) * 60_000) / perMinute) };
}

/** Rounds up to whole seconds, at least one: no client should retry at once. */
export function toSeconds(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1000));
}

/**
 * The header fields of draft-ietf-httpapi-ratelimit-headers-11. The policy describes the bucket: `burst` requests,
 * and the seconds in which an empty bucket fills. `t` is the time "within which the client can use no more" than the
 * remaining requests (4.1.2), so Retry-After is never earlier (6).
 */
export function rateLimitHeaders(
  { perMinute, burst }: Limit,
  { remaining, nextIn }: LimitResult,
): [string, string][] {
  return [
    ['RateLimit-Policy', `"caller";q=${burst};w=${toSeconds((burst * 60_000) / perMinute)}`],
    ['RateLimit', `"caller";r=${remaining};t=${nextIn}`],
  ];
}

export function rateLimited(seconds: number, detail?: Message): Problem {
  return new Problem('request.rate-limited', { detail, headers: { 'Retry-After': String(seconds) } });
}

/** Seconds until a rejected request of this cost will be allowed. */
export function secondsUntilAllowed(
  { remaining, nextIn }: LimitResult,
  { perMinute }: Limit,
  cost: number,
): number {
  return nextIn + Math.ceil((Math.max(0, cost - remaining - 1) * 60) / perMinute);
}
