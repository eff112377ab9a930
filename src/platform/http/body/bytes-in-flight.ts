import { message } from '../../../common/messages/message.js';
import { unavailable } from '../../../common/problem.js';
import { type Owner, Shares } from '../../../common/shares.js';

/** One caller can use an eighth of the total, one tenant half of it. */
export class BytesInFlight {
  private readonly shares: Shares;

  constructor(total: number) {
    this.shares = new Shares({ total, tenant: Math.floor(total / 2), caller: Math.floor(total / 8) });
  }

  reserve(owner: Owner): ByteReservation {
    return new ByteReservation(this.shares, owner);
  }
}

export class ByteReservation {
  private bytes = 0;

  constructor(
    private readonly shares: Shares,
    private readonly owner: Owner,
  ) {}

  /**
   * Raises the reservation to `bytes`.
   *
   * @throws Problem 503 if the limit of the caller, of the tenant or the total would be exceeded
   */
  grow(bytes: number): void {
    const more = bytes - this.bytes;
    if (more <= 0) return;
    if (this.shares.exceeded(this.owner, more))
      throw unavailable(1, { detail: message('service.large-requests') });
    this.add(more);
  }

  /** Adds bytes without checking the limits. */
  add(more: number): void {
    this.shares.add(this.owner, more);
    this.bytes += more;
  }

  release(): void {
    this.shares.add(this.owner, -this.bytes);
    this.bytes = 0;
  }
}
