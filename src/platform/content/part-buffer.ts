const MIN_ALLOCATION = 64 * 1024;
/** What is larger takes a whole part's memory at once. */
const MAX_UNPOOLED = 1024 * 1024;
/** What is kept for later uploads, and no more. */
const MAX_FREE = 8;

/**
 * The memory of parts, used again from upload to upload: what is as large as a part is freed by the garbage collector
 * only long after it could be, and a busy service would take several times of what it needs.
 */
export class BufferPool {
  readonly #free: Buffer[] = [];

  /** @param partSize in bytes */
  constructor(readonly partSize: number) {}

  acquire(): Buffer {
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(this.partSize);
  }

  /** Nobody may use these bytes any more. */
  release(bytes: Buffer): void {
    if (bytes.length === this.partSize && this.#free.length < MAX_FREE) this.#free.push(bytes);
  }
}

/** One part of an upload while it is filled and sent. Most contents are smaller; its memory grows with them. */
export class PartBuffer {
  #bytes: Buffer = Buffer.alloc(0);
  #length = 0;

  constructor(private readonly pool: BufferPool) {}

  get isFull(): boolean {
    return this.#length === this.pool.partSize;
  }

  /** How much of `chunk` it took. */
  fill(chunk: Buffer): number {
    const taken = Math.min(chunk.length, this.pool.partSize - this.#length);
    const needed = this.#length + taken;
    if (needed > this.#bytes.length) this.#grow(needed);
    chunk.copy(this.#bytes, this.#length, 0, taken);
    this.#length = needed;
    return taken;
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  /** To be used no more; not while it might still be sent. */
  release(): void {
    this.pool.release(this.#bytes);
    this.#bytes = Buffer.alloc(0);
    this.#length = 0;
  }

  #grow(needed: number): void {
    const wanted = Math.max(needed, this.#bytes.length * 2, MIN_ALLOCATION);
    const isUnpooled = wanted <= MAX_UNPOOLED && wanted < this.pool.partSize;
    const grown = isUnpooled ? Buffer.allocUnsafeSlow(wanted) : this.pool.acquire();
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}
