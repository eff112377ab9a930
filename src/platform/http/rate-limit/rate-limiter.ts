import { LRUCache } from 'lru-cache';
import { type Message } from '../../../common/messages/message.js';
import { Problem } from '../../../common/problem.js';

export interface Limit {
  readonly perMinute: number;
  /** How many requests may come at once. */
  readonly burst: number;
}

export interface LimitResult {
  readonly allowed: boolean;
  /** Whole requests that are left now. */
  readonly remaining: number;
  /** Seconds, rounded up, until there is one more; before that no more than `remaining` are let through. */
  readonly nextIn: number;
}

/** So many attempts in any span of so many seconds. */
export interface AttemptLimit {
  readonly attempts: number;
  readonly seconds: number;
}

/** Counts requests by key. In memory, or shared between instances. */
export abstract class RateLimiter {
  /**
   * Takes `cost` requests from the bucket of the key, if it holds as many.
   *
   * @param cost from 1 to the bucket's depth
   */
  abstract consume(key: string, limit: Limit, cost?: number): LimitResult | Promise<LimitResult>;

  /**
   * Takes `cost` requests more from the bucket for what has been done already. The bucket may owe them, up to ten
   * times its depth.
   */
  abstract debit(key: string, limit: Limit, cost: number): void;

  /**
   * Notes an attempt unless there were as many as may be; then gives the seconds until the next one, otherwise 0.
   * For what is rare and must not be tried often: a bucket that refills would let nearly twice as many through.
   */
  abstract attempt(key: string, limit: AttemptLimit): number | Promise<number>;
}

/** How many times its depth a bucket can owe. */
export const MAX_DEBT_FACTOR = 10;

interface Bucket {
  tokens: number;
  at: number;
}

/** A token bucket for each key: filled evenly, `burst` deep. The keys are bounded in number, the eldest forgotten. */
export class MemoryRateLimiter extends RateLimiter {
  private readonly buckets = new LRUCache<string, Bucket>({ max: 100_000 });
  private readonly attempts = new LRUCache<string, readonly number[]>({ max: 10_000 });

  /** `now` gives milliseconds of a clock that never goes back. */
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
    bucket.tokens = Math.max(bucket.tokens - cost, -MAX_DEBT_FACTOR * limit.burst);
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

/** What a bucket says that holds `tokens` after the request. */
export function limitResult(allowed: boolean, tokens: number, { perMinute }: Limit): LimitResult {
  const remaining = Math.max(0, Math.floor(tokens));
  return { allowed, remaining, nextIn: toSeconds(((remaining + 1 - tokens) * 60_000) / perMinute) };
}

/** Whole seconds that are not shorter; at least one, for nobody shall try again at once. */
export function toSeconds(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1000));
}

/**
 * The header fields of draft-ietf-httpapi-ratelimit-headers-11. The policy is the bucket: `burst` requests, and the
 * seconds in which it fills. The window of what is left is the one "within which the client can use no more" (4.1.2);
 * so Retry-After never names an earlier moment (6).
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

/** A 429: the request may be sent again after `seconds`. */
export function rateLimited(seconds: number, detail?: Message): Problem {
  return new Problem('request.rate-limited', { detail, headers: { 'Retry-After': String(seconds) } });
}

/** Seconds until a request of this cost, which was refused, passes. */
export function secondsUntilAllowed(
  { remaining, nextIn }: LimitResult,
  { perMinute }: Limit,
  cost: number,
): number {
  return nextIn + Math.ceil((Math.max(0, cost - remaining - 1) * 60) / perMinute);
}
