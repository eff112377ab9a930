import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setMemberRole, roleIdOf, saveRole } from '../../factories/roles.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';
import { ABSENT, bodyWith } from '../../support/operations/text-rules.js';

describe('ChangeMemberRole', () => {
  let tenant: TestTenant;
  let admin: Actor;
  let member: Actor;
  let editors: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator', 'Ada');
    member = await tenant.as('viewer', 'Bert');
    editors = await tenant.roleId('editor');
  });

  it('returns 200 with the new role, writes an audit entry and notifies the member', async () => {
    const response = await admin
      .put(`/members/${member.userId.toUpperCase()}`, { roleId: editors.toUpperCase(), email: 'x@y.example' })
      // Members have no entity tag, so If-Match is ignored.
      .set('If-Match', '"other"')
      .expect(200);
    expect(response.body).toEqual({
      userId: member.userId,
      email: member.email,
      displayName: 'Bert',
      issuer: service.issuer.url,
      subject: member.subject,
      role: { id: editors, key: 'editor', name: 'Editor' },
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(response.headers.etag).toBeUndefined();
    const { items } = (await admin.get('/members')).body as { items: object[] };
    expect(items[1]).toEqual(response.body);
    expect(await tenant.audit()).toEqual([
      admin.entry('MemberRoleChanged', 'Member', member.userId, 'Bert: Viewer → Editor'),
    ]);
    expect(await tenant.notifications()).toEqual([
      {
        user_id: member.userId,
        type: 'RoleChanged',
        parameters: { roleId: editors, roleName: 'Editor', actorName: 'Ada' },
      },
    ]);
  });

  it('returns 200 and applies the new role from the next request of the member', async () => {
    expectProblem(await member.post('/tags', { name: 'A' }), 'permission.missing');
    await admin.put(`/members/${member.userId}`, { roleId: editors });
    expect((await member.post('/tags', { name: 'A' })).status).toBe(201);
    await admin.put(`/members/${member.userId}`, { roleId: await tenant.roleId('auditor') });
    expectProblem(await member.post('/tags', { name: 'B' }), 'permission.missing');
  });

  it('returns 200 and writes nothing for the same role', async () => {
    const before = await tenant.fingerprint();
    const response = await admin.put(`/members/${member.userId}`, { roleId: await tenant.roleId('viewer') });
    expect([response.status, response.body]).toMatchObject([
      200,
      { userId: member.userId, role: { key: 'viewer' } },
    ]);
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it("returns 200 for the caller's own role, without a notification", async () => {
    await tenant.as('administrator');
    expect((await admin.put(`/members/${admin.userId}`, { roleId: editors })).status).toBe(200);
    expect(await tenant.notifications()).toEqual([]);
    expectProblem(await admin.put(`/members/${admin.userId}`, { roleId: editors }), 'permission.missing');
  });

  it.each<[string, unknown]>([
    ['absent', ABSENT],
    ['null', null],
    ['not a UUID', 'editor'],
    ['unknown', randomUUID()],
  ])('returns 400 for a role id that is %s', async (_, value) => {
    const body = bodyWith({}, 'roleId', value);
    await expectRefused(tenant, admin.put(`/members/${member.userId}`, body), 'request.invalid', ['roleId']);
  });

  it('returns 400 for the role of another tenant', async () => {
    const roleId = await (await service.tenant()).roleId('guest');
    expectProblem(await admin.put(`/members/${member.userId}`, { roleId }), 'request.invalid', ['roleId']);
  });

  it('returns 404 after checking the body (400), before an unknown role (400)', async () => {
    const path = `/members/${randomUUID()}`;
    expectProblem(await admin.put(path, { roleId: 'x' }), 'request.invalid', ['roleId']);
    expectProblem(await admin.put(path, { roleId: randomUUID() }), 'resource.not-found');
  });

  describe('for a caller who does not have all permissions', () => {
    let manager: Actor;
    let allowedRoleId: string;
    let largerRoleId: string;
    beforeEach(async () => {
      manager = await tenant.with('members.manage', 'files.read');
      allowedRoleId = (await saveRole(tenant, ['files.read'])).id;
      largerRoleId = (await saveRole(tenant, ['files.read', 'files.close'])).id;
    });

    it('returns 403 for a new role with permissions that the caller lacks', async () => {
      await setMemberRole(tenant, member, allowedRoleId);
      const before = await tenant.fingerprint();
      for (const { userId } of [member, manager]) {
        expectProblem(
          await manager.put(`/members/${userId}`, { roleId: largerRoleId }),
          'permission.escalation',
        );
      }
      expect(await tenant.fingerprint()).toEqual(before);
    });

    it('returns 403 for a present role with permissions that the caller lacks, even if unchanged', async () => {
      await setMemberRole(tenant, member, largerRoleId);
      const before = await tenant.fingerprint();
      for (const roleId of [allowedRoleId, largerRoleId]) {
        expectProblem(await manager.put(`/members/${member.userId}`, { roleId }), 'permission.escalation');
      }
      expect(await tenant.fingerprint()).toEqual(before);
    });

    it('returns 403 rather than 409 (order of checks: 400, 404, 403, 409)', async () => {
      expectProblem(
        await manager.put(`/members/${admin.userId}`, { roleId: randomUUID() }),
        'request.invalid',
        ['roleId'],
      );
      expectProblem(
        await manager.put(`/members/${randomUUID()}`, { roleId: largerRoleId }),
        'resource.not-found',
      );
      expectProblem(
        await manager.put(`/members/${admin.userId}`, { roleId: allowedRoleId }),
        'permission.escalation',
      );
    });

    it('returns 200 when the caller has all permissions of both roles', async () => {
      await setMemberRole(tenant, member, allowedRoleId);
      const { id } = await saveRole(tenant, ['members.manage']);
      expect((await manager.put(`/members/${member.userId}`, { roleId: id })).status).toBe(200);
    });
  });

  it('returns 409 when no member would be left with both roles.manage and members.manage', async () => {
    for (const permissions of [['roles.manage'], ['members.manage']] as const) {
      await tenant.with(...permissions);
    }
    const before = await tenant.fingerprint();
    for (const roleId of [editors, (await saveRole(tenant, ['roles.manage'], 'Half')).id]) {
      expectProblem(await admin.put(`/members/${admin.userId}`, { roleId }), 'member.last-administrator');
    }
    expect(await roleIdOf(tenant, admin)).toBe(await tenant.roleId('administrator'));
    expect({ ...(await tenant.fingerprint()), roles: before.roles }).toEqual(before);
  });

  it('returns 200 when the last administrator keeps both permissions in another role', async () => {
    const { id } = await saveRole(tenant, ['roles.manage', 'members.manage']);
    expect((await admin.put(`/members/${admin.userId}`, { roleId: id })).status).toBe(200);
    expectProblem(await admin.put(`/members/${admin.userId}`, { roleId: editors }), 'permission.escalation');
  });
});
