import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../../factories/access-grants.js';
import { saveFile, saveFileType } from '../../factories/files.js';
import { saveExpectedMember, setMemberRole, saveRole } from '../../factories/roles.js';
import { type Actor } from '../../support/actor.js';
import { conditionalWrites } from '../../support/operations/conditional-writes.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('DeleteRole', () => {
  let tenant: TestTenant;
  let admin: Actor;
  let role: { id: string; name: string };
  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator', 'Ada');
    role = await saveRole(tenant, ['files.read'], 'Clerk');
  });
  conditionalWrites({
    actor: () => admin,
    path: async () => `/roles/${(await saveRole(tenant, [])).id}`,
    send: (actor, path) => actor.delete(path),
    success: 204,
  });

  it('returns 204 and writes an audit entry; 404 when repeated', async () => {
    const response = await admin.delete(`/roles/${role.id.toUpperCase()}`);
    expect([response.status, response.text]).toEqual([204, '']);
    expectProblem(await admin.get(`/roles/${role.id}`), 'resource.not-found');
    expectProblem(await admin.delete(`/roles/${role.id}`), 'resource.not-found');
    expect(await tenant.audit()).toEqual([admin.entry('RoleDeleted', 'Role', role.id, 'Clerk')]);
    expect(await tenant.notifications()).toEqual([]);
    expect((await admin.post('/roles', { name: 'Clerk', permissions: [] })).status).toBe(201);
  });

  it('returns 204 and revokes the active grants of the role, and no others', async () => {
    const type = await saveFileType(tenant, { nameDe: 'Akte', nameEn: 'Record' });
    const file = await saveFile(tenant, admin, { number: 'A-1', name: 'Bau', fileTypeId: type.id });
    const member = await tenant.as('guest');
    const guests = await tenant.roleId('guest');
    await setMemberRole(tenant, member, role.id);
    const onFile = await saveAccessGrant(tenant, member, { file: file.id }, { toRole: true, level: 'Write' });
    const onType = await saveAccessGrant(
      tenant,
      member,
      { fileType: type.id },
      { toRole: true, expiresAt: `now() + interval '1 day'` },
    );
    const ended = [
      await saveAccessGrant(
        tenant,
        member,
        { file: file.id },
        { toRole: true, expiresAt: `now() - interval '1 second'` },
      ),
      await saveAccessGrant(tenant, member, { file: file.id }, { toRole: true, revoked: true }),
    ];
    const ofUser = await saveAccessGrant(tenant, member, { file: file.id });
    await setMemberRole(tenant, member, guests);
    const ofOtherRole = await saveAccessGrant(tenant, member, { file: file.id }, { toRole: true });
    const others = [...ended, ofUser, ofOtherRole];
    const readGrants = () =>
      service.query<{ id: string; revoked_at: Date | null }>(
        'SELECT id, revoked_at FROM access_grants WHERE id = ANY ($1) ORDER BY id',
        [others],
      );
    const before = await readGrants();

    expect((await admin.delete(`/roles/${role.id}`)).status).toBe(204);

    expect(
      await service.query('SELECT FROM access_grants WHERE id = ANY ($1) AND revoked_at IS NOT NULL', [
        [onFile, onType],
      ]),
    ).toHaveLength(2);
    expect(await readGrants()).toEqual(before);
    const audit = await tenant.audit();
    expect(audit[0]).toMatchObject({ action: 'RoleDeleted', subject_id: role.id });
    expect(
      audit
        .slice(1)
        .map(({ action, subject_type, subject_id, summary }) => [action, subject_type, subject_id, summary]),
    ).toEqual(
      expect.arrayContaining([
        ['AccessRevoked', 'AccessGrant', onFile, 'Write: Clerk → A-1: Bau'],
        ['AccessRevoked', 'AccessGrant', onType, 'Read: Clerk → Akte / Record'],
      ]),
    );
    expect(audit).toHaveLength(3);
    expect(await tenant.notifications()).toEqual([]);
  });

  it.each(['administrator', 'viewer'] as const)('returns 409 for the built-in role %s', async (key) => {
    const id = await tenant.roleId(key);
    await expectRefused(tenant, () => admin.delete(`/roles/${id}`), 'role.built-in');
  });

  it('returns 409 while a member has the role, after checking If-Match (412)', async () => {
    const member = await tenant.as('guest');
    const file = await saveFile(tenant, admin);
    await setMemberRole(tenant, member, role.id);
    await saveAccessGrant(tenant, member, { file: file.id }, { toRole: true });
    await expectRefused(tenant, admin.delete(`/roles/${role.id}`), 'role.in-use');
    const stale = admin.delete(`/roles/${role.id}`).set('If-Match', '"other"');
    await expectRefused(tenant, stale, 'request.precondition-failed');
    await setMemberRole(tenant, member, await tenant.roleId('guest'));
    expect((await admin.delete(`/roles/${role.id}`)).status).toBe(204);
  });

  it('returns 409 while an expected member has the role', async () => {
    await saveExpectedMember(tenant, 'soon@people.example', role.id);
    await expectRefused(tenant, () => admin.delete(`/roles/${role.id}`), 'role.in-use');
  });

  it('returns 403 for a role with permissions that the caller lacks (order of checks: 404, 412, 403, 409)', async () => {
    const manager = await tenant.with('roles.manage');
    const before = await tenant.fingerprint();
    expectProblem(await manager.delete(`/roles/${role.id}`), 'permission.escalation');
    expectProblem(await manager.delete(`/roles/${await tenant.roleId('viewer')}`), 'permission.escalation');
    expectProblem(await manager.delete(`/roles/${manager.userId}`), 'resource.not-found');
    const stale = manager.delete(`/roles/${role.id}`).set('If-Match', '"other"');
    expectProblem(await stale, 'request.precondition-failed');
    expect(await tenant.fingerprint()).toEqual(before);
    const { id } = await saveRole(tenant, ['roles.manage']);
    expect((await manager.delete(`/roles/${id}`)).status).toBe(204);
  });

  it('returns 204 or 409 when the role is assigned to a member at the same time', async () => {
    const member = await tenant.as('guest');
    const [deleted, given] = await Promise.all([
      admin.delete(`/roles/${role.id}`),
      admin.put(`/members/${member.userId}`, { roleId: role.id }),
    ]);
    expect([
      [204, 400],
      [409, 200],
    ]).toContainEqual([deleted.status, given.status]);
  });
});
