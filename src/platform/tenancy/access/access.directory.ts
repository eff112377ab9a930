import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { emailKey } from '../../../common/email-address.js';
import { NIL_ID } from '../../../common/identifier.js';
import { Problem } from '../../../common/problem.js';
import { type RunQuery, type TenantContext } from '../../database/transactions/tenant-context.js';
import { UnitOfWork } from '../../database/transactions/unit-of-work.js';
import { type Permission } from '../../../common/vocabulary/permissions.js';
import { type Access, Caller, type User } from './caller.js';
import { isSlug } from '../tenants/slug.js';

interface TenantRow {
  id: string;
  name: string;
  slug: string;
  isCurrent: boolean;
  accessVersion: number;
  perMinute: number | null;
  burst: number | null;
}

interface MembershipRow {
  accessVersion: number;
  roleId: string;
  roleKey: string | null;
  roleName: string;
  permissions: Permission[];
  /** Whether the member has called this tenant before. */
  hasCalled: boolean;
}

/** The version is read in the same statement as what it vouches for. */
const MEMBERSHIP = `SELECT t.access_version AS "accessVersion", r.id AS "roleId", r.key AS "roleKey",
                           r.name AS "roleName", r.permissions, m.first_called_at IS NOT NULL AS "hasCalled"
                      FROM tenants t
                      JOIN members m ON m.tenant_id = t.id AND m.user_id = $2
                      JOIN roles r ON r.tenant_id = m.tenant_id AND r.id = m.role_id
                     WHERE t.id = $1 AND m.tenant_id = $1 AND r.tenant_id = $1`;

/**
 * Who is what in which tenant. Answers come from memory where they can; each carries the tenant's access version,
 * which the caller's first trip to the database compares (see UnitOfWork), so that no right answers once it is gone.
 */
@Injectable()
export class AccessDirectory {
  private readonly remembered = new LRUCache<string, Access>({ max: 20_000 });

  constructor(
    private readonly dataSource: DataSource,
    private readonly uow: UnitOfWork,
  ) {}

  /** The caller from memory, or undefined. */
  recall(user: User, slug: string): Caller | undefined {
    const access = this.remembered.get(`${user.id} ${slug}`);
    return access && this.caller(user, slug, access);
  }

  /** Reads what the user is in the tenant; throws `tenant.no-access` alike for no tenant and no membership. */
  async enter(user: User, slug: string): Promise<Caller> {
    const caller = this.caller(user, slug, await this.load(user, slug));
    caller.confirm();
    return caller;
  }

  /** The tenant that a slug leads to now; the nil UUID, which no tenant has, for a slug that leads nowhere. */
  async tenantId(slug: string): Promise<string> {
    const tenant = isSlug(slug) ? await this.findTenant(slug) : null;
    return tenant?.id ?? NIL_ID;
  }

  private caller(user: User, slug: string, access: Access): Caller {
    return new Caller(user, access, (query) =>
      query ? this.loadWithin(query, user, access) : this.load(user, slug),
    );
  }

  private async load(user: User, slug: string, admit = true): Promise<Access> {
    const key = `${user.id} ${slug}`;
    const tenant = isSlug(slug) ? await this.findTenant(slug) : null;
    // Without a tenant the same is asked: how long the refusal takes must not tell whether there is one.
    const tenantId = tenant?.id ?? NIL_ID;
    const membership = await this.findMembership(user, tenantId);
    if (!membership && admit && (await this.admitExpected(user, tenantId)))
      return this.load(user, slug, false);
    if (!tenant || !membership) {
      this.remembered.delete(key);
      throw new Problem('tenant.no-access');
    }
    if (!membership.hasCalled) await this.noteFirstCall(user, tenantId);
    const access: Access = {
      tenant: { id: tenant.id, slug: tenant.slug, name: tenant.name },
      limits: { perMinute: tenant.perMinute, burst: tenant.burst },
      ...rightsOf(membership),
      // Where something changed between the two look-ups, what they say together may never have been true: under the
      // older version, the first trip to the database has it read anew.
      version: Math.min(tenant.accessVersion, membership.accessVersion),
    };
    // A former slug stops resolving at a moment that raises no version, so it is looked up each time.
    if (tenant.isCurrent) this.remembered.set(key, access);
    else this.remembered.delete(key);
    return access;
  }

