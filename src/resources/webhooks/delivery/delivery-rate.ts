import { type LockedSchedule } from './webhook-work.repository.js';

/** A tenant without deliveries saves up those of this time. In milliseconds. */
const BURST_MS = 1000;

/**
 * Rate of a tenant's deliveries. Claimed deliveries move the time of the next claim, which is stored with the tenant's
 * schedule: the rate is the same with any number of instances. So a limited tenant claims many deliveries at a time,
 * with a pause after them.
 */
export class DeliveryRate {
  private readonly now: number;
  private nextClaim: number;

  constructor(
    { now, nextClaimAt }: LockedSchedule,
    private readonly perSecond: number,
  ) {
    this.now = Date.parse(now);
    this.nextClaim = Math.max(nextClaimAt === null ? 0 : Date.parse(nextClaimAt), this.now - BURST_MS);
  }

  /** How many deliveries may be claimed now. */
  get allowed(): number {
    return this.nextClaim <= this.now ? this.perSecond : 0;
  }

  claimed(count: number): void {
    this.nextClaim += (count * 1000) / this.perSecond;
  }

  get nextClaimAt(): string {
    return new Date(this.nextClaim).toISOString();
  }

  /** Milliseconds until the next claim, if work that is due at this time has to wait for it; otherwise 0. */
  delayOf(dueAt: string | null): number {
    return dueAt !== null && Date.parse(dueAt) < this.nextClaim ? Math.max(0, this.nextClaim - this.now) : 0;
  }
}
