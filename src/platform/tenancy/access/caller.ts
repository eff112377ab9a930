import { type Permission } from '../../../common/vocabulary/permissions.js';
import {
  type RequestConditions,
  type RunQuery,
  type TenantContext,
} from '../../database/transactions/tenant-context.js';

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
}

/**
 * The user of a request with role and permissions in the tenant. It is passed to services and transactions. The role
 * and the permissions may come from the cache.
 */
export class Caller implements TenantContext {
  conditions?: RequestConditions;
  /** Whether the database has shown that the role and the permissions are current. */
  confirmed = false;
  /** Checks the permission for the operation again. Set by PermissionGuard. With `query`, reads in that transaction. */
  recheckPermission: (query?: RunQuery) => Promise<void> = () => Promise.resolve();
  /** Charges what the request has read. Set by TenantGuard. */
  countRead: (bytes: number) => void = () => undefined;

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

  hasAll(permissions: Iterable<string>): boolean {
    for (const permission of permissions) if (!this.access.permissions.has(permission)) return false;
    return true;
  }

  confirm(): void {
    this.confirmed = true;
  }

  async revalidate(query?: RunQuery): Promise<void> {
    this.access = await this.loadAccess(query);
    this.confirmed = true;
    await this.recheckPermission(query);
  }

  revalidateInTransaction(query: RunQuery): Promise<void> {
    return this.revalidate(query);
  }
}
