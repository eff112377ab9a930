import { type OnApplicationShutdown } from '@nestjs/common';
import { newId } from '../../../common/identifier.js';
import { type Message, message } from '../../../common/messages/message.js';
import { unavailable } from '../../../common/problem.js';
import { type Owner, type ShareLimits, Shares } from '../../../common/shares.js';
import { rateLimited } from '../rate-limit/rate-limiter.js';

/** Maximum number of open streams. `total` is that of one process. */
export const STREAM_LIMITS = { total: 1000, tenant: 100, caller: 10 } as const satisfies ShareLimits;

/** Seconds: how soon one of many streams may have ended. */
const RETRY_AFTER = 10;

export interface StreamSlot extends Owner {
  readonly id: string;
}

/** The limit that one more stream would exceed; null if none. */
export type ExceededLimit = 'tenant' | 'caller' | null;

/** Counts the streams of several processes together. */
export interface SharedStreamSlots {
  /** Rejects or returns null if the count cannot be reached; each process then counts by itself. */
  take(slot: StreamSlot): Promise<ExceededLimit>;
  /** Also for a slot whose `take` has failed: it may be counted nevertheless. */
  release(slot: StreamSlot): void;
  close?(): void;
}

/** Limits the number of open streams: of this process, and with `shared` of all processes that share rate limits. */
export class StreamSlots implements OnApplicationShutdown {
  private readonly own = new Shares(STREAM_LIMITS);

  constructor(private readonly shared: SharedStreamSlots | null) {}

  onApplicationShutdown(): void {
    this.shared?.close?.();
  }

  /** Returns a function that releases the slot. Throws a Problem if there is none. */
  async take(owner: Owner): Promise<() => void> {
    const here = this.own.exceeded(owner, 1);
    if (here) throw refusal(here);
    this.own.add(owner, 1);
    const slot = { id: newId(), ...owner };
    const elsewhere = (await this.shared?.take(slot).catch(() => null)) ?? null;
    if (elsewhere) {
      this.own.add(owner, -1);
      throw refusal(elsewhere);
    }
    return () => {
      this.own.add(owner, -1);
      this.shared?.release(slot);
    };
  }
}

const DETAILS: Readonly<Record<keyof ShareLimits, Message>> = {
  total: message('stream.many-of-instance'),
  tenant: message('stream.many-of-tenant', { max: STREAM_LIMITS.tenant }),
  caller: message('stream.many-of-caller', { max: STREAM_LIMITS.caller }),
};

function refusal(exceeded: keyof ShareLimits): Error {
  const detail = DETAILS[exceeded];
  return exceeded === 'total' ? unavailable(RETRY_AFTER, { detail }) : rateLimited(RETRY_AFTER, detail);
}
