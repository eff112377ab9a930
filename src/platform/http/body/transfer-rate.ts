import type { Socket } from 'node:net';

/** How slowly a body may come in. */
export interface TransferRate {
  /** Longest time without a byte. */
  readonly idleTimeoutMs: number;
  /** On average, once the client has kept us waiting for `idleTimeoutMs` in all. */
  readonly minBytesPerSecond: number;
}

/** Connections whose request has a pace of its own, and is not held to Node's time for a whole request. */
const exempt = new WeakSet<Socket>();

/** @see isRequestTimeoutExempt */
export function setRequestTimeoutExempt(socket: Socket, value: boolean): void {
  if (value) exempt.add(socket);
  else exempt.delete(socket);
}

/**
 * Whether the request that comes in over this connection may take as long as its pace allows. Node gives every request
 * five minutes, which protects from clients that drip, and ends an upload of 100 MiB at less than 2.8 Mbit/s.
 */
export function isRequestTimeoutExempt(socket: Socket): boolean {
  return exempt.has(socket);
}

/**
 * Counts the time that a client keeps us waiting for its body; not the time that we keep the client waiting, while
 * what came is being stored.
 */
export class TransferRateMonitor {
  #taken = 0;
  #waitedMs = 0;
  #idleMs = 0;

  constructor(private readonly limits: TransferRate) {}

  /** How long the next bytes may take; 0 or less when the time is up. */
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
