import type pg from 'pg';
import { type DataSource } from 'typeorm';
import { unavailable } from '../../../common/problem.js';
import { NO_TENANT, type Owner } from '../../../common/shares.js';
import { ConnectionShares } from '../connections/connection-shares.js';
import { poolOf } from '../connections/pool-of.js';
import { isConnectionBroken, isRetryable, isViolation } from '../database-problems.js';
import { type Replicas } from '../replicas/replicas.js';
import { type Condition, type DatabaseLayout, layoutOf } from './database-layout.js';
import { claimKey, storeAnswer } from './idempotency-keys.js';
import { type Row, type Statement, TenantBatch } from './tenant-batch.js';
import { type TenantContext, type UserContext, ownerOf } from './tenant-context.js';
import {
  type RecordingStatements,
  type RoundTrip,
  TenantTransaction,
  WriteTransaction,
  runBatch,
} from './tenant-transaction.js';

export interface ReadOptions {
  /** Whether a replica of the database may answer (docs/adr/0038). */
  readonly fromReplica?: boolean | undefined;
}

/** Internal: the tenant's access version has changed since the caller's rights were read. */
class AccessChanged extends Error {}

const MAX_ATTEMPTS = 4;
const BEGIN: Statement = { text: 'BEGIN' };
const BEGIN_SNAPSHOT: Statement = { text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' };
const COMMIT: Statement = { text: 'COMMIT' };

/**
 * Runs all transactions of tenants. Each one sets the tenant for row-level security (`database-layout.ts`) and
 * reads the tenant's access version in the same round trip. If the version differs from that of the caller's cached
 * rights, the result is discarded, the rights are reloaded and checked, and the work runs again.
 */
export class UnitOfWork {
  private readonly types: pg.CustomTypesConfig;
  private readonly connections: ConnectionShares;

  constructor(
    dataSource: DataSource,
    private readonly recording: RecordingStatements,
    readonly layout: DatabaseLayout,
    private readonly replicas?: Replicas,
  ) {
    const { extra, poolSize } = dataSource.options as {
      extra: { types: pg.CustomTypesConfig };
      poolSize: number;
    };
    this.types = extra.types;
    this.connections = new ConnectionShares(poolOf(dataSource), poolSize);
  }

  /** For an initialized data source: asks the database whether it is distributed. */
  static async open(
    dataSource: DataSource,
    recording: RecordingStatements,
    replicas?: Replicas,
  ): Promise<UnitOfWork> {
    const layout = await layoutOf((text, values) => dataSource.query(text, values));
    return new UnitOfWork(dataSource, recording, layout, replicas);
  }

  /**
   * Runs reads without an open transaction: each query is one round trip. If rights changed during every attempt, the
   * last attempt reads rights and data in one snapshot, in which nothing changes.
   */
  read<T>(
    context: TenantContext,
    work: (tx: TenantTransaction) => Promise<T>,
    { fromReplica }: ReadOptions = {},
  ): Promise<T> {
    if (fromReplica && this.replicas?.areUsed) return this.readFromReplica(this.replicas, context, work);
    return this.withRetries(context, (isLast) =>
      isLast && context.revalidate
        ? this.readSnapshot(context, work)
        : work(new TenantTransaction(context, (statements) => this.readRoundTrip(context, statements))),
    );
  }

  /** `work` runs again when the answer of the replica cannot be used. */
  private async readFromReplica<T>(
    replicas: Replicas,
    context: TenantContext,
    work: (tx: TenantTransaction) => Promise<T>,
  ): Promise<T> {
    const answer = await replicas.read(context, this.layout.setTenantToRead(context), (roundTrip) =>
      work(new TenantTransaction(context, roundTrip)),
    );
    return answer ? answer.value : this.read(context, work);
  }

  /**
   * Reads a user's rows of all tenants in one round trip. No tenant is set, so only views that select by {@link
   * DatabaseLayout.setUser} have rows. A distributed database queries every shard.
   */
  readForUser<R extends object>(user: UserContext, statement: Statement): Promise<R[]> {
    return this.readWithoutTenant(user.userId, this.layout.setUser(user), statement);
  }

  /**
   * Reads a view or function of the schema that reads all tenants as the owner of the tables (docs/adr/0043), in one
   * round trip. No tenant is set, so tables have no rows. A distributed database queries every shard.
   */
  readAllTenants<R extends object>(statement: Statement): Promise<R[]> {
    return this.readWithoutTenant('service', this.layout.allTenants, statement);
  }

  private readWithoutTenant<R extends object>(
    caller: string,
    settings: readonly Statement[],
    statement: Statement,
  ): Promise<R[]> {
    return this.withRetries({}, async () => {
      const rows = await this.roundTrip({ tenant: NO_TENANT, caller }, [...settings, statement]);
      return rows[settings.length] as R[];
    });
  }

  /**
   * Runs `work` in one transaction and commits it with its audit entries, notifications and jobs. `work` returns the
   * body of the answer. With an Idempotency-Key, the answer is stored in the same transaction; a repeated request
   * gets the stored answer, and `work` does not run.
   *
   * @param refuseRepeat Needed when `work` checks permissions that depend on the body. Called before a repeated
   *   request gets the stored answer; throws the 403 when the caller no longer has these permissions.
   */
  write<T>(
    context: TenantContext,
    work: (tx: WriteTransaction) => Promise<T>,
    refuseRepeat?: (tx: WriteTransaction, answer: T) => Promise<void> | void,
  ): Promise<T> {
    return this.withRetries(context, (isLast) =>
      this.inTransaction(context, async (client) => {
        const opening = isLast ? [] : [BEGIN, ...this.layout.setTenant(context)];
        const tx = new WriteTransaction(context, this.roundTripsOf(client, context, opening), this.layout);
        if (isLast) await this.ensureCurrentRights(tx, await this.enter(client, context, BEGIN), isLast);
        const { idempotency } = context.conditions ?? {};
        if (idempotency) {
          const stored = await claimKey(tx, idempotency);
          if (stored !== null) {
            // Rights may have changed while this request waited for the first one.
            const now = await this.enter(client, context);
            await this.ensureCurrentRights(tx, now, isLast);
            const answer = JSON.parse(stored) as T;
            await refuseRepeat?.(tx, answer);
            await client.query('ROLLBACK');
            return answer;
          }
        }
        // Without a statement of `work`, its result or error comes after the check of the rights, too.
        const check = () => (opening.length > 0 ? tx.queryAll([]) : undefined);
        const result = await tx.run(work).finally(check);
        const last = [
          ...(await this.recording.of(tx)),
          ...(idempotency ? [storeAnswer(tx, idempotency, result)] : []),
          COMMIT,
        ];
        const batch = new TenantBatch(last, this.types);
        await client.query(batch).done;
        // If `work` caught an error of a statement, COMMIT reports no error: its command tag is then ROLLBACK.
        if (batch.lastCommand !== 'COMMIT') throw new Error('The transaction had failed before its commit');
        this.committed(tx);
        return result;
      }),
    );
  }

  /**
   * Runs statements that do not depend on each other's rows, and commits them with the recorded entries, all in one round
   * trip, for changes that are frequent. Nothing is committed if a statement fails, the condition does not hold after them,
   * or rights have changed.
   *
   * @returns the rows of the first statement; null: nothing was written. Call {@link write}, which finds the reason or succeeds.
   */
  async writeAtOnce<R extends object>(
    context: TenantContext,
    work: (tx: WriteTransaction) => Statement[],
    condition: Condition,
  ): Promise<R[] | null> {
    const { atOnce } = this.layout;
    if (!atOnce || context.conditions?.idempotency) return null;
    const unsent = () => Promise.reject(new Error('Statements are returned here, not sent'));
    const tx = new WriteTransaction(context, unsent, this.layout);
    const statements = [
      atOnce.setTenant(context),
      ...work(tx),
      ...(await this.recording.of(tx)),
      atOnce.check(context, condition),
    ];
    const counts = { countRead: (bytes: number) => context.countRead?.(bytes) };
    const rows = await this.roundTrip(ownerOf(context), statements, counts).catch((error: unknown) => {
      if (isViolation(error) || isRetryable(error)) return null;
      throw error;
    });
    if (!rows) return null;
    context.confirm?.();
    this.committed(tx);
    return rows[1] as R[];
  }

  private committed(tx: WriteTransaction): void {
    this.recording.committed(tx);
    if (tx.audit.length > 0) tx.context.recorded?.(tx.audit.map(({ action }) => action));
  }

  private readSnapshot<T>(context: TenantContext, work: (tx: TenantTransaction) => Promise<T>): Promise<T> {
    return this.inTransaction(context, async (client) => {
      const entered = await this.enter(client, context, BEGIN_SNAPSHOT);
      const tx = new TenantTransaction(context, (statements) =>
        runBatch(client, statements, this.types, context),
      );
      await this.ensureCurrentRights(tx, entered, true);
      const result = await work(tx);
      await client.query('COMMIT');
      return result;
    });
  }

  /** Runs `work` on a connection, on which it opens a transaction. Rolls back when `work` fails. */
  private inTransaction<T>(context: TenantContext, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    return this.connections.use(ownerOf(context), work, rollBack);
  }

  /**
   * Round trips of a transaction that the first one opens, to save a round trip of its own. When the caller's rights turn
   * out to have changed, the result of the first statements is discarded.
   *
   * @param opening Empty once it is sent.
   */
  private roundTripsOf(client: pg.ClientBase, context: TenantContext, opening: Statement[]): RoundTrip {
    return async (statements) => {
      const first = opening.splice(0);
      const batch = new TenantBatch([...first, ...statements], this.types, context);
      const done = client.query(batch).done;
      if (first.length === 0) return done;
      const entered = () => batch.rows[first.length - 1];
      const rows = await done.catch((error: unknown) => {
        // The statement may have failed because of what the caller can no longer see or do.
        if (entered()?.[0]) this.checkAccessVersion(context, entered());
        throw error;
      });
      this.checkAccessVersion(context, entered());
      return rows.slice(first.length);
    };
  }

  /** Sets the tenant of an open transaction. Returns the row with its access version. */
  private async enter(
    client: pg.ClientBase,
    context: TenantContext,
    ...first: readonly Statement[]
  ): Promise<Row[] | undefined> {
    return (await runBatch(client, [...first, ...this.layout.setTenant(context)], this.types)).at(-1);
  }

  private async withRetries<T>(
    context: Pick<TenantContext, 'revalidate'>,
    work: (isLast: boolean) => Promise<T>,
  ): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work(attempt >= MAX_ATTEMPTS);
      } catch (error) {
        const accessChanged = error instanceof AccessChanged;
        if (!accessChanged && !isRetryable(error)) throw error;
        if (attempt >= MAX_ATTEMPTS) throw accessChanged ? unavailable(1) : error;
        // Also after a deadlock: rights that were read inside the transaction may include changes that were rolled
        // back.
        await context.revalidate?.();
      }
    }
  }

  private async readRoundTrip(context: TenantContext, statements: readonly Statement[]): Promise<Row[][]> {
    const settings = this.layout.setTenantToRead(context);
    const rows = await this.roundTrip(ownerOf(context), [...settings, ...statements], context);
    this.checkAccessVersion(context, rows[settings.length - 1]);
    return rows.slice(settings.length);
  }

  private async roundTrip(
    owner: Owner,
    statements: readonly Statement[],
    counts?: Pick<TenantContext, 'countRead' | 'countReadTime'>,
  ): Promise<Row[][]> {
    const { begin, commit } = this.layout;
    const rows = await this.connections.use(
      owner,
      (client) => runBatch(client, [...begin, ...statements, ...commit], this.types, counts),
      (client, error) => {
        if (isConnectionBroken(error)) return error as Error;
        return begin.length > 0 ? rollBack(client) : undefined;
      },
    );
    return rows.slice(begin.length, begin.length + statements.length);
  }

  /**
   * Checks that the caller's rights are current. When rights change all the time, those read before the transaction are
   * always out of date. The last attempt therefore reloads them inside the transaction.
   */
  private async ensureCurrentRights(
    tx: TenantTransaction,
    entered: Row[] | undefined,
    isLast: boolean,
  ): Promise<void> {
    if (isLast && tx.context.revalidate) await tx.reloadChangedRights(entered?.[0]?.accessVersion);
    else this.checkAccessVersion(tx.context, entered);
  }

  private checkAccessVersion(context: TenantContext, entered: Row[] | undefined): void {
    if (context.accessVersion === null) return;
    if (entered?.[0]?.accessVersion !== context.accessVersion)
      throw new AccessChanged('The access version has changed');
    context.confirm?.();
  }
}

/** Returns the error if that fails: the connection cannot be used any more. */
function rollBack(client: pg.PoolClient): Promise<Error | undefined> {
  return client.query('ROLLBACK').then(
    () => undefined,
    (failure: Error) => failure,
  );
}
