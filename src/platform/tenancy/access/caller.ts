import { type Permission } from '../../../common/vocabulary/permissions.js';
import {
  type RequestConditions,
  type RunQuery,
  type TenantContext,
} from '../../database/transactions/tenant-context.js';

/** The user as the request's token shows it. */
export interface User {
  readonly id: string;
  readonly email: string | null;
  /** The address that the token of the request vouches for; null without one. */
  readonly verifiedEmail: string | null;
  readonly displayName: string | null;
}

/** What a user is in a tenant, as read at `version`. */
export interface Access {
  readonly tenant: { readonly id: string; readonly slug: string; readonly name: string };
  readonly role: { readonly id: string; readonly key: string | null; readonly name: string };
  readonly permissions: ReadonlySet<string>;
  readonly version: number;
  readonly limits: { readonly perMinute: number | null; readonly burst: number | null };
}

/**
 * Who calls, in which tenant, as what: the actor that services are passed and that transactions run for. Its rights
 * may come from memory; `confirmed` says whether a trip to the database has shown that they still hold.
 */
export class Caller implements TenantContext {
  conditions?: RequestConditions;
  confirmed = false;
  /** Checks the permission of the operation again; set by whoever let the request in. With a query, in a transaction. */
  recheck: (query?: RunQuery) => Promise<void> = () => Promise.resolve();

  constructor(
    readonly user: User,
    private access: Access,
    /** Reads the access anew; with a query, inside the transaction that it belongs to. */
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

  /** Whether the caller holds every one of the given permissions (decisions: no escalation). */
  holdsAll(permissions: Iterable<string>): boolean {
    for (const permission of permissions) if (!this.access.permissions.has(permission)) return false;
    return true;
  }

  confirm(): void {
    this.confirmed = true;
  }

  /** Reads the rights anew and checks the operation's permission again; throws the refusal when it is gone. */
  revalidate(): Promise<void> {
    return this.reloadRights();
  }

  /** The same as a transaction sees it that is under way. */
  async reloadRights(query?: RunQuery): Promise<void> {
    this.access = await this.reload(query);
    this.confirmed = true;
    await this.recheck(query);
  }
}
