import { type Owner, Shares } from '../../../common/shares.js';
import { type ProcessChannel } from '../../instances/process-channel.js';
import {
  type ExceededLimit,
  STREAM_LIMITS,
  type SharedStreamSlots,
  type StreamSlot,
} from './stream-slots.js';

const CALL = 'stream-slots';

/** Longest time that a stream waits for the primary process before this process counts by itself. */
const TIMEOUT_MS = 1000;

interface SlotCall {
  readonly method: 'take' | 'release';
  readonly slot: StreamSlot;
}

/** Counts the open streams of all processes of the service. Runs in the primary process. */
export class PrimarySlotCounts {
  private readonly shares = new Shares({ ...STREAM_LIMITS, total: Infinity });
  /** Slots of each process by their id. */
  private readonly held = new Map<ProcessChannel, Map<string, Owner>>();

  serve(channel: ProcessChannel): void {
    this.held.set(channel, new Map());
    channel.handle(CALL, ({ method, slot }: SlotCall) => {
      const slots = this.held.get(channel);
      // A message can arrive after the end of its process.
      if (!slots) return null;
      return method === 'take' ? this.take(slots, slot) : this.release(slots, slot.id);
    });
  }

  /** Releases the slots of a process that has ended. */
  remove(channel: ProcessChannel): void {
    const slots = this.held.get(channel) ?? new Map<string, Owner>();
    this.held.delete(channel);
    for (const id of slots.keys()) this.release(slots, id);
  }

  private take(slots: Map<string, Owner>, { id, tenant, caller }: StreamSlot): ExceededLimit {
    const owner = { tenant, caller };
    const exceeded = this.shares.exceeded(owner, 1);
    if (exceeded === 'tenant' || exceeded === 'caller') return exceeded;
    this.shares.add(owner, 1);
    slots.set(id, owner);
    return null;
  }

  private release(slots: Map<string, Owner>, id: string): null {
    const owner = slots.get(id);
    if (owner && slots.delete(id)) this.shares.add(owner, -1);
    return null;
  }
}

/** Counts the streams of this process in the primary process. Messages arrive in the order in which they are sent. */
export class PrimaryStreamSlots implements SharedStreamSlots {
  constructor(private readonly primary: ProcessChannel) {}

  take(slot: StreamSlot): Promise<ExceededLimit> {
    return this.primary.call<ExceededLimit>(CALL, { method: 'take', slot } satisfies SlotCall, TIMEOUT_MS);
  }

  release(slot: StreamSlot): void {
    void this.primary
      .call(CALL, { method: 'release', slot } satisfies SlotCall, TIMEOUT_MS)
      .catch(() => undefined);
  }
}
