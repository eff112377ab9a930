export const BYTES_PER_REQUEST = 256 * 1024;

/** Contents are only copied: this many of their bytes count as one. */
const CONTENT_BYTES = 16;

/**
 * What a request costs besides the request itself: one more for each full 256 KiB that it reads from the database or
 * sends, whichever is more. So HEAD, 304 and errors cost what was read for them.
 */
export class BytePrice {
  private bytesRead = 0;
  private charged = 0;

  /** @param debit charges a number of requests */
  constructor(private readonly debit: (cost: number) => void) {}

  addRead(bytes: number): void {
    this.bytesRead += bytes;
    this.cover(this.bytesRead);
  }

  /** Charges what this number of bytes costs, as far as it is not charged yet. */
  cover(bytes: number): void {
    const cost = Math.floor(bytes / BYTES_PER_REQUEST) - this.charged;
    if (cost <= 0) return;
    this.charged += cost;
    this.debit(cost);
  }

  /** The same for bytes of a content in either direction. */
  coverContent(bytes: number): void {
    this.cover(bytes / CONTENT_BYTES);
  }
}
