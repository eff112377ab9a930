import pg from 'pg';
import { Problem } from '../../../common/problem.js';
import { type LogWriter } from '../../logging/log.js';
import { ConnectionShares } from '../connections/connection-shares.js';
import { socketOf } from '../connections/connection-loss.js';
import { isConnectionBroken } from '../database-problems.js';
import { type Row, type Statement } from '../transactions/tenant-batch.js';
import { type TenantContext, ownerOf } from '../transactions/tenant-context.js';
import { runBatch } from '../transactions/tenant-transaction.js';
import { type ReplayPosition, type PrimaryPosition } from './primary-position.js';
import { type ReplicaFigures } from './replica-metrics.js';
import { type StateRow, type Unfit, stateOf, stateStatement } from './replica-statements.js';
import { withTimeLimit } from './time-limit.js';

/** Options of the connections, as those to the primary: types, time limits, traces. */
export type ConnectionOptions = pg.PoolConfig & { readonly types: pg.CustomTypesConfig };

/** Time between two checks of the state. */
const CHECK_EVERY_MS = 1000;
/** Time for the answer of a check. A replica that does not answer for longer has ended or lost its network. */
const CHECK_LIMIT_MS = 2000;
/** Longest time between two attempts to reach a replica. */
const MAX_PAUSE_MS = 30_000;
/** Time that a request waits for a free connection, then the primary answers it. */
const CONNECT_LIMIT_MS = 1000;
/** Time without requests to a replica that is behind or busy: the first and the longest. */
const SKIP_MS = { first: 50, longest: 1000 };

/** Time that closing waits for the server. */
const CLOSE_LIMIT_MS = 1000;

/** Error of pg's pool when no connection becomes free. */
const TIMED_OUT = /timeout exceeded when trying to connect/;

type State = 'unknown' | 'ready' | 'unreachable' | Exclude<Unfit, 'behind'>;

/**
 * A read replica: its connections and its state. A separate connection checks every second whether the server answers
 * and is a replica of the primary. When it does not answer, all connections are closed, so that requests in progress
 * continue on the primary.
 */
export class Replica {
  private readonly pool: pg.Pool;
  private readonly clients = new Set<pg.ClientBase>();
  private readonly shares: ConnectionShares;
  private state: State = 'unknown';
  private lag: number | undefined;
  private skippedUntil = 0;
  private skipMs = SKIP_MS.first;
  private checking: pg.Client | undefined;
  private readonly watching: Promise<void>;
  private wake: () => void = () => undefined;
  private isClosed = false;

  /** @param poolSize maximum number of connections, at least 2; one of them is for the checks */
  constructor(
    readonly name: string,
    private readonly options: ConnectionOptions,
    poolSize: number,
    private readonly position: PrimaryPosition,
    private readonly log: Pick<LogWriter, 'info' | 'warn'>,
  ) {
    const max = poolSize - 1;
    this.pool = new pg.Pool({ ...options, max, connectionTimeoutMillis: CONNECT_LIMIT_MS });
    this.pool.on('error', () => this.checkNow());
    this.pool.on('connect', (client) => this.clients.add(client));
    this.pool.on('remove', (client) => this.clients.delete(client));
    this.shares = new ConnectionShares(this.pool, max);
    this.watching = this.watch();
  }

  get isUsable(): boolean {
    return this.state === 'ready' && performance.now() >= this.skippedUntil;
  }

  get figures(): ReplicaFigures {
    const { name, lag, state, pool } = this;
    return { name, lag, isReady: state === 'ready', connections: pool.totalCount };
  }

  /** Rejects with any error of the connection or of a statement. Its connection is then closed. */
  roundTrip(context: TenantContext, statements: readonly Statement[]): Promise<Row[][]> {
    return this.shares.use(
      ownerOf(context),
      (client) => runBatch(client, statements, this.options.types, context),
      (_client, error) => error as Error,
    );
  }

  /** Must be called when a request could use the rows of its round trips. */
  succeeded(): void {
    this.skipMs = SKIP_MS.first;
  }

  /** Must be called with each error of `roundTrip`. Returns `busy` if no connection was free in time. */
  failed(error: unknown): 'busy' | 'failed' {
    const isBusy = error instanceof Problem || TIMED_OUT.test((error as Error).message);
    if (isBusy) this.skip();
    else if (isConnectionBroken(error)) {
      this.skip();
      this.checkNow();
    }
    return isBusy ? 'busy' : 'failed';
  }

  /** Must be called when the rows of a round trip cannot be used. */
  isUnfit(reason: Unfit): void {
    if (reason === 'behind') return this.skip();
    this.update(reason);
    this.wake();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.wake();
    await withTimeLimit(this.pool.end(), CLOSE_LIMIT_MS).catch(() => undefined);
    this.closeConnections();
    await this.watching;
  }

  /** Sends no requests for a short time. The time doubles until a request succeeds. */
  private skip(): void {
    if (!this.isUsable) return;
    this.skippedUntil = performance.now() + this.skipMs;
    this.skipMs = Math.min(2 * this.skipMs, SKIP_MS.longest);
  }

  private checkNow(): void {
    if (this.state === 'ready') this.wake();
  }

  private async watch(): Promise<void> {
    for (let pauseMs = CHECK_EVERY_MS; !this.isClosed; await this.pause(pauseMs)) {
      try {
        const position = await this.position.read().catch(() => undefined);
        this.update(await withTimeLimit(this.check(position), CHECK_LIMIT_MS));
        pauseMs = CHECK_EVERY_MS;
      } catch (error) {
        pauseMs = this.state === 'unreachable' ? Math.min(2 * pauseMs, MAX_PAUSE_MS) : CHECK_EVERY_MS;
        this.lag = undefined;
        this.update('unreachable', error);
        this.closeConnections();
      }
    }
    this.closeConnections();
  }

  /** The state of the server. While the position of the primary is unknown, the former state remains. */
  private async check(position: ReplayPosition | undefined): Promise<State> {
    if (!this.checking) {
      this.checking = new pg.Client({ ...this.options, connectionTimeoutMillis: CHECK_LIMIT_MS });
      this.checking.on('error', () => this.checkNow());
      await this.checking.connect();
    }
    if (!position) {
      await this.checking.query('SELECT');
      return this.state;
    }
    const { rows } = await this.checking.query<StateRow>(stateStatement(position));
    this.lag = rows[0]?.lag;
    return stateOf(rows[0], position) ?? 'ready';
  }

  /** Writes one line to the log for each change. */
  private update(state: State, err?: unknown): void {
    if (state === this.state || this.isClosed) return;
    this.state = state;
    const replica = this.name;
    if (state === 'ready') this.log.info({ replica }, 'the replica answers requests');
    else this.log.warn({ replica, reason: state, err }, 'the replica answers no requests');
  }

  private async pause(ms: number): Promise<void> {
    if (this.isClosed) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms).unref();
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Pending statements reject. Closing politely would wait for a server that does not answer. */
  private closeConnections(): void {
    for (const client of this.clients) socketOf(client).destroy();
    this.clients.clear();
    if (this.checking) socketOf(this.checking).destroy();
    this.checking = undefined;
  }
}
