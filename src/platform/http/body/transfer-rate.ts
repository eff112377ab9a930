import type { Socket } from 'node:net';

/** Lowest transfer rate of a request body. */
export interface TransferRate {
  /** Longest pause between two chunks. */
  readonly idleTimeoutMs: number;
  /** Average rate, enforced after the service has waited for the client for `idleTimeoutMs` in total. */
  readonly minBytesPerSecond: number;
}

/**
 * Connections whose current request may take longer than Node's `requestTimeout` of five minutes, because a transfer-rate
 * limit applies. That timeout stops clients that send very slowly, but would also stop an upload of 100 MiB below 2.8 Mbit/s.
 */
export const EXEMPT_FROM_REQUEST_TIMEOUT = new WeakSet<Socket>();

/**
 * Measures how long the service waits for the client during a request body. The time in which the service stores
 * received bytes, and the client waits, does not count.
 */
export class TransferRateMonitor {
  #taken = 0;
  #waitedMs = 0;
  #idleMs = 0;

  constructor(private readonly limits: TransferRate) {}

  /** Longest time to wait for the next chunk; 0 or less when the limit is exceeded. */
  remainingMs(): number {
    const { idleTimeoutMs, minBytesPerSecond } = this.limits;
    const inAll = idleTimeoutMs + (this.#taken / minBytesPerSecond) * 1000;
    return Math.min(idleTimeoutMs - this.#idleMs, inAll - this.#waitedMs);
  }

  waited(ms: number): void {
    this.#waitedMs += ms;
    this.#idleMs += ms;
  }

  received(bytes: number): void {
    this.#taken += bytes;
    this.#idleMs = 0;
  }
}
