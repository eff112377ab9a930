import type pg from 'pg';
import { runBatch } from '../transactions/tenant-transaction.js';
import { type Statement } from '../transactions/tenant-batch.js';
import { withTimeLimit } from './time-limit.js';

/** What a replica must have replayed to answer a request, and the server that it must be a replica of. */
export interface ReplayPosition {
  /** Position in the write-ahead log up to which the primary has inserted records. */
  readonly lsn: string;
  readonly timeline: number;
  readonly system: string;
  /** Time of the primary. */
  readonly clock: string;
  /** Monotonic time of this process before the position was read, in milliseconds. */
  readonly requestedAt: number;
}

/**
 * The insert position instead of the flush position: with `synchronous_commit = off`, an answered change may not be
 * flushed yet.
 */
const POSITION: Statement = {
  text: `SELECT pg_current_wal_insert_lsn()::text AS lsn,
                left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) AS timeline,
                (SELECT system_identifier FROM pg_control_system())::text AS system,
                clock_timestamp()::text AS clock`,
};

const LIMIT_MS = 1000;

/**
 * Reads the position of the primary. It belongs to no tenant, so requests share it: a request joins the read that
 * starts next, never the one in progress, which may have seen the database before the request began.
 */
export class PrimaryPosition {
  private reading: Promise<ReplayPosition> | undefined;
  private next: Promise<ReplayPosition> | undefined;

  constructor(
    private readonly pool: pg.Pool,
    private readonly types: pg.CustomTypesConfig,
  ) {}

  /** Rejects after at most two seconds. */
  read(): Promise<ReplayPosition> {
    if (!this.reading) return this.start();
    this.next ??= this.reading
      .catch(() => undefined)
      .then(() => {
        this.next = undefined;
        return this.start();
      });
    return this.next;
  }

  private start(): Promise<ReplayPosition> {
    const reading = this.query();
    this.reading = reading;
    const end = () => {
      if (this.reading === reading) this.reading = undefined;
    };
    void reading.then(end, end);
    return reading;
  }

  private async query(): Promise<ReplayPosition> {
    const requestedAt = performance.now();
    const connecting = this.pool.connect();
    const client = await withTimeLimit(connecting, LIMIT_MS, () => {
      // The pool may still provide the connection later.
      void connecting.then((late) => late.release()).catch(() => undefined);
    });
    let broken: Error | undefined;
    try {
      const rest = LIMIT_MS - (performance.now() - requestedAt);
      const [rows] = await withTimeLimit(runBatch(client, [POSITION], this.types), rest);
      const { timeline, ...row } = rows?.[0] as Omit<ReplayPosition, 'requestedAt'> & { timeline: string };
      return { ...row, timeline: Number.parseInt(timeline, 16), requestedAt };
    } catch (error) {
      broken = error as Error;
      throw error;
    } finally {
      client.release(broken);
    }
  }
}
