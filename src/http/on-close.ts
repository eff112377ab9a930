import { type Response } from 'express';

/** Calls `release` once the answer is over, sent or not; at once where the client is gone already. */
export function onClose(response: Response, release: () => void): void {
  if (response.closed) release();
  else response.once('close', release);
}
