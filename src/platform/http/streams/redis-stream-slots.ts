import { type RedisScripts, script } from '../rate-limit/redis-rate-limiter.js';
import {
  type ExceededLimit,
  STREAM_LIMITS,
  type SharedStreamSlots,
  type StreamSlot,
} from './stream-slots.js';

/** How long a slot counts after its process has last renewed it. A process that is killed releases its slots so. */
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;

const NOW = `local time = redis.call('TIME') local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/** Each key is a sorted set of slots with the times at which they end. Returns the number of the exceeded limit, or 0. */
const TAKE = script(`
  ${NOW}
  for n, key in ipairs(KEYS) do
    redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
    if redis.call('ZCARD', key) >= tonumber(ARGV[n + 2]) then return n end
  end
  for _, key in ipairs(KEYS) do
    redis.call('ZADD', key, now + ARGV[2], ARGV[1])
    redis.call('PEXPIRE', key, ARGV[2])
  end
  return 0
`);

const RELEASE = script(`for _, key in ipairs(KEYS) do redis.call('ZREM', key, ARGV[1]) end return 0`);

/** Also adds slots that were taken while Redis was not available. */
const RENEW = script(`
  ${NOW}
  for n = 2, #ARGV do redis.call('ZADD', KEYS[1], now + ARGV[1], ARGV[n]) end
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  return 0
`);

/** Counts the streams of all instances in Redis, with the connection of the rate limits. */
export class RedisStreamSlots implements SharedStreamSlots {
  private readonly held = new Map<string, StreamSlot>();
  private readonly timer = setInterval(() => void this.renew(), RENEW_MS).unref();

  constructor(private readonly redis: RedisScripts) {}

  async take(slot: StreamSlot): Promise<ExceededLimit> {
    this.held.set(slot.id, slot);
    const { caller, tenant } = STREAM_LIMITS;
    const exceeded = await this.redis.runIfAvailable(TAKE, keysOf(slot), slot.id, LEASE_MS, caller, tenant);
    const limit = exceeded === 1 ? 'caller' : exceeded === 2 ? 'tenant' : null;
    if (limit) this.held.delete(slot.id);
    return limit;
  }

  release(slot: StreamSlot): void {
    if (this.held.delete(slot.id)) void this.redis.runIfAvailable(RELEASE, keysOf(slot), slot.id);
  }

  close(): void {
    clearInterval(this.timer);
  }

  private async renew(): Promise<void> {
    const byKey = new Map<string, string[]>();
    for (const slot of this.held.values())
      for (const key of keysOf(slot)) byKey.set(key, [...(byKey.get(key) ?? []), slot.id]);
    for (const [key, ids] of byKey) {
      // Some may have been released during the other calls.
      const current = ids.filter((id) => this.held.has(id));
      if (current.length > 0) await this.redis.runIfAvailable(RENEW, [key], LEASE_MS, ...current);
    }
  }
}

function keysOf({ caller, tenant }: StreamSlot): string[] {
  return [`streams caller ${caller}`, `streams tenant ${tenant}`];
}
