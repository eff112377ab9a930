import { type ServerResponse } from 'node:http';

const callbacks = new WeakMap<ServerResponse, (() => void)[]>();

/**
 * Calls `callback` once the answer is over, sent or not; at once where the client is gone already. All callbacks share
 * one listener: Node's `pipeline` adds seven, and Node warns of more than ten.
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
