import { expect } from '@jest/globals';
import { type Response } from 'supertest';
import { type Actor } from './actor.js';

/** Number of requests that the caller has left after this response, by its header. */
export function remainingAfter({ headers }: Response): number {
  const [, remaining] = /^"caller";r=(\d+);t=[1-9]\d*$/.exec(headers['ratelimit'] ?? '') ?? [];
  expect(remaining).toBeDefined();
  return Number(remaining);
}

/** What the actor pays for the requests of `send`, in requests. The bucket must not refill meanwhile. */
export async function priceOf(actor: Actor, send: () => PromiseLike<unknown>): Promise<number> {
  const before = remainingAfter(await actor.get('/me').expect(200));
  await send();
  // The request that asks costs one itself.
  return before - remainingAfter(await actor.get('/me').expect(200)) - 1;
}
