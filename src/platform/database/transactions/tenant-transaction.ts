import type pg from 'pg';
import {
  entityTag,
  matchesIfMatch,
  matchesIfNoneMatch,
  preconditionFailed,
} from '../../../common/entity-tag.js';
import { newId } from '../../../common/identifier.js';
import {
  type NotificationParameters,
  type NotificationType,
} from '../../../common/messages/notifications.js';
import { type AuditAction, type RelatedOf, type SubjectOf } from '../../../common/vocabulary/audit.js';
import { Problem } from '../../../common/problem.js';
import { JOBS, type JobPayloads, type JobTask, jobKey } from '../../../common/vocabulary/jobs.js';
import { type DatabaseLayout } from './database-layout.js';
import { type Row, type Statement, TenantBatch } from './tenant-batch.js';
import { type TenantContext } from './tenant-context.js';

interface AuditRecordOf<Action extends AuditAction> {
  readonly action: Action;
  readonly subjectId: string;
  readonly summary: string | null;
  /** Only for a download: version of the content. */
  readonly contentVersion?: number;
}

export type AuditRecord<Action extends AuditAction = AuditAction> = {
  [A in Action]: AuditRecordOf<A> & RelatedOf<A> & SubjectOf<A>;
}[Action];

export interface NotificationRecord {
  readonly id: string;
  readonly userId: string;
  readonly type: NotificationType;
  readonly parameters: Record<string, string>;
}

export interface JobRecord {
  readonly task: JobTask;
  /** At most one job with the same key waits in the queue. */
  readonly key: string;
  readonly payload: Readonly<Record<string, string | number>>;
  /** Time before which the job does not run, ISO 8601; null for now. Jobs of a tenant run in this order. */
  readonly runAt: string | null;
  /** The same as a time in milliseconds from now, by the clock of the database, which decides when a job runs. */
  readonly delayMs: number | null;
  /** Whether it runs after the other jobs of the tenant, and never on all workers at once. */
  readonly isLong: boolean;
}

/** Optional: of a statement that is not always sent. */
type RowTypes = readonly (object | undefined)[];
type RowsOfEach<R extends RowTypes> = { -readonly [S in keyof R]: NonNullable<R[S]>[] };

/** Runs statements in one round trip. With a context, the statements only read, and the context counts them. */
export function runBatch(
  client: pg.ClientBase,
  statements: readonly Statement[],
  types: pg.CustomTypesConfig,
  context?: Pick<TenantContext, 'countRead' | 'countReadTime'>,
): Promise<Row[][]> {
  const began = performance.now();
  const { done } = client.query(new TenantBatch(statements, types, context));
  if (context?.countReadTime) {
    const count = () => context.countReadTime?.(performance.now() - began);
    void done.then(count, count);
  }
  return done;
}

/** Runs statements of a tenant in one round trip. Resolves with the rows of each. */
export type RoundTrip = (statements: readonly Statement[]) => Promise<Row[][]>;

/** Runs statements as a tenant. Most reads have no open transaction between the queries (see `UnitOfWork.read`). */
export class TenantTransaction {
  constructor(
    readonly context: TenantContext,
    private readonly roundTrip: RoundTrip,
  ) {}

  get tenantId(): string {
    return this.context.tenantId;
  }

  async query<R extends object = Row>(
    text: string,
    values: readonly unknown[] = [],
    options?: Pick<Statement, 'planEachTime'>,
  ): Promise<R[]> {
    const [rows] = await this.roundTrip([{ text, values, ...options }]);
    return rows as R[];
  }

  /** The first row; null if there is none. */
  async queryOrNull<R extends object>(text: string, values?: readonly unknown[]): Promise<R | null> {
    const [row] = await this.query<R>(text, values);
    return row ?? null;
  }

  /** Runs several statements in one round trip. `R`: the types of the rows of each. */
  queryAll<R extends RowTypes = Row[]>(statements: readonly Statement[]): Promise<RowsOfEach<R>> {
    return this.roundTrip(statements) as Promise<RowsOfEach<R>>;
  }

  /** @param found The tenant's access version in the open transaction. */
  async reloadChangedRights(found: unknown): Promise<void> {
    const { accessVersion } = this.context;
    if (accessVersion === null) return;
    if (found === accessVersion) this.context.confirm?.();
    else await this.context.revalidate?.((text, values) => this.query(text, values));
  }
}

/**
 * A transaction that writes. Its audit entries, notifications and jobs are collected and written right before the
 * commit, in the same round trip. So the change is stored with all of them or not at all.
 */
export class WriteTransaction extends TenantTransaction {
  readonly audit: AuditRecord[] = [];
  readonly notifications: NotificationRecord[] = [];
  readonly jobs: JobRecord[] = [];
  /** Entity tags of the addressed resource before the change; undefined until `expectRepresentation` is called. */
  private currentTags: readonly string[] | undefined;
  private targetExists = true;
  private accessLocked = false;

  constructor(
    context: TenantContext,
    roundTrip: RoundTrip,
    readonly layout: DatabaseLayout,
  ) {
    super(context, roundTrip);
  }

  /** Runs the work of the transaction with the check of {@link expectRepresentation}. */
  async run<T>(work: (tx: WriteTransaction) => Promise<T>): Promise<T> {
    try {
      const result = await work(this);
      this.throwIfStale();
      return result;
    } catch (error) {
      // Order of checks: 412 comes before conflicts (409), and after all other checks of request and stored data.
      if (comesAfterPrecondition(error)) this.throwIfStale();
      throw error;
    }
  }

