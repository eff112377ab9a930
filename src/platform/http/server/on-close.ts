import { type ServerResponse } from 'node:http';

const callbacks = new WeakMap<ServerResponse, (() => void)[]>();

/**
 * Calls `callback` when the response is closed, complete or not; immediately if it is already closed. All callbacks
 * share one listener: Node's `pipeline` adds seven, and Node warns about more than ten.
 */
export function onClose(response: ServerResponse, callback: () => void): void {
  if (response.closed) return callback();
  const waiting = callbacks.get(response);
  if (waiting) {
    waiting.push(callback);
    return;
  }
  const all = [callback];
  callbacks.set(response, all);
  response.once('close', () => {
    for (const one of all) one();
  });
}

/**
 * Calls the callbacks now: the response has become a stream that stays open, and is no longer a request in progress.
 * Callbacks that are added later are called when the response is closed.
 */
export function detach(response: ServerResponse): void {
  for (const one of callbacks.get(response)?.splice(0) ?? []) one();
}
