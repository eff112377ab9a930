import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type DataSource } from 'typeorm';
import { WORKER_LEASE_SEED } from '../database/advisory-locks.js';
import { KEEPALIVE, directClient } from '../database/direct-client.js';

const RETRY_MS = 1000;
/** With TCP, the server detects within about 30 s that the worker's machine is unreachable. */
const BEGIN = `BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0;
  SET LOCAL tcp_keepalives_idle = 15; SET LOCAL tcp_keepalives_interval = 5; SET LOCAL tcp_keepalives_count = 3`;

/**
 * Those of the worker ids in `$1` that have no lease. Reads the list of locks instead of trying to take them: a
 * successful attempt would hold the lock for a moment, and a concurrent query would consider the dead worker alive.
 */
export const WORKERS_WITHOUT_LEASE = `SELECT w.id FROM unnest($1::text[]) AS w (id)
                          WHERE hashtextextended(w.id, ${WORKER_LEASE_SEED}) NOT IN (
                            SELECT l.classid::bigint << 32 | l.objid::bigint FROM pg_locks l
                             WHERE l.locktype = 'advisory' AND l.objsubid = 1 AND l.granted
                               AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()))`;

/**
 * Shows that a worker is alive. The lease is an advisory lock with a key of the worker's id. PostgreSQL releases it
 * when the worker's connection ends for any reason. The lock is held in a transaction on a separate connection, not
 * through a connection pooler. The open transaction does not impede vacuum, because it keeps no statement open.
 */
export class WorkerLease {
  private readonly released = new AbortController();
  private client?: pg.Client;

  constructor(
    private readonly dataSource: DataSource,
    readonly workerId: string,
    private readonly onLost: (error: Error) => void,
  ) {}

  /**
   * Resolves when the lease is held, or `signal` is aborted. When the connection ends later, the lease is acquired
   * again.
   *
   * @param signal Stops waiting for the lease. Does not release it.
   */
  async hold(signal: AbortSignal = this.released.signal): Promise<void> {
    while (!signal.aborted && !this.released.signal.aborted) {
      try {
        return await this.acquire();
      } catch (error) {
        this.onLost(error as Error);
        await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  async release(): Promise<void> {
    this.released.abort();
    await this.client?.end().catch(() => undefined);
  }

  private async acquire(): Promise<void> {
    // The worker detects a lost connection as well.
    const client = directClient(this.dataSource, 'worker', KEEPALIVE);
    try {
      await client.connect();
      await client.query(BEGIN);
      // A shared lock, so that two ids with the same hash do not block each other. The only effect is that a dead
      // worker then looks alive as long as the other one lives.
      //
      // No parameters, so that pg uses the simple protocol. The extended protocol would keep a portal and its
      // snapshot open until the end of the transaction, and vacuum could not remove dead rows in the whole database.
      const id = pg.escapeLiteral(this.workerId);
      await client.query(
        `SELECT pg_advisory_xact_lock_shared(hashtextextended(${id}, ${WORKER_LEASE_SEED}))`,
      );
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
    if (this.released.signal.aborted) return client.end();
    this.client = client;
    client.once('end', () => {
      if (this.released.signal.aborted) return;
      this.onLost(new Error('The connection that holds the lease has ended'));
      void this.hold();
    });
  }
}
