import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { emailKey } from '../../../common/email-address.js';
import { NIL_ID } from '../../../common/identifier.js';
import { Problem } from '../../../common/problem.js';
import { type RunQuery, type TenantContext } from '../../database/transactions/tenant-context.js';
import { UnitOfWork } from '../../database/transactions/unit-of-work.js';
import { isSlug } from '../tenants/slug.js';
import { AccessRepository, type MembershipRow } from './access.repository.js';
import { type Access, Caller, type User } from './caller.js';

/**
 * Who is what in which tenant. Answers come from memory where they can; each carries the tenant's access version,
 * which the caller's first trip to the database compares (see UnitOfWork), so that no right answers once it is gone.
 */
@Injectable()
export class AccessDirectory {
  private readonly cache = new LRUCache<string, Access>({ max: 20_000 });

  constructor(
    private readonly access: AccessRepository,
    private readonly uow: UnitOfWork,
  ) {}

  /** The caller from memory, or undefined. */
  cachedCaller(user: User, slug: string): Caller | undefined {
    const access = this.cache.get(`${user.id} ${slug}`);
    return access && this.caller(user, slug, access);
  }

  /** Reads what the user is in the tenant; throws `tenant.no-access` alike for no tenant and no membership. */
  async findCaller(user: User, slug: string): Promise<Caller> {
    const caller = this.caller(user, slug, await this.load(user, slug));
    caller.confirm();
    return caller;
  }

  /** The tenant that a slug leads to now; the nil UUID, which no tenant has, for a slug that leads nowhere. */
  async tenantId(slug: string): Promise<string> {
    const tenant = isSlug(slug) ? await this.access.findTenant(slug) : null;
    return tenant?.id ?? NIL_ID;
  }

  private caller(user: User, slug: string, access: Access): Caller {
    return new Caller(user, access, (query) =>
      query ? this.loadInTransaction(query, user, access) : this.load(user, slug),
    );
  }

  private async load(user: User, slug: string, admit = true): Promise<Access> {
    const key = `${user.id} ${slug}`;
    const tenant = isSlug(slug) ? await this.access.findTenant(slug) : null;
    // Without a tenant the same is asked: how long the refusal takes must not tell whether there is one.
    const tenantId = tenant?.id ?? NIL_ID;
    const context = serviceContext(tenantId);
    const membership = await this.uow.read(context, (tx) =>
      this.access.findMembership((text, values) => tx.query(text, values), tenantId, user.id),
    );
    if (!membership && admit && (await this.addExpectedMember(user, tenantId)))
      return this.load(user, slug, false);
    if (!tenant || !membership) {
      this.cache.delete(key);
      throw new Problem('tenant.no-access');
    }
    if (!membership.hasCalled) {
      // Once for each membership: what is remembered is of a member who has called.
      await this.uow.write(context, (tx) => this.access.recordFirstCall(tx, user.id));
    }
    const access: Access = {
      tenant: { id: tenant.id, slug: tenant.slug, name: tenant.name },
      limits: { perMinute: tenant.perMinute, burst: tenant.burst },
      ...rightsOf(membership),
      // Where something changed between the two look-ups, what they say together may never have been true: under the
      // older version, the first trip to the database has it read anew.
      version: Math.min(tenant.accessVersion, membership.accessVersion),
    };
    // A former slug stops resolving at a moment that raises no version, so it is looked up each time.
    if (tenant.isCurrent) this.cache.set(key, access);
    else this.cache.delete(key);
    return access;
  }

  /**
   * Nothing is remembered of it, for the transaction may yet fail. Where the slug leads is not asked again: `load` has,
   * for this request, or for an access that held until the transaction began.
   */
  private async loadInTransaction(query: RunQuery, user: User, { tenant, limits }: Access): Promise<Access> {
    const membership = await this.access.findMembership(query, tenant.id, user.id);
    if (!membership) throw new Problem('tenant.no-access');
    return { tenant, limits, ...rightsOf(membership) };
  }

  /**
   * Makes a member of somebody who was named when the tenant was made, at first sight of the verified address. True
   * also where another request of theirs has just done so.
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
      if (isAdded) tx.record({ action: 'MemberAdded', subjectId: user.id, summary });
      return true;
    });
  }
}

function rightsOf(membership: MembershipRow): Pick<Access, 'role' | 'permissions' | 'version'> {
  const { roleId, roleKey, roleName, permissions, accessVersion } = membership;
  return {
    role: { id: roleId, key: roleKey, name: roleName },
    permissions: new Set(permissions),
    version: accessVersion,
  };
}

/** The service's own work in a tenant: nobody's rights are involved. */
export function serviceContext(tenantId: string): TenantContext {
  return { tenantId, actorId: null, actorName: null, accessVersion: null };
}
