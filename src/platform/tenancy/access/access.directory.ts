import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { emailKey } from '../../../common/email-address.js';
import { NIL_ID } from '../../../common/identifier.js';
import { Problem } from '../../../common/problem.js';
import { type RunQuery, type TenantContext } from '../../database/transactions/tenant-context.js';
import { type TenantTransaction } from '../../database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../database/transactions/unit-of-work.js';
import { isSlug } from '../tenants/slug.js';
import { AccessRepository, type MembershipRow } from './access.repository.js';
import { type Access, Caller, type User } from './caller.js';

/**
 * Finds the caller's membership, role and permissions in a tenant. Cached results have the tenant's access version,
 * which the caller's first round trip to the database compares (see UnitOfWork). So rights that were removed have no
 * effect.
 */
@Injectable()
export class AccessDirectory {
  private readonly cache = new LRUCache<string, Access>({ max: 20_000 });

  constructor(
    private readonly access: AccessRepository,
    private readonly uow: UnitOfWork,
  ) {}

  cachedCaller(user: User, slug: string): Caller | undefined {
    const access = this.cache.get(`${user.id} ${slug}`);
    return access && this.caller(user, slug, access);
  }

  /**
   * Throws `tenant.no-access` for an unknown tenant as well as without membership, and `tenant.suspended` for a member of
   * a suspended tenant.
   */
  async findCaller(user: User, slug: string): Promise<Caller> {
    const caller = this.caller(user, slug, await this.load(user, slug));
    caller.confirm();
    return caller;
  }

  /**
   * The members among these callers of one tenant, by the id of their user, with their current rights; none while the
   * tenant is suspended. One query.
   */
  async currentCallers(tx: TenantTransaction, callers: Iterable<Caller>): Promise<Map<string, Caller>> {
    const known = new Map([...callers].map((caller) => [caller.user.id, caller]));
    const run: RunQuery = (text, values) => tx.query(text, values);
    const rows = await this.access.findMemberships(run, tx.tenantId, [...known.keys()]);
    return new Map(
      rows.flatMap((row) => {
        const caller = known.get(row.userId);
        return caller && !row.isSuspended ? [[row.userId, this.withRights(caller, row)] as const] : [];
      }),
    );
  }

  private withRights(caller: Caller, row: MembershipRow): Caller {
    if (caller.accessVersion === row.accessVersion) return caller;
    const { user, tenant, limits } = caller;
    return this.caller(user, tenant.slug, { tenant, limits, ...rightsOf(row) });
  }

  /**
   * A member with the current role and permissions, for work that is not a request of the member. Null when the user is
   * not a member.
   */
  async findMember(tx: TenantTransaction, userId: string): Promise<Caller | null> {
    const query: RunQuery = (text, values) => tx.query(text, values);
    const membership = await this.access.findMembership(query, tx.tenantId, userId);
    if (!membership) return null;
    const user: User = { id: userId, email: null, verifiedEmail: null, displayName: null };
    const access: Access = {
      tenant: { id: tx.tenantId, slug: '', name: '' },
      limits: { perMinute: null, burst: null },
      ...rightsOf(membership),
    };
    return new Caller(user, access, (run = query) => this.loadInTransaction(run, user, access));
  }

  /** Id of the tenant with this slug; the nil UUID, which no tenant has, if the slug is unknown or the tenant suspended. */
  async tenantId(slug: string): Promise<string> {
    const tenant = isSlug(slug) ? await this.access.findTenant(slug) : null;
    return tenant && !tenant.isSuspended ? tenant.id : NIL_ID;
  }

  private caller(user: User, slug: string, access: Access): Caller {
    return new Caller(user, access, (query) =>
      query ? this.loadInTransaction(query, user, access) : this.load(user, slug),
    );
  }

