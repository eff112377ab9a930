const MIN_ALLOCATION = 64 * 1024;
/** Buffers larger than this come from the pool and have the size of a whole part. In bytes. */
const MAX_UNPOOLED = 1024 * 1024;
const MAX_FREE_BUFFERS = 8;

/**
 * Reuses the buffers of parts for later uploads. The garbage collector frees large buffers late, so that without a pool
 * a busy service would need several times the memory.
 */
export class BufferPool {
  readonly #free: Buffer[] = [];

  /** @param partSize in bytes */
  constructor(readonly partSize: number) {}

  acquire(): Buffer {
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(this.partSize);
  }

  /** The caller must not use `bytes` afterwards. */
  release(bytes: Buffer): void {
    if (bytes.length === this.partSize && this.#free.length < MAX_FREE_BUFFERS) this.#free.push(bytes);
  }
}

/** Buffers one part of an upload. The buffer grows as needed, because most contents are smaller than a part. */
export class PartBuffer {
  #bytes: Buffer = Buffer.alloc(0);
  #length = 0;

  constructor(private readonly pool: BufferPool) {}

  get isFull(): boolean {
    return this.#length === this.pool.partSize;
  }

  /** Copies as much of `chunk` as fits. Returns the number of bytes copied. */
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

  /** Releases the buffer. Must not be called while the part may still be sent. */
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
