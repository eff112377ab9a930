import { type Permission } from '../../../common/vocabulary/permissions.js';
import {
  type RequestConditions,
  type RunQuery,
  type TenantContext,
} from '../../database/transactions/tenant-context.js';

/** The user of the request's token. */
export interface User {
  readonly id: string;
  readonly email: string | null;
  /** Verified e-mail address in the request's token; null without one. */
  readonly verifiedEmail: string | null;
  readonly displayName: string | null;
}

/** Role and permissions of a user in a tenant, as read at the access version `version`. */
export interface Access {
  readonly tenant: { readonly id: string; readonly slug: string; readonly name: string };
  readonly role: { readonly id: string; readonly key: string | null; readonly name: string };
  readonly permissions: ReadonlySet<string>;
  readonly version: number;
  readonly limits: { readonly perMinute: number | null; readonly burst: number | null };
}

/**
 * The user of a request with role and permissions in the tenant. Services receive it, and transactions run for it.
 * Its rights may come from the cache; `confirmed` is true after a round trip to the database has shown that they are
 * current.
 */
export class Caller implements TenantContext {
  conditions?: RequestConditions;
  confirmed = false;
  /** Checks the operation's permission again; set by the guard. With `query`, inside that transaction. */
  recheck: (query?: RunQuery) => Promise<void> = () => Promise.resolve();

  constructor(
    readonly user: User,
    private access: Access,
    /** Reads the access again; with `query`, inside that transaction. */
    private readonly reload: (query?: RunQuery) => Promise<Access>,
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

  holdsAll(permissions: Iterable<string>): boolean {
    for (const permission of permissions) if (!this.access.permissions.has(permission)) return false;
    return true;
  }

  confirm(): void {
    this.confirmed = true;
  }

  revalidate(): Promise<void> {
    return this.reloadRights();
  }

  async reloadRights(query?: RunQuery): Promise<void> {
    this.access = await this.reload(query);
    this.confirmed = true;
    await this.recheck(query);
  }
}