  private async load(user: User, slug: string, admit = true): Promise<Access> {
    const key = `${user.id} ${slug}`;
    let tenant = isSlug(slug) ? await this.access.findTenant(slug) : null;
    // The same query also runs without a tenant, so that the response time does not reveal whether it exists.
    const tenantId = tenant?.id ?? NIL_ID;
    const context = serviceContext(tenantId);
    const membership = await this.uow.read(context, (tx) =>
      this.access.findMembership((text, values) => tx.query(text, values), tenantId, user.id),
    );
    if (!membership && admit && !tenant?.isSuspended && (await this.addExpectedMember(user, tenantId)))
      return this.load(user, slug, false);
    if (!tenant || !membership) {
      this.cache.delete(key);
      throw new Problem('tenant.no-access');
    }
    if (membership.isSuspended) {
      this.cache.delete(key);
      throw new Problem('tenant.suspended');
    }
    if (!membership.hasCalled) {
      // Once for each membership: cached callers have already called.
      await this.uow.write(context, (tx) => this.access.recordFirstCall(tx, user.id));
    }
    // The two queries may see different states. With the older version, the first round trip detects that, and the rights
    // are read again. A distributed database has only one version, so the tenant is read again after it.
    let version = Math.min(tenant.accessVersion, membership.accessVersion);
    if (this.uow.layout.isDistributed) {
      tenant = await this.access.findTenant(slug);
      if (tenant?.id !== tenantId) return this.load(user, slug, admit);
      version = membership.accessVersion;
    }
    const access: Access = {
      tenant: { id: tenant.id, slug: tenant.slug, name: tenant.name },
      limits: { perMinute: tenant.perMinute, burst: tenant.burst },
      ...rightsOf(membership),
      version,
    };
    // Not cached for a former slug, because its expiry does not raise the access version.
    if (tenant.isCurrent) this.cache.set(key, access);
    else this.cache.delete(key);
    return access;
  }

  /**
   * Reads the rights inside a transaction. They are not cached, because the transaction may still fail. The slug is not
   * looked up again, because `load` has done that.
   */
  private async loadInTransaction(query: RunQuery, user: User, { tenant, limits }: Access): Promise<Access> {
    const membership = await this.access.findMembership(query, tenant.id, user.id);
    if (!membership) throw new Problem('tenant.no-access');
    if (membership.isSuspended) throw new Problem('tenant.suspended');
    return { tenant, limits, ...rightsOf(membership) };
  }

  /**
   * Adds an expected member to the tenant, if the user has such a verified address. Also true when a concurrent request
   * of the user has just done that.
   */
  private async addExpectedMember(user: User, tenantId: string): Promise<boolean> {
    if (user.verifiedEmail === null) return false;
    const actor: TenantContext = {
      ...serviceContext(tenantId),
      actorId: user.id,
      actorName: user.displayName ?? user.verifiedEmail,
    };
    const key = emailKey(user.verifiedEmail);
    return this.uow.write(actor, async (tx) => {
      const { role, isMember } = await this.access.takeExpectedMember(tx, key, user.id);
      if (!role || isMember) return isMember;
      await tx.startAccessChange();
      const isAdded = await this.access.addMember(tx, user.id, role.id);
      const summary = `${actor.actorName}: ${role.name}`;
      if (isAdded)
        tx.record({ action: 'MemberAdded', subjectId: user.id, summary, related: { roleId: role.id } });
      return true;
    });
  }
}

function rightsOf(
  membership: MembershipRow,
): Pick<Access, 'role' | 'permissions' | 'version' | 'webhookTypes'> {
  const { roleId, roleKey, roleName, permissions, accessVersion, webhookTypes } = membership;
  return {
    role: { id: roleId, key: roleKey, name: roleName },
    permissions: new Set(permissions),
    version: accessVersion,
    webhookTypes,
  };
}

/** Context for the service's own work in a tenant, without a caller and rights. */
export function serviceContext(tenantId: string): TenantContext {
  return { tenantId, actorId: null, actorName: null, accessVersion: null };
}
