import type pg from 'pg';
import { matchesIfMatch } from '../../../common/entity-tag.js';
import {
  type NotificationParameters,
  type NotificationType,
} from '../../../common/messages/notifications.js';
import { Problem } from '../../../common/problem.js';
import { type AuditAction } from '../../../common/vocabulary/audit.js';
import { type JobPayloads, type JobTask, jobKey } from '../../../common/vocabulary/jobs.js';
import { type Row, type Statement, TenantBatch } from './tenant-batch.js';
import { type TenantContext } from './tenant-context.js';

/** One change as the audit log tells it. */
export interface AuditRecord {
  readonly action: AuditAction;
  readonly subjectId: string;
  readonly summary: string | null;
  /** Of a download: which version of the content. */
  readonly contentVersion?: number;
}

/** One notification for one user. */
interface NotificationRecord {
  readonly userId: string;
  readonly type: NotificationType;
  readonly parameters: Record<string, string>;
}

/** Work to be done once the transaction has committed. */
export interface JobRecord {
  readonly task: JobTask;
  /** One job of a key waits at a time. */
  readonly key: string;
  readonly payload: Readonly<Record<string, string | number>>;
}

export type QueryOptions = Pick<Statement, 'planEachTime'>;

/** What the database work of one tenant goes through. It exists only for a tenant, so forgetting one does not compile. */
export interface TenantTransaction {
  readonly context: TenantContext;
  readonly tenantId: string;
  query<R extends object = Row>(
    text: string,
    values?: readonly unknown[],
    options?: QueryOptions,
  ): Promise<R[]>;
  /** Several statements in one round trip. */
  queryAll(statements: readonly Statement[]): Promise<Row[][]>;
}

export function runBatch(
  client: pg.ClientBase,
  statements: readonly Statement[],
  types: pg.CustomTypesConfig,
): Promise<Row[][]> {
  return client.query(new TenantBatch(statements, types)).done;
}

/**
 * A transaction that changes something. What it records is written right before the commit, in the same round trip:
 * the change, its audit entries and its notifications are there all or none.
 */
export class WriteTransaction implements TenantTransaction {
  readonly audit: AuditRecord[] = [];
  readonly notifications: NotificationRecord[] = [];
  readonly jobs: JobRecord[] = [];
  /** Entity tags of the addressed resource as the transaction found it; undefined while nothing compared them. */
  private currentTags: readonly string[] | undefined;
  private accessLocked = false;

  constructor(
    readonly context: TenantContext,
    private readonly client: pg.ClientBase,
    private readonly types: pg.CustomTypesConfig,
    private readonly tagOf: (representation: object) => string,
  ) {}

  get tenantId(): string {
    return this.context.tenantId;
  }

  async query<R extends object = Row>(
    text: string,
    values: readonly unknown[] = [],
    options?: QueryOptions,
  ): Promise<R[]> {
    const [rows] = await this.queryAll([{ text, values, ...options }]);
    return rows as R[];
  }

  queryAll(statements: readonly Statement[]): Promise<Row[][]> {
    return runBatch(this.client, statements, this.types);
  }

  /** Adds an entry to the audit log, by the caller, about the subject that the action's vocabulary names. */
  record(entry: AuditRecord): void {
    this.audit.push(entry);
  }

  /** Tells a user; nobody is told of what they did themselves. */
  notify<T extends NotificationType>(userId: string, type: T, parameters: NotificationParameters[T]): void {
    if (userId === this.context.actorId) return;
    this.notifications.push({ userId, type, parameters: { ...parameters } });
  }

  /** Has work done after the commit, and only then; see JobPayloads. */
  enqueue<T extends JobTask>(task: T, payload: JobPayloads[T]): void {
    const key = jobKey(task, payload);
    if (!this.jobs.some((job) => job.key === key)) this.jobs.push({ task, key, payload: { ...payload } });
  }

  /** Name of the caller as notifications show it. */
  get actorName(): string {
    return this.context.actorName ?? '';
  }

  /**
   * Says what the addressed resource, locked by now, looks like to the caller, so that the unit of work can hold a
   * sent If-Match against it. The representation is only made when there is something to compare.
   *
   * The unit of work refuses a stale one at the end, after whatever the request or stored data refuse; whoever reaches
   * beyond the database, or has nothing more to check, refuses it before (see {@link throwIfStale}).
   *
   * @param others entity tags of the resource that are as good as that of its representation
   */
  async expectRepresentation(
    represent: () => object | Promise<object>,
    ...others: readonly string[]
  ): Promise<void> {
    if (this.context.conditions?.ifMatch === undefined) return;
    this.currentTags = [this.tagOf(await represent()), ...others];
  }

  /** Whether the client sent an If-Match that names none of the entity tags. */
  get isStale(): boolean {
    const { ifMatch } = this.context.conditions ?? {};
    return (
      ifMatch !== undefined &&
      this.currentTags !== undefined &&
      !this.currentTags.some((tag) => matchesIfMatch(ifMatch, tag))
    );
  }

  throwIfStale(): void {
    if (this.isStale) throw new Problem('request.precondition-failed');
  }

  /**
   * Takes the tenant's turn to change who may do what: raises the access version, which makes every instance read
   * remembered rights anew, and holds the tenant's row until the commit, which makes such changes wait for each
   * other, so that rules over several rows ("one administrator stays") can be checked without a race. Where the wait
   * was for a change of what the caller may do, their rights are read anew: two who take each other's rights away at
   * the same time do not both succeed.
   */
  async startAccessChange(): Promise<void> {
    if (this.accessLocked) return;
    this.accessLocked = true;
    const [row] = await this.query<{ before: number }>(
      'UPDATE tenants SET access_version = access_version + 1 WHERE id = $1 RETURNING access_version - 1 AS before',
      [this.tenantId],
    );
    await this.reloadChangedRights(row?.before);
  }

  /**
   * Keeps roles and members as they are until the commit, for a change that rests on them without changing them: it
   * waits for changes of access that are under way, and later ones wait for it.
   */
  async lockAccess(): Promise<void> {
    const [row] = await this.query<{ current: number }>(
      'SELECT access_version AS current FROM tenants WHERE id = $1 FOR SHARE',
      [this.tenantId],
    );
    await this.reloadChangedRights(row?.current);
  }

  /** Given the access version that the tenant's row had when it was locked. */
  private async reloadChangedRights(found: number | undefined): Promise<void> {
    const { accessVersion } = this.context;
    if (accessVersion === null || found === accessVersion) return;
    await this.context.reloadRights?.((text, values) => this.query(text, values));
  }
}
