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

/** Runs scripts on the connection of the rate limits. */
export interface RedisScripts {
  /** Returns null while Redis is not available. */
  runIfAvailable(script: Script, keys: readonly string[], ...values: (string | number)[]): Promise<unknown>;
}

export function script(lua: string): Script {
  return { lua, sha: createHash('sha1').update(lua).digest('hex') };
}

/** The time in microseconds, from Redis's clock: the clocks of the instances can differ. */
const NOW = `local time = redis.call('TIME') local now = time[1] * 1000000 + time[2]`;

/**
 * The token bucket of MemoryRateLimiter. A missing bucket counts as full, so a bucket expires when it would be full.
 * Returns whether there were enough tokens, and the tokens left, as text because Redis truncates numbers. If the
 * fourth argument is below 0, tokens are taken in any case, down to that number.
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
    tokens = math.min(burst, math.max(tokens - cost, least))
  elseif tokens >= cost then
    allowed = 1
    tokens = tokens - cost
  end
  local left = string.format('%.9f', tokens)
  redis.call('HSET', KEYS[1], 'tokens', left, 'at', string.format('%.0f', now))
  redis.call('PEXPIRE', KEYS[1], math.ceil((burst - tokens) * 60000 / perMinute) + 1)
  return { allowed, left }
`);

/** Returns the milliseconds until the next allowed attempt; 0 if this one is allowed and counted. */
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

/** Longest time that a request waits for Redis before the instance counts locally. */
const COMMAND_TIMEOUT_MS = 100;

/** Interval between attempts to reach Redis again. */
const PROBE_MS = 500;

/** Longest time that the start waits for Redis, so that the first request is already counted there. */
const START_TIMEOUT_MS = 1000;

/**
 * Rate limits that all instances share in Redis. If Redis is unavailable (stopped, frozen, full, read-only), the
 * instance counts locally until Redis answers again. Only requests that wait for Redis at that moment are delayed, by
 * at most `COMMAND_TIMEOUT_MS`.
 */
export class RedisRateLimiter
  extends RateLimiter
  implements RedisScripts, OnModuleInit, OnApplicationShutdown
{
  private readonly redis: Redis;
  private readonly local = new MemoryRateLimiter();
  /** Undefined until the first response or error. */
  private available: boolean | undefined;
  private probing: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(
    url: string,
    private readonly log: Log,
  ) {
    super();
    this.redis = new Redis(url, {
      lazyConnect: true,
      connectTimeout: START_TIMEOUT_MS,
      commandTimeout: COMMAND_TIMEOUT_MS,
      disconnectTimeout: COMMAND_TIMEOUT_MS,
      // Close a connection without responses: unsent commands would pile up.
      socketTimeout: 1000,
      // Never send a command later: the request has been counted locally by then.
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      retryStrategy: () => PROBE_MS,
      connectionName: 'filing-service',
    });
    this.redis.on('ready', () => void this.probe());
    this.redis.on('close', () => this.markUnavailable(new Error('The connection is closed')));
    // Every error also causes `close` or a rejected command, which are logged.
    this.redis.on('error', () => undefined);
  }

  async onModuleInit(): Promise<void> {
    const connected = this.redis.connect().then(
      () => this.probe(),
      (error: Error) => this.markUnavailable(error),
    );
    await Promise.race([connected, sleep(START_TIMEOUT_MS, undefined, { ref: false })]);
  }

  onApplicationShutdown(): void {
    this.closed = true;
    clearTimeout(this.probing);
    this.redis.disconnect();
  }

  override consume(key: string, limit: Limit, cost = 1): LimitResult | Promise<LimitResult> {
    return this.withFallback(
      () => this.consumeShared(key, limit, cost),
      () => this.local.consume(key, limit, cost),
    );
  }

  override attempt(key: string, limit: AttemptLimit): number | Promise<number> {
    return this.withFallback(
      async () => {
        const wait = (await this.run(ATTEMPT, [key], limit.attempts, limit.seconds)) as number;
        return wait === 0 ? 0 : toSeconds(wait);
      },
      () => this.local.attempt(key, limit),
    );
  }

  override debit(key: string, limit: Limit, cost: number): void {
    void this.withFallback(
      () => this.consumeShared(key, limit, cost, -MAX_DEBT_FACTOR * limit.burst),
      () => this.local.debit(key, limit, cost),
    );
  }

  private async consumeShared(key: string, limit: Limit, cost = 1, least = 0): Promise<LimitResult> {
    const { perMinute, burst } = limit;
    const [allowed, tokens] = (await this.run(CONSUME, [key], perMinute, burst, cost, least)) as [
      number,
      string,
    ];
    return limitResult(allowed === 1, Number(tokens), limit);
  }

  /** Without a promise while Redis is not available. */
  private withFallback<S, L>(shared: () => Promise<S>, local: () => L): L | Promise<S | L> {
    if (!this.available) return local();
    return shared().catch((error: Error) => {
      this.markUnavailable(error);
      return local();
    });
  }

  runIfAvailable(one: Script, keys: readonly string[], ...values: (string | number)[]): Promise<unknown> {
    const run = () => this.run(one, keys, ...values);
    return Promise.resolve(this.withFallback(run, () => null));
  }

  private async run(
    { sha, lua }: Script,
    keys: readonly string[],
    ...values: (string | number)[]
  ): Promise<unknown> {
    const all = [...keys.map((key) => PREFIX + key), ...values];
    try {
      return await this.redis.evalsha(sha, keys.length, ...all);
    } catch (error) {
      // After a restart of Redis, the script is not cached.
      if (!(error as Error).message.startsWith('NOSCRIPT')) throw error;
      return this.redis.eval(lua, keys.length, ...all);
    }
  }

  /** Runs the script of requests: a PING would also succeed if Redis cannot write. */
  private async probe(): Promise<void> {
    try {
      await this.consumeShared('probe', { perMinute: 60, burst: 1 });
      this.markAvailable();
    } catch (error) {
      this.markUnavailable(error as Error);
    }
  }

  private markAvailable(): void {
    clearTimeout(this.probing);
    if (this.closed || this.available) return;
    this.available = true;
    this.log.info({}, 'Rate limits are shared in Redis');
  }

  private markUnavailable({ message }: Error): void {
    clearTimeout(this.probing);
    if (this.closed) return;
    if (this.available !== false) {
      this.log.warn({ reason: message }, 'Redis is unavailable: this instance counts rate limits locally');
    }
    this.available = false;
    this.probing = setTimeout(() => void this.probe(), PROBE_MS).unref();
  }
}
