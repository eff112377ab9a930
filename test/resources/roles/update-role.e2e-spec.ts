import { beforeEach, describe, expect, it } from '@jest/globals';
import { ALL_PERMISSIONS, type Permission } from '../../../src/common/vocabulary/permissions.js';
import { setMemberRole, saveRole } from '../../factories/roles.js';
import { type Actor } from '../../support/actor.js';
import { conditionalWrites } from '../../support/operations/conditional-writes.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { duringTransaction } from '../../support/locks.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';
import { ABSENT, bodyWith, textRules } from '../../support/operations/text-rules.js';
import { RAISE_ACCESS_VERSION } from '../../support/database.js';

interface Role {
  id: string;
  name: string;
  permissions: Permission[];
}

describe('UpdateRole', () => {
  let tenant: TestTenant;
  let admin: Actor;
  let role: Role;
  let roleETag: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator', 'Ada');
    const { id } = await saveRole(tenant, ['tags.read', 'files.read'], 'Clerk');
    const response = await admin.get(`/roles/${id}`);
    role = response.body as Role;
    roleETag = response.headers.etag ?? '';
  });

  textRules({
    tenant: () => tenant,
    member: 'name',
    max: 200,
    body: () => ({ name: 'Registrar' }),
    send: (body) => admin.put(`/roles/${role.id}`, body),
    success: 200,
  });
  conditionalWrites({
    actor: () => admin,
    path: () => `/roles/${role.id}`,
    send: (actor, path) => actor.put(path, { name: 'Registrar' }),
    success: 200,
  });

  it('returns 200 for a name of a former release that is the same as another now, and keeps it', async () => {
    await saveRole(tenant, [], 'Front desk');
    const former = await saveRole(tenant, [], 'Front  desk', 'front  desk');
    const response = await admin.put(`/roles/${former.id}`, {
      name: 'Front  desk',
      permissions: ['tags.read'],
    });
    expect([response.status, response.body]).toMatchObject([
      200,
      { name: 'Front  desk', permissions: ['tags.read'] },
    ]);
  });

  it('returns 200 with the new name, permissions and entity tag, and writes an audit entry', async () => {
    const response = await admin.put(`/roles/${role.id.toUpperCase()}`, {
      name: 'Registrar',
      permissions: ['tags.manage', 'files.read', 'files.create'],
      id: 'x',
      key: 'administrator',
      isBuiltIn: true,
    });
    expect([response.status, response.body]).toEqual([
      200,
      {
        ...role,
        name: 'Registrar',
        permissions: ['files.read', 'files.create', 'tags.manage'],
      },
    ]);
    const read = await admin.get(`/roles/${role.id}`);
    expect([read.body, read.headers.etag]).toEqual([response.body, response.headers.etag]);
    expect(response.headers.etag).not.toBe(roleETag);
    expect(await tenant.audit()).toEqual([
      admin.entry(
        'RoleUpdated',
        'Role',
        role.id,
        'Clerk → Registrar; + files.create tags.manage; − tags.read',
      ),
    ]);
    expect(await tenant.notifications()).toEqual([]);
  });

  it.each([
    ['null', null],
    ['absent', ABSENT],
  ])('returns 200 and keeps the permissions when they are %s', async (_, permissions) => {
    const response = await admin.put(
      `/roles/${role.id}`,
      bodyWith({ name: 'Registrar' }, 'permissions', permissions),
    );
    expect([response.status, response.body]).toEqual([200, { ...role, name: 'Registrar' }]);
    expect((await tenant.audit()).map(({ summary }) => summary)).toEqual(['Clerk → Registrar']);
  });

  it('returns 200 and removes all permissions for an empty list', async () => {
    const response = await admin.put(`/roles/${role.id}`, { name: 'Clerk', permissions: [] });
    expect([response.status, response.body]).toEqual([200, { ...role, permissions: [] }]);
    expect((await tenant.audit()).map(({ summary }) => summary)).toEqual(['Clerk; − files.read tags.read']);
  });

  it('returns 200 and updates the role when only the case of its name changes', async () => {
    const response = await admin.put(`/roles/${role.id}`, { name: 'CLERK' });
    expect(response.body).toEqual({ ...role, name: 'CLERK' });
    expect(await tenant.audit()).toHaveLength(1);
  });

  it.each<[string, unknown]>([
    ['the same in another order', ['tags.read', 'files.read']],
    ['null', null],
    ['absent', ABSENT],
  ])(
    'returns 200 and writes nothing for the same name and permissions that are %s',
    async (_, permissions) => {
      const before = await tenant.fingerprint();
      const body = bodyWith({ name: ' Clerk ' }, 'permissions', permissions);
      const response = await admin.put(`/roles/${role.id}`, body);
      expect([response.status, response.body, response.headers.etag]).toEqual([200, role, roleETag]);
      expect(await tenant.fingerprint()).toEqual(before);
    },
  );

  it("returns 200 and applies the new permissions from the members' next requests", async () => {
    const member = await tenant.as('guest');
    await setMemberRole(tenant, member, role.id);
    expect((await member.get('/files')).status).toBe(200);
    await admin.put(`/roles/${role.id}`, { name: 'Clerk', permissions: ['roles.read'] });
    expectProblem(await member.get('/files'), 'permission.missing');
    expect((await member.get('/roles')).status).toBe(200);
    expect(((await member.get('/me')).body as { permissions: string[] }).permissions).toEqual(['roles.read']);
  });

  it.each<[string, unknown, string[]]>([
    ['a string', 'files.read', ['permissions']],
    ['unknown', ['files.read', 'files.fly'], ['permissions[1]']],
    ['repeated', ['files.read', 'files.read'], ['permissions[1]']],
    ['not strings', [null, 'files.read', 1], ['permissions[0]', 'permissions[2]']],
  ])('returns 400 for permissions that are %s', async (_, permissions, paths) => {
    await expectRefused(
      tenant,
      admin.put(`/roles/${role.id}`, { name: 'Clerk', permissions }),
      'request.invalid',
      paths,
    );
  });

  it.each(['administrator', 'guest'] as const)('returns 409 for the built-in role %s', async (key) => {
    const id = await tenant.roleId(key);
    const before = await tenant.fingerprint();
    const { name } = (await admin.get(`/roles/${id}`)).body as Role;
    expectProblem(await admin.put(`/roles/${id}`, { name: 'Boss', permissions: [] }), 'role.built-in');
    // The answer is 409 even when nothing would change.
    expectProblem(await admin.put(`/roles/${id}`, { name }), 'role.built-in');
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it('returns 409 for a role name that differs only in case, after checking If-Match (412)', async () => {
    await saveRole(tenant, [], 'Großes');
    const before = await tenant.fingerprint();
    for (const name of ['GROSSES', 'viewer']) {
      expectProblem(await admin.put(`/roles/${role.id}`, { name }), 'role.name-taken');
    }
    const stale = admin.put(`/roles/${role.id}`, { name: 'GROSSES' }).set('If-Match', '"other"');
    expectProblem(await stale, 'request.precondition-failed');
    expect(await tenant.fingerprint()).toEqual(before);
  });

  describe('for a caller who does not have all permissions', () => {
    let manager: Actor;
    beforeEach(async () => {
      manager = await tenant.with('roles.manage', 'files.read');
    });

    it.each<[string, readonly Permission[], readonly Permission[] | null]>([
      ['adds a permission that the caller lacks', ['files.read'], ['files.read', 'files.close']],
      ['removes a permission that the caller lacks', ['files.read', 'files.close'], ['files.read']],
      ['clears a permission that the caller lacks', ['files.close'], []],
      ['renames a role with a permission that the caller lacks', ['files.close'], null],
    ])('returns 403 when the request %s', async (_, former, permissions) => {
      const { id } = await saveRole(tenant, former, 'Other');
      const before = await tenant.fingerprint();
      expectProblem(await manager.put(`/roles/${id}`, { name: 'New', permissions }), 'permission.escalation');
      expect(await tenant.fingerprint()).toEqual(before);
    });

    it("returns 403 for more permissions in the caller's own role", async () => {
      const { id } = ((await manager.get('/me')).body as { role: { id: string } }).role;
      expectProblem(
        await manager.put(`/roles/${id}`, { name: 'Mine', permissions: ALL_PERMISSIONS }),
        'permission.escalation',
      );
    });

    it('checks for escalation (403) after 400, 404 and 412, and before 409', async () => {
      const path = `/roles/${await tenant.roleId('administrator')}`;
      expectProblem(await manager.put(path, { name: 'Viewer' }), 'permission.escalation');
      expectProblem(await manager.put(path, { name: '' }), 'request.invalid', ['name']);
      const nowhere = `/roles/${manager.userId}`;
      expectProblem(
        await manager.put(nowhere, { name: 'New', permissions: ['files.close'] }),
        'resource.not-found',
      );
      const stale = manager.put(path, { name: 'Viewer' }).set('If-Match', '"other"');
      expectProblem(await stale, 'request.precondition-failed');
    });

    it('returns 200 when the caller has all permissions before and after the update', async () => {
      const { id } = await saveRole(tenant, ['files.read'], 'Other');
      const body = { name: 'New', permissions: ['roles.manage'] };
      expect((await manager.put(`/roles/${id}`, body)).status).toBe(200);
    });

    it('returns 403 when the caller loses a permission of the role while the request waits', async () => {
      const { id } = await saveRole(tenant, ['files.read'], 'Other');
      const response = await duringTransaction(
        service,
        `WITH turn AS (${RAISE_ACCESS_VERSION})
         UPDATE roles SET permissions = '{roles.manage}' WHERE tenant_id = $1
            AND id = (SELECT role_id FROM members WHERE tenant_id = $1 AND user_id = $2)`,
        [tenant.id, manager.userId],
        () => manager.put(`/roles/${id}`, { name: 'New', permissions: [] }),
      );
      expectProblem(response, 'permission.escalation');
    });

    it('returns 403 when the caller loses roles.manage or the membership while the request waits', async () => {
      const { id } = await saveRole(tenant, [], 'Other');
      const updateDuring = (statement: string) =>
        duringTransaction(
          service,
          `WITH turn AS (${RAISE_ACCESS_VERSION}) ${statement}`,
          [tenant.id, manager.userId],
          () => manager.put(`/roles/${id}`, { name: 'New', permissions: [] }),
        );
      const before = await tenant.audit();
      const demote = `UPDATE members SET role_id = (SELECT id FROM roles WHERE tenant_id = $1 AND key = 'guest')
                       WHERE tenant_id = $1 AND user_id = $2`;
      expectProblem(await updateDuring(demote), 'permission.missing');
      await setMemberRole(tenant, manager, await tenant.roleId('administrator'));
      const remove = 'DELETE FROM members WHERE tenant_id = $1 AND user_id = $2';
      expectProblem(await updateDuring(remove), 'tenant.no-access');
      expect(await tenant.audit()).toEqual(before);
    });
  });

  describe('for a role with both roles.manage and members.manage', () => {
    let chief: Actor;
    let chiefs: string;
    beforeEach(async () => {
      chiefs = (await saveRole(tenant, ['roles.manage', 'members.manage', 'files.read'], 'Chiefs')).id;
      chief = await tenant.as('guest', 'Chief');
      await setMemberRole(tenant, chief, chiefs);
    });

    it.each<Permission>(['roles.manage', 'members.manage'])(
      'returns 409 when the last such member would lose %s, after checking If-Match (412)',
      async (lost) => {
        await setMemberRole(tenant, admin, await tenant.roleId('records_manager'));
        const permissions = ['roles.manage', 'members.manage'].filter((permission) => permission !== lost);
        const send = () => chief.put(`/roles/${chiefs}`, { name: 'Chiefs', permissions });
        await expectRefused(tenant, () => send(), 'member.last-administrator');
        await expectRefused(tenant, () => send().set('If-Match', '"other"'), 'request.precondition-failed');
      },
    );

    it('returns 200 when the last such member loses other permissions', async () => {
      await setMemberRole(tenant, admin, await tenant.roleId('records_manager'));
      const body = { name: 'Chief', permissions: ['roles.manage', 'members.manage'] };
      expect((await chief.put(`/roles/${chiefs}`, body)).status).toBe(200);
    });

    it('returns 200 when another member still has both permissions', async () => {
      const response = await chief.put(`/roles/${chiefs}`, { name: 'Chiefs', permissions: ['roles.manage'] });
      expect(response.status).toBe(200);
      expectProblem(await chief.get('/files'), 'permission.missing');
    });

    it('returns 409 when only members of this role have both, even if unassigned roles do', async () => {
      await setMemberRole(tenant, admin, chiefs);
      await saveRole(tenant, ['roles.manage', 'members.manage'], 'Nobody has it');
      const one = await tenant.with('roles.manage');
      const two = await tenant.with('members.manage');
      expect([one.userId, two.userId]).not.toContain(chief.userId);
      expectProblem(
        await admin.put(`/roles/${chiefs}`, { name: 'Chiefs', permissions: [] }),
        'member.last-administrator',
      );
    });
  });
});
