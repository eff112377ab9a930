import { type Socket } from 'node:net';
import type pg from 'pg';
import { READ_ONLY } from '../database-problems.js';

/** Time for the server's own timeout error to arrive after a statement has exceeded its limit, in milliseconds. */
const GRACE_MS = 5000;

/**
 * Handles three failures of a connection in use that the pool does not handle:
 *
 * - The connection ends: pg emits `error` on the client, which would end the process without a listener. The pending
 *   query rejects as well, so the event can be ignored.
 * - The server becomes unreachable (host or route lost): no answer arrives, not even the server's statement timeout.
 *   The socket is therefore closed when a query is pending and no data has arrived for longer than a statement may
 *   take. Between queries there is no such limit: a transaction may wait for something else, such as storing content.
 * - The server has become a standby. The connection is closed, because the next one may reach the new primary under
 *   the same name.
 *
 * Call it in `onConnect` of the pool. Earlier, the socket is not final: TLS replaces it during connecting.
 */
export function handleConnectionLoss(client: pg.Client, statementTimeoutMs: number): void {
  client.on('error', () => undefined);
  const stream = socketOf(client);
  enableResponseTimeout(client, statementTimeoutMs);
  // A listener instead of the callback of `setTimeout`, which is called only once.
  stream.on('timeout', () => {
    if (isIdle(client)) return;
    const error = new Error('The database does not answer');
    stream.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
  });
  // After pg's own listener, which rejects the query with the error of the server.
  connectionOf(client).on('errorMessage', ({ code }) => {
    if (code === READ_ONLY) void client.end().catch(() => undefined);
  });
}

/** Sets the time without data after which the socket emits `timeout`. {@link handleConnectionLoss} listens for it. */
export function enableResponseTimeout(client: pg.ClientBase, statementTimeoutMs: number): void {
  socketOf(client).setTimeout(statementTimeoutMs + GRACE_MS);
}

/** For a connection that waits for notifications: their number and time are unknown. */
export function disableResponseTimeout(client: pg.ClientBase): void {
  socketOf(client).setTimeout(0);
}

function isIdle(client: pg.ClientBase): boolean {
  return (client as unknown as { readyForQuery: boolean | null }).readyForQuery === true;
}

export function socketOf(client: pg.ClientBase): Socket {
  return connectionOf(client).stream;
}

/** Members of pg's client that its type declarations lack. */
interface WireConnection {
  readonly stream: Socket;
  on(event: 'errorMessage', listener: (error: { code?: string }) => void): void;
}

function connectionOf(client: pg.ClientBase): WireConnection {
  return (client as unknown as { connection: WireConnection }).connection;
}
