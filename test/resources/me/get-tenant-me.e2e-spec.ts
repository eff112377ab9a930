import { beforeEach, describe, expect, it } from '@jest/globals';
import { ALL_PERMISSIONS } from '../../../src/common/vocabulary/permissions.js';
import { BUILT_IN_ROLES } from '../../../src/common/vocabulary/built-in-roles.js';
import { setMemberRole, saveRole } from '../../factories/roles.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { service } from '../../support/service/shared-service.js';
import { TestTenant } from '../../support/tenant.js';

interface TenantMe {
  user: object;
  tenant: { slug: string };
  role: { id: string };
  permissions: string[];
}

describe('GetTenantMe', () => {
  let tenant: TestTenant;
  let alice: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    alice = await tenant.as('auditor', 'Alice');
  });

  const me = async (actor = alice): Promise<TenantMe> => {
    const response = await actor.get('/me');
    expect(response.status).toBe(200);
    return response.body as TenantMe;
  };

  it('returns 200 with user, tenant, role and permissions of the caller', async () => {
    const response = await alice.get('/me').expect(200);
    expect(response.body).toEqual({
      user: { id: alice.userId, email: alice.email, displayName: 'Alice' },
      tenant: { id: tenant.id, slug: tenant.slug, name: `Tenant ${tenant.slug}` },
      role: { id: await tenant.roleId('auditor'), key: 'auditor', name: 'Auditor' },
      permissions: ['accessGrants.read', 'auditLog.read', 'members.read', 'roles.read'].sort(
        (a, b) => ALL_PERMISSIONS.indexOf(a as never) - ALL_PERMISSIONS.indexOf(b as never),
      ),
    });
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it.each(BUILT_IN_ROLES.map(({ key, permissions }) => [key, permissions] as const))(
    'returns 200 with the permissions of the role %s in the order of the vocabulary',
    async (key, permissions) => {
      const granted = new Set<string>(permissions);
      expect((await me(await tenant.as(key))).permissions).toEqual(
        ALL_PERMISSIONS.filter((permission) => granted.has(permission)),
      );
    },
  );

  it('returns 200 with an empty list and a null key for a custom role without permissions', async () => {
    const { id, name } = await saveRole(tenant, [], 'Zuschauer');
    const member = await tenant.as('guest');
    await setMemberRole(tenant, member, id);
    const { role, permissions } = await me(member);
    expect([role, permissions]).toEqual([{ id, key: null, name }, []]);
  });

  it('returns 200 with null for an unknown address and name', async () => {
    await service.query(
      'UPDATE users SET email = NULL, email_key = NULL, display_name = NULL WHERE id = $1',
      [alice.userId],
    );
    const token = await service.issuer.token({ sub: alice.subject });
    expect((await me(alice.withToken(token))).user).toEqual({
      id: alice.userId,
      email: null,
      displayName: null,
    });
  });

  it('returns 200 with name and address of the newest token, even for an older one', async () => {
    await me();
    const claims = {
      sub: alice.subject,
      email: 'new@people.example',
      email_verified: true,
      name: 'Alice Arnold',
    };
    const renamed = alice.withToken(await service.issuer.token(claims));
    const user = { id: alice.userId, email: 'new@people.example', displayName: 'Alice Arnold' };
    expect((await me(renamed)).user).toEqual(user);
    expect((await me()).user).toEqual(user);
  });

  it('returns 200 with a changed role and a changed tenant name immediately', async () => {
    await me();
    await tenant.query(
      'UPDATE members SET role_id = $3 WHERE tenant_id = $1 AND user_id = $2',
      alice.userId,
      await tenant.roleId('viewer'),
    );
    await tenant.query(`UPDATE tenants SET name = 'Neu' WHERE id = $1`);
    await tenant.increaseAccessVersion();
    expect(await me()).toMatchObject({ tenant: { name: 'Neu' }, role: { key: 'viewer', name: 'Viewer' } });
  });

  it('returns 200 with the current slug for a former one, and 404 once that has expired', async () => {
    const former = tenant.slug;
    const current = `${former}-new`;
    await me();
    await tenant.query(
      `UPDATE tenant_slugs SET expires_at = now() + interval '90 days' WHERE tenant_id = $1 AND slug = $2`,
      former,
    );
    await service.query('INSERT INTO tenant_slugs (slug, tenant_id) VALUES ($1, $2)', [current, tenant.id]);
    await tenant.increaseAccessVersion();
    expect((await me()).tenant.slug).toBe(current);
    expect((await me(alice.inTenant(new TestTenant(service, tenant.id, current)))).tenant.slug).toBe(current);
    await service.query(`UPDATE tenant_slugs SET expires_at = now() - interval '1 second' WHERE slug = $1`, [
      former,
    ]);
    expectProblem(await alice.get('/me'), 'resource.not-found');
    expect((await me(alice.inTenant(new TestTenant(service, tenant.id, current)))).tenant.slug).toBe(current);
  });

  it('returns 200 with the role in the addressed tenant for a member of several', async () => {
    const other = await service.tenant();
    const there = await other.addMember(alice, 'guest');
    expect((await me(there)).role).toMatchObject({ key: 'guest' });
    expect((await me()).role).toMatchObject({ key: 'auditor' });
  });

  it('returns 404 immediately to a removed member', async () => {
    await me();
    await tenant.query('DELETE FROM members WHERE tenant_id = $1 AND user_id = $2', alice.userId);
    await tenant.increaseAccessVersion();
    expectProblem(await alice.get('/me'), 'resource.not-found');
  });

  it.each(['T', 'x', 'a--', '-a', 'ä', '%00', 'a'.repeat(64)])(
    'returns 404 for the invalid slug %s',
    async (slug) => {
      expectProblem(
        await alice.inTenant(new TestTenant(service, tenant.id, slug)).get('/me'),
        'resource.not-found',
      );
    },
  );

  it('writes nothing', async () => {
    await me();
    await tenant.expectNoChange(me);
  });
});
