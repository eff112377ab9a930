import { type LogWriter } from '../../logging/log.js';
import { type ProcessChannel } from '../../instances/process-channel.js';
import { type LimitResult, MemoryRateLimiter, RateLimiter } from './rate-limiter.js';

const CALL = 'rate-limit';

/** Longest time that a request waits for the primary process before this process counts by itself. */
const TIMEOUT_MS = 1000;

/** A call of a method of the limiter. */
interface RateLimitCall {
  readonly method: keyof RateLimiter;
  readonly values: readonly unknown[];
}

function run(limiter: MemoryRateLimiter, { method, values }: RateLimitCall): unknown {
  return (limiter[method] as (...values: unknown[]) => unknown).apply(limiter, [...values]);
}

/** Counts the requests of all processes of the service. Runs in the primary process. */
export class SharedRateLimits {
  private readonly limiter = new MemoryRateLimiter();

  serve(channel: ProcessChannel): void {
    channel.handle(CALL, (call: RateLimitCall) => run(this.limiter, call));
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

  override consume(...values: Parameters<RateLimiter['consume']>): Promise<LimitResult> {
    return this.send({ method: 'consume', values });
  }

  override debit(...values: Parameters<RateLimiter['debit']>): void {
    void this.send({ method: 'debit', values });
  }

  override attempt(...values: Parameters<RateLimiter['attempt']>): Promise<number> {
    return this.send({ method: 'attempt', values });
  }

  private async send<R>(call: RateLimitCall): Promise<R> {
    try {
      const result = await this.primary.call<R>(CALL, call, TIMEOUT_MS);
      if (this.failing) this.log.info({}, 'Rate limits are shared with the other processes again');
      this.failing = false;
      return result;
    } catch (error) {
      if (!this.failing)
        this.log.warn({ reason: (error as Error).message }, 'this process counts rate limits by itself');
      this.failing = true;
      return run(this.local, call) as R;
    }
  }
}
