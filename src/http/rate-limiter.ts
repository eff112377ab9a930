import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

export interface Limit {
  readonly perMinute: number;
  /** How many requests may come at once. */
  readonly burst: number;
}

export interface LimitResult {
  readonly allowed: boolean;
  /** Whole requests that are left now. */
  readonly remaining: number;
  /** Seconds until the bucket is full again. */
  readonly reset: number;
  /** Seconds until the next request would be let through; 0 when it would be now. */
  readonly retryAfter: number;
}

/** Counts requests by key. In memory, or shared between instances. */
export abstract class RateLimiter {
  /** Takes one request from the bucket of the key, when there is one. */
  abstract consume(key: string, limit: Limit): LimitResult | Promise<LimitResult>;
}

interface Bucket {
  tokens: number;
  /** Milliseconds of a clock that never goes back. */
  at: number;
}

/** A token bucket for each key: filled evenly, `burst` deep, bounded in number. */
@Injectable()
export class MemoryRateLimiter extends RateLimiter {
  private readonly buckets = new LRUCache<string, Bucket>({ max: 100_000 });

  override consume(key: string, { perMinute, burst }: Limit): LimitResult {
    const now = performance.now();
    let bucket = this.buckets.get(key);
    if (bucket) {
      bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) * perMinute) / 60_000);
      bucket.at = now;
    } else {
      bucket = { tokens: burst, at: now };
      this.buckets.set(key, bucket);
    }
    const allowed = bucket.tokens >= 1;
    if (allowed) bucket.tokens -= 1;
    return describe(allowed, bucket.tokens, { perMinute, burst });
  }
}

/** What a bucket with so many tokens left says. */
export function describe(allowed: boolean, tokens: number, { perMinute, burst }: Limit): LimitResult {
  return {
    allowed,
    remaining: Math.floor(tokens),
    reset: Math.ceil(((burst - tokens) * 60) / perMinute),
    retryAfter: tokens >= 1 ? 0 : Math.max(1, Math.ceil(((1 - tokens) * 60) / perMinute)),
  };
}

/** The header fields of draft-ietf-httpapi-ratelimit-headers-10: quota and window of the policy, and what is left. */
export function rateLimitHeaders(
  { perMinute, burst }: Limit,
  { remaining, reset }: LimitResult,
): [string, string][] {
  return [
    ['RateLimit-Policy', `"caller";q=${burst};w=${Math.ceil((burst * 60) / perMinute)}`],
    ['RateLimit', `"caller";r=${remaining};t=${reset}`],
  ];
}

export function retryAfter(result: LimitResult): Record<string, string> {
  return { 'Retry-After': String(Math.max(1, result.retryAfter)) };
}
