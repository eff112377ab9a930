import { type AuditAction } from '../../../common/vocabulary/audit.js';
import { type Permission } from '../../../common/vocabulary/permissions.js';
import {
  type RequestConditions,
  type RunQuery,
  type TenantContext,
} from '../../database/transactions/tenant-context.js';
import { type Bind } from '../../database/sql-parameters.js';
import { type Viewer, grantTo } from './viewer.js';

/** The user of the request's token. */
export interface User {
  readonly id: string;
  /** E-mail address, verified or not. */
  readonly email: string | null;
  /** The same address if the token says that it is verified; null otherwise. */
  readonly verifiedEmail: string | null;
  readonly displayName: string | null;
}

/** Role and permissions of a user in a tenant. */
export interface Access {
  readonly tenant: { readonly id: string; readonly slug: string; readonly name: string };
  readonly role: { readonly id: string; readonly key: string | null; readonly name: string };
  readonly permissions: ReadonlySet<string>;
  /** The tenant's access version when the role and the permissions were read. */
  readonly version: number;
  /** The tenant's rate limit; null for the default. */
  readonly limits: { readonly perMinute: number | null; readonly burst: number | null };
  /** Types of events of each active webhook of the tenant; an empty list for all types. */
  readonly webhookTypes: readonly (readonly AuditAction[])[];
}

/** Number of deliveries to webhooks that cost as much of the rate limit as one request. */
const DELIVERIES_PER_REQUEST = 10;

/**
 * The user of a request with role and permissions in the tenant. It is passed to services and transactions. The role
 * and the permissions may come from the cache.
 */
export class Caller implements TenantContext, Viewer {
  readonly grants = 'access_grants';
  conditions?: RequestConditions;
  /** Whether the database has shown that the role and the permissions are current. */
  confirmed = false;
  /** Checks the permission for the operation again. Set by PermissionGuard. With `query`, reads in that transaction. */
  recheckPermission: (query?: RunQuery) => Promise<void> = () => Promise.resolve();
  /** These charge what the request has read, and how long that took. Set by TenantGuard. */
  countRead: (bytes: number) => void = () => undefined;
  countReadTime: (milliseconds: number) => void = () => undefined;
  /** Charges work already done to the caller's rate limit. Set by TenantGuard. */
  debit: (cost: number) => void = () => undefined;

  constructor(
    readonly user: User,
    private access: Access,
    /** Reads role and permissions from the database. With `query`, reads in that transaction. */
    private readonly loadAccess: (query?: RunQuery) => Promise<Access>,
  ) {}

  get tenantId(): string {
    return this.access.tenant.id;
  }

  get tenant(): Access['tenant'] {
    return this.access.tenant;
  }

  get role(): Access['role'] {
    return this.access.role;
  }

  get permissions(): ReadonlySet<string> {
    return this.access.permissions;
  }

  get limits(): Access['limits'] {
    return this.access.limits;
  }

  get accessVersion(): number {
    return this.access.version;
  }

  get actorId(): string {
    return this.user.id;
  }

  get actorName(): string | null {
    return this.user.displayName ?? this.user.email;
  }

  has(permission: Permission): boolean {
    return this.access.permissions.has(permission);
  }

  tenantSql(bind: Bind): string {
    return bind(this.tenantId);
  }

  userSql(bind: Bind): string {
    return bind(this.user.id);
  }

  hasSql(permission: Permission): string {
    return String(this.has(permission));
  }

  holdsSql(bind: Bind): string {
    return grantTo(bind(this.user.id), bind(this.role.id));
  }

  /** The price of a change grows with the number of webhooks that get its events. */
  recorded(actions: readonly AuditAction[]): void {
    const { webhookTypes } = this.access;
    if (webhookTypes.length === 0) return;
    const gets = (types: readonly AuditAction[]) =>
      types.length === 0 ? actions.length : actions.filter((action) => types.includes(action)).length;
    const deliveries = webhookTypes.reduce((sum, types) => sum + gets(types), 0);
    if (deliveries > 0) this.debit(deliveries / DELIVERIES_PER_REQUEST);
  }

  confirm(): void {
    this.confirmed = true;
  }

  async revalidate(query?: RunQuery): Promise<void> {
    this.access = await this.loadAccess(query);
    this.confirmed = true;
    await this.recheckPermission(query);
  }
}
