import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ALL_PERMISSIONS, type Permission } from '../../../src/common/vocabulary/permissions.js';
import { giveRole, saveRole } from '../../factories/roles.js';
import { type Actor } from '../../support/actor.js';
import { conditionalWrites } from '../../support/operations/conditional-writes.js';
import { everyOperation } from '../../support/operations/every-operation.js';
import { expectProblem } from '../../support/expect-problem.js';
import { duringTransaction } from '../../support/locks.js';
import { TestService } from '../../support/service/service.js';
import { type TestTenant } from '../../support/tenant.js';
import { ABSENT, bodyWith, textRules } from '../../support/operations/text-rules.js';
import { unknownIds } from '../../support/operations/unknown-ids.js';

interface Role {
  id: string;
  name: string;
  permissions: Permission[];
}

describe('UpdateRole', () => {
  let service: TestService;
  let tenant: TestTenant;
  let admin: Actor;
  let role: Role;
  let roleETag: string;
  beforeAll(async () => {
    service = await TestService.shared();
  });
  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator', 'Ada');
    const { id } = await saveRole(tenant, ['tags.read', 'files.read'], 'Clerk');
    const response = await admin.get(`/roles/${id}`);
    role = response.body as Role;
    roleETag = response.headers.etag ?? '';
  });

  everyOperation({
    service: () => service,
    tenant: () => tenant,
    permitted: () => admin,
    permission: 'roles.manage',
    send: (actor) => actor.put(`/roles/${role.id}`, { name: 'Registrar', permissions: null }),
  });
  textRules({
    tenant: () => tenant,
    member: 'name',
    max: 200,
    body: () => ({ name: 'Registrar' }),
    send: (body) => admin.put(`/roles/${role.id}`, body),
    success: 200,
  });
  unknownIds({
    tenant: () => tenant,
    send: (id) => admin.put(`/roles/${id}`, { name: 'Registrar', permissions: [] }),
    foreign: async () => (await saveRole(await service.tenant(), [])).id,
  });
  conditionalWrites({
    tenant: () => tenant,
    actor: () => admin,
    make: () => Promise.resolve({ path: `/roles/${role.id}`, tag: roleETag }),
    send: (actor, path) => actor.put(path, { name: 'Registrar' }),
    success: 200,
  });

  it('200: the role under its new name and with what it allows now, with a new entity tag, recorded', async () => {
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
      {
        actor_id: admin.userId,
        actor_name: 'Ada',
        action: 'RoleUpdated',
        subject_type: 'Role',
        subject_id: role.id,
        summary: 'Clerk → Registrar; + files.create tags.manage; − tags.read',
      },
    ]);
    expect(await tenant.notifications()).toEqual([]);
  });

  it.each([
    ['null', null],
    ['not there', ABSENT],
  ])('200: permissions that are %s stay as they are', async (_, permissions) => {
    const response = await admin.put(
      `/roles/${role.id}`,
      bodyWith({ name: 'Registrar' }, 'permissions', permissions),
    );
    expect([response.status, response.body]).toEqual([200, { ...role, name: 'Registrar' }]);
    expect((await tenant.audit()).map(({ summary }) => summary)).toEqual(['Clerk → Registrar']);
  });

  it('200: an empty list of permissions clears them', async () => {
    const response = await admin.put(`/roles/${role.id}`, { name: 'Clerk', permissions: [] });
    expect([response.status, response.body]).toEqual([200, { ...role, permissions: [] }]);
    expect((await tenant.audit()).map(({ summary }) => summary)).toEqual(['Clerk; − files.read tags.read']);
  });

  it('200: another case of the same name is a change', async () => {
    const response = await admin.put(`/roles/${role.id}`, { name: 'CLERK' });
    expect(response.body).toEqual({ ...role, name: 'CLERK' });
    expect(await tenant.audit()).toHaveLength(1);
  });

  it.each<[string, unknown]>([
    ['the same in another order', ['tags.read', 'files.read']],
    ['null', null],
    ['not there', ABSENT],
  ])('200: with the same name, permissions that are %s change nothing', async (_, permissions) => {
    const before = await tenant.fingerprint();
    const body = bodyWith({ name: ' Clerk ' }, 'permissions', permissions);
    const response = await admin.put(`/roles/${role.id}`, body);
    expect([response.status, response.body, response.headers.etag]).toEqual([200, role, roleETag]);
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it('200: what was changed takes effect on the next request of whoever has the role', async () => {
    const member = await tenant.as('guest');
    await giveRole(tenant, member, role.id);
    expect((await member.get('/files')).status).toBe(200);
    await admin.put(`/roles/${role.id}`, { name: 'Clerk', permissions: ['roles.read'] });
    expectProblem(await member.get('/files'), 'permission.missing');
    expect((await member.get('/roles')).status).toBe(200);
    expect(((await member.get('/me')).body as { permissions: string[] }).permissions).toEqual(['roles.read']);
  });

  it.each<[string, unknown, string[]]>([
    ['a string', 'files.read', ['permissions']],
    ['unknown', ['files.read', 'files.fly'], ['permissions[1]']],
    ['there twice', ['files.read', 'files.read'], ['permissions[1]']],
    ['no strings', [null, 'files.read', 1], ['permissions[0]', 'permissions[2]']],
  ])('400: for permissions that are %s', async (_, permissions, paths) => {
    const before = await tenant.fingerprint();
    expectProblem(
      await admin.put(`/roles/${role.id}`, { name: 'Clerk', permissions }),
      'request.invalid',
      paths,
    );
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it.each(['administrator', 'guest'] as const)('409: for the built-in role %s', async (key) => {
    const id = await tenant.roleId(key);
    const before = await tenant.fingerprint();
    const { name } = (await admin.get(`/roles/${id}`)).body as Role;
    expectProblem(await admin.put(`/roles/${id}`, { name: 'Boss', permissions: [] }), 'role.built-in');
    // Also when nothing would change.
    expectProblem(await admin.put(`/roles/${id}`, { name }), 'role.built-in');
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it('409: to the name of another role, in whatever case; 412 goes before', async () => {
    await saveRole(tenant, [], 'Großes');
    const before = await tenant.fingerprint();
    for (const name of ['GROSSES', 'viewer']) {
      expectProblem(await admin.put(`/roles/${role.id}`, { name }), 'role.name-taken');
    }
    const stale = admin.put(`/roles/${role.id}`, { name: 'GROSSES' }).set('If-Match', '"other"');
    expectProblem(await stale, 'request.precondition-failed');
    expect(await tenant.fingerprint()).toEqual(before);
  });

  describe('by somebody who does not hold everything', () => {
    let manager: Actor;
    beforeEach(async () => {
      manager = await tenant.with('roles.manage', 'files.read');
    });

    it.each<[string, readonly Permission[], readonly Permission[] | null]>([
      ['gives what they do not hold', ['files.read'], ['files.read', 'files.close']],
      ['takes away what they do not hold', ['files.read', 'files.close'], ['files.read']],
      ['clears what they do not hold', ['files.close'], []],
      ['only renames', ['files.close'], null],
    ])('403: %s', async (_, former, permissions) => {
      const { id } = await saveRole(tenant, former, 'Other');
      const before = await tenant.fingerprint();
      expectProblem(await manager.put(`/roles/${id}`, { name: 'New', permissions }), 'permission.escalation');
      expect(await tenant.fingerprint()).toEqual(before);
    });

    it('403: gives more to their own role', async () => {
      const { id } = ((await manager.get('/me')).body as { role: { id: string } }).role;
      expectProblem(
        await manager.put(`/roles/${id}`, { name: 'Mine', permissions: ALL_PERMISSIONS }),
        'permission.escalation',
      );
    });

    it('403: goes before 409 and after 400, 404 and 412', async () => {
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

    it('200: as long as they hold all of it before and after', async () => {
      const { id } = await saveRole(tenant, ['files.read'], 'Other');
      const body = { name: 'New', permissions: ['roles.manage'] };
      expect((await manager.put(`/roles/${id}`, body)).status).toBe(200);
    });

    it('403: has lost what they held while they waited for their turn', async () => {
      const { id } = await saveRole(tenant, ['files.read'], 'Other');
      const response = await duringTransaction(
        service,
        `WITH turn AS (UPDATE tenants SET access_version = access_version + 1 WHERE id = $1)
         UPDATE roles SET permissions = '{roles.manage}' WHERE tenant_id = $1
            AND id = (SELECT role_id FROM members WHERE tenant_id = $1 AND user_id = $2)`,
        [tenant.id, manager.userId],
        () => manager.put(`/roles/${id}`, { name: 'New', permissions: [] }),
      );
      expectProblem(response, 'permission.escalation');
    });

    it('403: has lost the permission, or is no member any more, after the wait', async () => {
      const { id } = await saveRole(tenant, [], 'Other');
      const waiting = (statement: string) =>
        duringTransaction(
          service,
          `WITH turn AS (UPDATE tenants SET access_version = access_version + 1 WHERE id = $1) ${statement}`,
          [tenant.id, manager.userId],
          () => manager.put(`/roles/${id}`, { name: 'New', permissions: [] }),
        );
      const before = await tenant.audit();
      const demote = `UPDATE members SET role_id = (SELECT id FROM roles WHERE tenant_id = $1 AND key = 'guest')
                       WHERE tenant_id = $1 AND user_id = $2`;
      expectProblem(await waiting(demote), 'permission.missing');
      await giveRole(tenant, manager, await tenant.roleId('administrator'));
      const remove = 'DELETE FROM members WHERE tenant_id = $1 AND user_id = $2';
      expectProblem(await waiting(remove), 'tenant.no-access');
      expect(await tenant.audit()).toEqual(before);
    });
  });

  describe('of those who can manage both roles and members', () => {
    let chief: Actor;
    let chiefs: string;
    beforeEach(async () => {
      chiefs = (await saveRole(tenant, ['roles.manage', 'members.manage', 'files.read'], 'Chiefs')).id;
      chief = await tenant.as('guest', 'Chief');
      await giveRole(tenant, chief, chiefs);
    });

    it.each<Permission>(['roles.manage', 'members.manage'])(
      '409: the last member cannot lose %s; 412 goes before',
      async (lost) => {
        await giveRole(tenant, admin, await tenant.roleId('records_manager'));
        const permissions = ['roles.manage', 'members.manage'].filter((permission) => permission !== lost);
        const before = await tenant.fingerprint();
        const send = () => chief.put(`/roles/${chiefs}`, { name: 'Chiefs', permissions });
        expectProblem(await send(), 'member.last-administrator');
        expectProblem(await send().set('If-Match', '"other"'), 'request.precondition-failed');
        expect(await tenant.fingerprint()).toEqual(before);
      },
    );

    it('200: the last member can lose everything else', async () => {
      await giveRole(tenant, admin, await tenant.roleId('records_manager'));
      const body = { name: 'Chief', permissions: ['roles.manage', 'members.manage'] };
      expect((await chief.put(`/roles/${chiefs}`, body)).status).toBe(200);
    });

    it('200: the role can lose it while somebody else holds both', async () => {
      const response = await chief.put(`/roles/${chiefs}`, { name: 'Chiefs', permissions: ['roles.manage'] });
      expect(response.status).toBe(200);
      expectProblem(await chief.get('/files'), 'permission.missing');
    });

    it('409: when nobody has the role but the last member who holds both, whatever other roles allow', async () => {
      await giveRole(tenant, admin, chiefs);
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
