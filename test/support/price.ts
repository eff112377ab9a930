import { expect } from '@jest/globals';
import { type Response } from 'supertest';
import { type Actor } from './actor.js';
import { waitUntil } from './wait-until.js';

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

/**
 * Waits until the requests of `send` have cost this number of requests. For bytes that are charged when the response is
 * closed, which can be after the client has it.
 */
export async function waitForPrice(
  actor: Actor,
  send: () => PromiseLike<unknown>,
  price: number,
): Promise<void> {
  const before = remainingAfter(await actor.get('/me').expect(200));
  await send();
  let asked = 0;
  await waitUntil(async () => {
    asked += 1;
    return before - remainingAfter(await actor.get('/me').expect(200)) - asked === price;
  }, `the price of ${price} requests`);
}
