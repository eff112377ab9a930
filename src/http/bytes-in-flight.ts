import { getHeapStatistics } from 'node:v8';
import { unavailable } from '../common/problem.js';
import { type Owner, Shares } from '../common/shares.js';

/**
 * The part of the heap that JSON bodies may take. Parsed, a body takes up to eight times its bytes (all its values are
 * empty objects), so that bodies alone never fill more than half of the heap.
 */
const HEAP_PART = 16;

/**
 * Bytes of JSON bodies that requests hold in memory, from when they are announced to the end of the answer. A caller
 * gets an eighth of what there is, a tenant half.
 */
export class BytesInFlight {
  private readonly shares: Shares;

  /** @param total bytes in all */
  constructor(total = Math.floor(getHeapStatistics().heap_size_limit / HEAP_PART)) {
    this.shares = new Shares({ total, tenant: Math.floor(total / 2), caller: Math.floor(total / 8) });
  }

  reserve(owner: Owner): ByteReservation {
    return new ByteReservation(this.shares, owner);
  }
}

/** The bytes of one request. */
export class ByteReservation {
  private bytes = 0;

  constructor(
    private readonly shares: Shares,
    private readonly owner: Owner,
  ) {}

  /**
   * Raises the reservation to `bytes`.
   *
   * @throws Problem 503 where the caller, the tenant or all together would have too many
   */
  grow(bytes: number): void {
    const more = bytes - this.bytes;
    if (more <= 0) return;
    if (this.shares.exceeded(this.owner, more))
      throw unavailable(1, undefined, 'Too many large requests are in progress; try again later.');
    this.shares.add(this.owner, more);
    this.bytes = bytes;
  }

  release(): void {
    this.shares.add(this.owner, -this.bytes);
    this.bytes = 0;
  }
}
