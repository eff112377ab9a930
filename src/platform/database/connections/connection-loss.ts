import { type Socket } from 'node:net';
import type pg from 'pg';

/** What the server says last of a statement that takes too long has this long to arrive. */
const GRACE_MS = 5000;

/**
 * Two ways of a connection to fail that a pool does not see while somebody uses it. When it ends, pg emits `error` on
 * it, which ends the process if nobody listens; whoever waits for an answer is told anyway. And when the other side
 * vanishes without a word (a lost host, a dropped route), no answer ever comes: the server's own limit of a statement
 * is told by the server. A connection on which nothing has moved for longer than a statement may take is cut while
 * somebody waits for an answer on it; in between, a transaction may wait for other things (bytes that are put in place).
 *
 * To be given to the pool as `onConnect`, for each new connection, once its socket is the final one (TLS).
 */
export function handleConnectionLoss(client: pg.Client, statementTimeoutMs: number): void {
  client.on('error', () => undefined);
  const stream = socketOf(client);
  enableResponseTimeout(client, statementTimeoutMs);
  // Not as the callback of setTimeout, which is called once: what is sent later sets the timer again.
  stream.on('timeout', () => {
    if (isIdle(client)) return;
    const silence = new Error('The database has fallen silent');
    stream.destroy(Object.assign(silence, { code: 'ETIMEDOUT' }));
  });
}

/** Takes {@link disableResponseTimeout} back. */
export function enableResponseTimeout(client: pg.ClientBase, statementTimeoutMs: number): void {
  socketOf(client).setTimeout(statementTimeoutMs + GRACE_MS);
}

/** For a connection that waits for notifications: silence is what it is for. */
export function disableResponseTimeout(client: pg.ClientBase): void {
  socketOf(client).setTimeout(0);
}

function isIdle(client: pg.ClientBase): boolean {
  return (client as unknown as { readyForQuery: boolean | null }).readyForQuery === true;
}

function socketOf(client: pg.ClientBase): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}
