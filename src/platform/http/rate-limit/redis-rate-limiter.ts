import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Redis } from 'ioredis';
import { type Log } from '../../logging/log.js';
import {
  type AttemptLimit,
  type Limit,
  type LimitResult,
  MAX_DEBT_FACTOR,
  MemoryRateLimiter,
  RateLimiter,
  limitResult,
  toSeconds,
} from './rate-limiter.js';

interface Script {
  readonly lua: string;
  readonly sha: string;
}

function script(lua: string): Script {
  return { lua, sha: createHash('sha1').update(lua).digest('hex') };
}

/** Microseconds of Redis' own clock: instances need not agree on the time. */
const NOW = `local time = redis.call('TIME') local now = time[1] * 1000000 + time[2]`;

/**
 * The token bucket of MemoryRateLimiter. A bucket that is not there is full, so it may go as soon as it would be full.
 * Returns whether there were enough tokens, and how many are left, as text: Redis cuts the fraction off numbers. With
 * a fourth argument below 0 the tokens are taken in any case, down to that number.
 */
const CONSUME = script(`
  ${NOW}
  local perMinute, burst, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
  local least = tonumber(ARGV[4])
  local bucket = redis.call('HMGET', KEYS[1], 'tokens', 'at')
  local tokens = burst
  if bucket[1] then
    local elapsed = math.max(0, now - tonumber(bucket[2]))
    tokens = math.min(burst, tonumber(bucket[1]) + elapsed * perMinute / 60000000)
  end
  local allowed = 0
  if least < 0 then
    tokens = math.max(tokens - cost, least)
  elseif tokens >= cost then
    allowed = 1
    tokens = tokens - cost
  end
  local left = string.format('%.9f', tokens)
  redis.call('HSET', KEYS[1], 'tokens', left, 'at', string.format('%.0f', now))
  redis.call('PEXPIRE', KEYS[1], math.ceil((burst - tokens) * 60000 / perMinute) + 1)
  return { allowed, left }
`);

/** Returns the milliseconds until the next attempt; 0 when this one is noted. */
const ATTEMPT = script(`
  ${NOW}
  local attempts, span = tonumber(ARGV[1]), tonumber(ARGV[2]) * 1000000
  local eldest = redis.call('LINDEX', KEYS[1], 0)
  while eldest and tonumber(eldest) <= now - span do
    redis.call('LPOP', KEYS[1])
    eldest = redis.call('LINDEX', KEYS[1], 0)
  end
  if redis.call('LLEN', KEYS[1]) >= attempts then
    return math.ceil((tonumber(eldest) + span - now) / 1000)
  end
  redis.call('RPUSH', KEYS[1], string.format('%.0f', now))
  redis.call('PEXPIRE', KEYS[1], span / 1000)
  return 0
`);

const PREFIX = 'filing-service:limit:';

/** How long a request waits for Redis at most before its instance counts for itself. */
const PATIENCE_MS = 100;

/** How often an instance that has lost Redis looks for it. */
const PROBE_MS = 500;

/** How long the start waits for Redis, so that the first request is counted there. */
const START_MS = 1000;

/**
 * Limits that all instances share in Redis. When Redis is away (gone, frozen, full, read-only) the instance counts
 * for itself from that request on, and looks for it until it answers again: only the requests that were waiting when
 * it went notice, and those wait no longer than `PATIENCE_MS`.
 */
export class RedisRateLimiter extends RateLimiter implements OnModuleInit, OnApplicationShutdown {
  private readonly redis: Redis;
  private readonly own = new MemoryRateLimiter();
  /** Unknown before the first answer or fault. */
  private present: boolean | undefined;
  private probing: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(
    url: string,
    private readonly log: Log,
  ) {
    super();
    this.redis = new Redis(url, {
      lazyConnect: true,
      connectTimeout: START_MS,
      commandTimeout: PATIENCE_MS,
      disconnectTimeout: PATIENCE_MS,
      // A connection on which nothing comes back is of no use, and would pile up what is sent.
      socketTimeout: 1000,
      // Nothing is kept for later: by then the request has been counted here.
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      retryStrategy: () => PROBE_MS,
      connectionName: 'filing-service',
    });
    this.redis.on('ready', () => void this.probe());
    this.redis.on('close', () => this.lost(new Error('The connection is closed')));
    // Each fault ends in `close` or in a rejected command, and is told there.
    this.redis.on('error', () => undefined);
  }

  async onModuleInit(): Promise<void> {
    const connected = this.redis.connect().then(
      () => this.probe(),
      (error: Error) => this.lost(error),
    );
    await Promise.race([connected, sleep(START_MS, undefined, { ref: false })]);
  }

  onApplicationShutdown(): void {
    this.closed = true;
    clearTimeout(this.probing);
    this.redis.disconnect();
  }

  override consume(key: string, limit: Limit, cost = 1): LimitResult | Promise<LimitResult> {
    if (!this.present) return this.own.consume(key, limit, cost);
    return this.shared(
      () => this.consumeShared(key, limit, cost),
      () => this.own.consume(key, limit, cost),
    );
  }

  override attempt(key: string, limit: AttemptLimit): number | Promise<number> {
    if (!this.present) return this.own.attempt(key, limit);
    return this.shared(
      async () => {
        const wait = (await this.run(ATTEMPT, key, limit.attempts, limit.seconds)) as number;
        return wait === 0 ? 0 : toSeconds(wait);
      },
      () => this.own.attempt(key, limit),
    );
  }

  override debit(key: string, limit: Limit, cost: number): void {
    if (!this.present) return this.own.debit(key, limit, cost);
    void this.shared(
      () => this.consumeShared(key, limit, cost, -MAX_DEBT_FACTOR * limit.burst),
      () => this.own.debit(key, limit, cost),
    );
  }

  private async consumeShared(key: string, limit: Limit, cost = 1, least = 0): Promise<LimitResult> {
    const { perMinute, burst } = limit;
    const [allowed, tokens] = (await this.run(CONSUME, key, perMinute, burst, cost, least)) as [
      number,
      string,
    ];
    return limitResult(allowed === 1, Number(tokens), limit);
  }

  private async shared<A, O>(ask: () => Promise<A>, own: () => O): Promise<A | O> {
    try {
      return await ask();
    } catch (error) {
      this.lost(error as Error);
      return own();
    }
  }

  private async run({ sha, lua }: Script, key: string, ...values: number[]): Promise<unknown> {
    try {
      return await this.redis.evalsha(sha, 1, PREFIX + key, ...values);
    } catch (error) {
      // A Redis that has just started does not know it yet.
      if (!(error as Error).message.startsWith('NOSCRIPT')) throw error;
      return this.redis.eval(lua, 1, PREFIX + key, ...values);
    }
  }

  /** Does what requests need done: an answer to PING would not tell that Redis can write. */
  private async probe(): Promise<void> {
    try {
      await this.consumeShared('probe', { perMinute: 60, burst: 1 });
      this.found();
    } catch (error) {
      this.lost(error as Error);
    }
  }

  private found(): void {
    clearTimeout(this.probing);
    if (this.closed || this.present) return;
    this.present = true;
    this.log.info({}, 'Rate limits are shared in Redis');
  }

  private lost({ message }: Error): void {
    clearTimeout(this.probing);
    if (this.closed) return;
    if (this.present !== false) {
      this.log.warn({ reason: message }, 'Redis is away: this instance counts rate limits for itself');
    }
    this.present = false;
    this.probing = setTimeout(() => void this.probe(), PROBE_MS).unref();
  }
}
