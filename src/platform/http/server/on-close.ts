import { type ServerResponse } from 'node:http';

/**
 * A property, not a WeakMap: the young generation of V8's garbage collector keeps the values of a WeakMap, which refer to
 * request and response, until the next full collection (docs/adr/0029).
 */
const callbacks = Symbol('callbacks');

interface ClosingResponse extends ServerResponse {
  [callbacks]?: (() => void)[];
}

/**
 * Calls `callback` when the response is closed, complete or not; immediately if it is already closed. All callbacks
 * share one listener: Node's `pipeline` adds seven, and Node warns about more than ten.
 */
export function onClose(response: ClosingResponse, callback: () => void): void {
  if (response.closed) return callback();
  const waiting = response[callbacks];
  if (waiting) {
    waiting.push(callback);
    return;
  }
  const all = [callback];
  response[callbacks] = all;
  response.once('close', () => {
    for (const one of all) one();
  });
}

/**
 * Calls the callbacks now: the response has become a stream that stays open, and is no longer a request in progress.
 * Callbacks that are added later are called when the response is closed.
 */
export function detach(response: ClosingResponse): void {
  for (const one of response[callbacks]?.splice(0) ?? []) one();
}
