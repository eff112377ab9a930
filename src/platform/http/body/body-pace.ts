import type { Socket } from 'node:net';

/** How slowly a body may come in. */
export interface BodyPace {
  /** Longest time without a byte. */
  readonly idleTimeoutMs: number;
  /** On average, once the client has kept us waiting for `idleTimeoutMs` in all. */
  readonly minBytesPerSecond: number;
}

/** Connections whose request has a pace of its own, and is not held to Node's time for a whole request. */
const paced = new WeakSet<Socket>();

/** @see isPaced */
export function setPaced(socket: Socket, value: boolean): void {
  if (value) paced.add(socket);
  else paced.delete(socket);
}

/**
 * Whether the request that comes in over this connection may take as long as its pace allows. Node gives every request
 * five minutes, which protects from clients that drip, and ends an upload of 100 MiB at less than 2.8 Mbit/s.
 */
export function isPaced(socket: Socket): boolean {
  return paced.has(socket);
}

/**
 * Counts the time that a client keeps us waiting for its body; not the time that we keep the client waiting, while
 * what came is being stored.
 */
export class PaceKeeper {
  #taken = 0;
  #waitedMs = 0;
  #idleMs = 0;

  constructor(private readonly pace: BodyPace) {}

  /** How long the next bytes may take; 0 or less when the time is up. */
  patienceMs(): number {
    const { idleTimeoutMs, minBytesPerSecond } = this.pace;
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
