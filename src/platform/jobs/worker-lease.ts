import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type DataSource } from 'typeorm';
import { WORKER_LEASE_SEED } from '../database/advisory-locks.js';
import { SHORT_STATEMENT_LIMITS, limitOptions } from '../database/connections/session-limits.js';

const RETRY_MS = 1000;
/** The server notices within about half a minute that the worker's machine is gone (where TCP is in between). */
const KEEPALIVE = { tcp_keepalives_idle: 15, tcp_keepalives_interval: 5, tcp_keepalives_count: 3 };
/** And so does the worker, that it has lost its lease; by default it would ask for the first time after two hours. */
const KEEPALIVE_DELAY_MS = 15_000;

/**
 * Is asked with `$1` a list of worker ids: those that nobody holds a lease on. Looks at the locks instead of trying
 * them: who tries one holds it for a moment, in which whoever asks the same would take the dead for alive.
 */
export const WORKERS_WITHOUT_LEASE = `SELECT w.id FROM unnest($1::text[]) AS w (id)
                          WHERE hashtextextended(w.id, ${WORKER_LEASE_SEED}) NOT IN (
                            SELECT l.classid::bigint << 32 | l.objid::bigint FROM pg_locks l
                             WHERE l.locktype = 'advisory' AND l.objsubid = 1 AND l.granted
                               AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()))`;

/**
 * Shows that a worker is alive: an advisory lock under its id, which PostgreSQL lets go of when the worker's connection
 * ends, however it ends. It is held in a transaction on a connection of its own, so that a pooler between us and
 * PostgreSQL leaves that connection to us; a transaction that does nothing else keeps vacuum from nothing, as long as
 * no statement of it stays open.
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
   * Fulfilled once the lease is held, or nobody waits for it any more. It is taken anew, whenever the connection ends.
   *
   * @param signal ends the waiting, not the lease
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
    const { url } = this.dataSource.options as { url: string };
    const client = new pg.Client({
      connectionString: url,
      application_name: 'filing-service worker',
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEPALIVE_DELAY_MS,
      options: limitOptions(SHORT_STATEMENT_LIMITS),
    });
    let held = false;
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('BEGIN');
      const settings = { idle_in_transaction_session_timeout: 0, ...KEEPALIVE };
      await client.query(
        Object.entries(settings)
          .map(([name, value]) => `SET LOCAL ${name} = ${value}`)
          .join('; '),
      );
      // Shared: two ids of one hash would only make a dead worker look alive while the other one lives.
      // Without parameters, so by the simple protocol: the extended one leaves its portal open until the end of the
      // transaction, and with it a snapshot, behind which vacuum could clear away nothing in the whole database.
      const id = pg.escapeLiteral(this.workerId);
      await client.query(
        `SELECT pg_advisory_xact_lock_shared(hashtextextended(${id}, ${WORKER_LEASE_SEED}))`,
      );
      held = true;
    } finally {
      if (!held) await client.end().catch(() => undefined);
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