  /**
   * Nothing is remembered of it, for the transaction may yet fail. Where the slug leads is not asked again: `load` has,
   * for this request, or for an access that held until the transaction began.
   */
  private async loadWithin(query: RunQuery, user: User, { tenant, limits }: Access): Promise<Access> {
    const [membership] = await query<MembershipRow>(MEMBERSHIP, [tenant.id, user.id]);
    if (!membership) throw new Problem('tenant.no-access');
    return { tenant, limits, ...rightsOf(membership) };
  }

  private async findTenant(slug: string): Promise<TenantRow | null> {
    const [tenant] = await this.dataSource.query<TenantRow[]>(
      `SELECT t.id, t.name, current.slug, s.expires_at IS NULL AS "isCurrent", t.access_version AS "accessVersion",
              t.rate_limit_per_minute AS "perMinute", t.rate_limit_burst AS "burst"
         FROM tenant_slugs s
         JOIN tenants t ON t.id = s.tenant_id
         JOIN tenant_slugs current ON current.tenant_id = t.id AND current.expires_at IS NULL
        WHERE s.slug = $1 AND (s.expires_at IS NULL OR s.expires_at > now())`,
      [slug],
    );
    return tenant ?? null;
  }

  private async findMembership(user: User, tenantId: string): Promise<MembershipRow | null> {
    const [row] = await this.uow.read(serviceContext(tenantId), (tx) =>
      tx.query<MembershipRow>(MEMBERSHIP, [tenantId, user.id]),
    );
    return row ?? null;
  }

  /** Once for each membership: what is remembered is of a member who has called. */
  private async noteFirstCall(user: User, tenantId: string): Promise<void> {
    await this.uow.write(serviceContext(tenantId), (tx) =>
      tx.query(
        `UPDATE members SET first_called_at = now()
          WHERE tenant_id = $1 AND user_id = $2 AND first_called_at IS NULL`,
        [tenantId, user.id],
      ),
    );
  }

  /**
   * Makes a member of somebody who was named when the tenant was made, at first sight of the verified address. True
   * also where another request of theirs has just done so.
   */
  private async admitExpected(user: User, tenantId: string): Promise<boolean> {
    if (user.verifiedEmail === null) return false;
    const actor: TenantContext = {
      ...serviceContext(tenantId),
      actorId: user.id,
      actorName: user.displayName ?? user.verifiedEmail,
    };
    const key = emailKey(user.verifiedEmail);
    return this.uow.write(actor, async (tx) => {
      // The second statement sees what the first had to wait for.
      const [[expected], [member]] = (await tx.queryAll([
        {
          text: `DELETE FROM expected_members e USING roles r
                  WHERE e.tenant_id = $1 AND e.email_key = $2 AND r.tenant_id = $1 AND r.id = e.role_id
                  RETURNING r.id AS "roleId", r.name AS "roleName"`,
          values: [tenantId, key],
        },
        {
          text: 'SELECT user_id FROM members WHERE tenant_id = $1 AND user_id = $2',
          values: [tenantId, user.id],
        },
      ])) as [{ roleId: string; roleName: string }[], object[]];
      if (!expected || member) return member !== undefined;
      await tx.changeAccess();
      const added = await tx.query(
        `INSERT INTO members (tenant_id, user_id, role_id, first_called_at) VALUES ($1, $2, $3, now())
         ON CONFLICT (tenant_id, user_id) DO NOTHING RETURNING user_id`,
        [tenantId, user.id, expected.roleId],
      );
      const summary = `${actor.actorName}: ${expected.roleName}`;
      if (added.length > 0) tx.record({ action: 'MemberAdded', subjectId: user.id, summary });
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
