import { type LogWriter } from '../../logging/log.js';
import { type ProcessChannel } from '../../instances/process-channel.js';
import {
  type AttemptLimit,
  type Limit,
  type LimitResult,
  MemoryRateLimiter,
  RateLimiter,
} from './rate-limiter.js';

const CALL = 'rate-limit';

/** Longest time that a request waits for the primary process before this process counts by itself. */
const TIMEOUT_MS = 1000;

type RateLimitCall =
  | {
      readonly method: 'consume' | 'debit';
      readonly key: string;
      readonly limit: Limit;
      readonly cost: number;
    }
  | { readonly method: 'attempt'; readonly key: string; readonly limit: AttemptLimit };

/** Counts the requests of all processes of the service. Runs in the primary process. */
export class SharedRateLimits {
  private readonly limiter = new MemoryRateLimiter();

  serve(channel: ProcessChannel): void {
    channel.handle(CALL, (call: RateLimitCall) => this.answer(call));
  }

  private answer(call: RateLimitCall): LimitResult | number | undefined {
    switch (call.method) {
      case 'consume':
        return this.limiter.consume(call.key, call.limit, call.cost);
      case 'debit':
        this.limiter.debit(call.key, call.limit, call.cost);
        return undefined;
      case 'attempt':
        return this.limiter.attempt(call.key, call.limit);
    }
  }
}

/**
 * Rate limits that all processes of the service share in the primary process. If it does not answer in time, this
 * process counts by itself until it answers again.
 */
export class PrimaryRateLimiter extends RateLimiter {
  private readonly local = new MemoryRateLimiter();
  private failing = false;

  constructor(
    private readonly primary: ProcessChannel,
    private readonly log: Pick<LogWriter, 'warn' | 'info'>,
  ) {
    super();
  }

  override consume(key: string, limit: Limit, cost = 1): Promise<LimitResult> {
    return this.send({ method: 'consume', key, limit, cost }, () => this.local.consume(key, limit, cost));
  }

  override debit(key: string, limit: Limit, cost: number): void {
    void this.send({ method: 'debit', key, limit, cost }, () => this.local.debit(key, limit, cost));
  }

  override attempt(key: string, limit: AttemptLimit): Promise<number> {
    return this.send({ method: 'attempt', key, limit }, () => this.local.attempt(key, limit));
  }

  private async send<R>(call: RateLimitCall, local: () => R): Promise<R> {
    try {
      const result = await this.primary.call<R>(CALL, call, TIMEOUT_MS);
      if (this.failing) this.log.info({}, 'Rate limits are shared with the other processes again');
      this.failing = false;
      return result;
    } catch (error) {
      if (!this.failing)
        this.log.warn({ reason: (error as Error).message }, 'this process counts rate limits by itself');
      this.failing = true;
      return local();
    }
  }
}
