export const BYTES_PER_REQUEST = 256 * 1024;

/** Contents are only copied: this many of their bytes count as one. */
const CONTENT_BYTES = 16;

/**
 * What a request costs besides the request itself: one more for each full 256 KiB that it reads from the database or
 * sends, whichever is more. So HEAD, 304 and errors cost what was read for them. What is discarded of its body counts as
 * read.
 */
export class BytePrice {
  private bytesRead = 0;
  private charged = 0;
  /** The price so far, in requests, without the content. */
  price = 0;

  /** @param debit charges a number of requests; a negative number gives them back */
  constructor(private readonly debit: (cost: number) => void) {}

  /** @param cost number of requests that are charged already, for bytes to come */
  payInAdvance(cost: number): void {
    this.charged = cost;
  }

  addRead(bytes: number): void {
    this.bytesRead += bytes;
    this.cover(this.bytesRead);
  }

  /** Charges what this number of bytes costs, as far as it is not charged yet. */
  cover(bytes: number): void {
    this.price = Math.max(this.price, Math.floor(bytes / BYTES_PER_REQUEST));
    this.charge(this.price);
  }

  /** Charges the bytes of the content in either direction, and gives back what was paid in advance for nothing. */
  settle(contentBytes: number): void {
    const price = Math.max(this.price, Math.floor(contentBytes / CONTENT_BYTES / BYTES_PER_REQUEST));
    this.charge(price);
    if (price < this.charged) this.debit(price - this.charged);
    this.charged = price;
  }

  private charge(price: number): void {
    if (price <= this.charged) return;
    this.debit(price - this.charged);
    this.charged = price;
  }
}