  /** Adds an audit entry of the caller. The action determines the related ids, and, for most, the type of the subject. */
  record(entry: AuditRecord): void {
    this.audit.push(entry);
  }

  /** Notifies a user, unless the user is the caller. */
  notify<T extends NotificationType>(userId: string, type: T, parameters: NotificationParameters[T]): void {
    if (userId === this.context.actorId) return;
    this.notifications.push({ id: newId(), userId, type, parameters: { ...parameters } });
  }

  /**
   * Queues a job that runs after the commit, and not before `runAt`, a time or milliseconds from now; null: after the
   * waiting jobs of the tenant.
   */
  enqueue<T extends JobTask>(
    task: T,
    payload: JobPayloads[T],
    runAt: Date | number | null = JOBS[task].isFirst ? new Date(0) : null,
    isLong = false,
  ): void {
    const key = jobKey(task, payload, this.tenantId);
    if (this.jobs.some((job) => job.key === key)) return;
    const time =
      typeof runAt === 'number'
        ? { runAt: null, delayMs: runAt }
        : { runAt: runAt && runAt.toISOString(), delayMs: null };
    this.jobs.push({ task, key, payload: { ...payload }, ...time, isLong });
  }

  get actorName(): string {
    return this.context.actorName ?? '';
  }

  /**
   * Registers the caller's representation of the addressed resource, for the comparison with If-Match and
   * If-None-Match. Call it after the resource is locked. The representation is only computed when it is compared.
   *
   * {@link run} throws the 412 at the end of the work, after the checks of the request and of stored data. Call
   * {@link throwIfStale} yourself before an effect outside the database, or when there is nothing else to check.
   *
   * @param target Entity tag of the addressed resource if it is only a part of what is represented; null if it does not
   *   exist. The headers may name both tags.
   */
  async expectRepresentation(
    represent: () => object | Promise<object>,
    target?: { readonly tag: string | null },
  ): Promise<void> {
    const { ifMatch, ifNoneMatch } = this.context.conditions ?? {};
    if (ifMatch === undefined && ifNoneMatch === undefined) return;
    this.currentTags = [entityTag(await represent()), ...(target?.tag ? [target.tag] : [])];
    this.targetExists = target?.tag !== null;
  }

  /** Whether If-Match names none of the registered entity tags, or If-None-Match one of them (RFC 9110, 13.1). */
  get isStale(): boolean {
    const { ifMatch, ifNoneMatch } = this.context.conditions ?? {};
    const { currentTags, targetExists } = this;
    if (currentTags === undefined) return false;
    const names = (header: string, matches: (header: string, tag: string) => boolean) =>
      header.trim() === '*' ? targetExists : currentTags.some((tag) => matches(header, tag));
    return (
      (ifMatch !== undefined && !names(ifMatch, matchesIfMatch)) ||
      (ifNoneMatch !== undefined && names(ifNoneMatch, matchesIfNoneMatch))
    );
  }

  throwIfStale(): void {
    if (this.isStale) throw preconditionFailed(this.context.conditions?.ifMatch ?? '');
  }

  /**
   * Prepares a change of roles, members or grants. It raises the tenant's access version, so that every instance
   * reloads cached rights. The update locks the tenant's row until the commit: such changes run one after another,
   * and rules over several rows (at least one administrator) can be checked without a race.
   *
   * When another change was committed meanwhile, the caller's rights are reloaded and checked. So two members cannot
   * successfully remove each other's rights at the same time.
   */
  async startAccessChange(): Promise<void> {
    if (this.accessLocked) return;
    this.accessLocked = true;
    const { table, tenantId } = this.layout.accessVersions;
    const [row] = await this.query<{ before: number }>(
      `UPDATE ${table} SET access_version = access_version + 1 WHERE ${tenantId} = $1
       RETURNING access_version - 1 AS before`,
      [this.tenantId],
    );
    await this.reloadChangedRights(row?.before);
  }

  /**
   * Prevents changes of roles, members and grants until the commit, for a change that depends on them without changing
   * them. Waits for such changes that are in progress; later ones wait for this transaction.
   *
   * @param isExclusive Whether other transactions with this lock wait, too, for rules over several rows.
   */
  async lockAccess({ isExclusive = false } = {}): Promise<void> {
    const { table, tenantId } = this.layout.accessVersions;
    const [row] = await this.query<{ current: number }>(
      `SELECT access_version AS current FROM ${table} WHERE ${tenantId} = $1
          FOR ${isExclusive ? 'NO KEY UPDATE' : 'SHARE'}`,
      [this.tenantId],
    );
    await this.reloadChangedRights(row?.current);
  }
}

/** Creates the statements that write a transaction's audit entries, notifications and jobs right before its commit. */
export abstract class RecordingStatements {
  abstract of(tx: WriteTransaction): Statement[] | Promise<Statement[]>;
  /** Called after the commit. */
  abstract committed(tx: WriteTransaction): void;
}

function comesAfterPrecondition(error: unknown): boolean {
  return error instanceof Problem
    ? error.status === 409 || error.code === 'permission.escalation'
    : ((error as pg.DatabaseError).code ?? '').startsWith('23');
}
