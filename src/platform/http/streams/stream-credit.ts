import { BYTES_PER_REQUEST } from '../rate-limit/byte-price.js';
import { type Payment } from '../rate-limit/rate-limiter.js';

/** Bytes that the request for the stream pays for: about a page of 200 events. */
const FIRST_BYTES = 64 * 1024;

/**
 * The bytes that a stream has paid for. Each 256 KiB cost one request of the caller's rate limit, in advance: the
 * stream pauses until they are paid. If less than half of the burst is left, it pays at most once a second, so that
 * a long replay leaves requests for others of the same caller.
 */
export class StreamCredit {
  private bytes = FIRST_BYTES;
  private isPaying = false;
  private waitsForTick = false;

  constructor(
    private readonly pay: () => Promise<Payment>,
    /** Called when more may be sent after a pause. */
    private readonly onPaid: () => void,
  ) {}

  get isUsedUp(): boolean {
    return this.bytes <= 0;
  }

  use(bytes: number): void {
    this.bytes -= bytes;
    void this.renew();
  }

  /** Called every second. */
  tick(): void {
    this.waitsForTick = false;
    void this.renew();
  }

  private async renew(): Promise<void> {
    if (this.isPaying) return;
    this.isPaying = true;
    while (this.isUsedUp && !this.waitsForTick) {
      const { allowed, isLow } = await this.pay();
      if (allowed) this.bytes += BYTES_PER_REQUEST;
      this.waitsForTick = isLow;
      if (!this.isUsedUp) this.onPaid();
    }
    this.isPaying = false;
  }
}
