import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type Test } from 'supertest';
import { type Permission, ALL_PERMISSIONS } from '../../../src/common/vocabulary/permissions.js';
import { saveFileType } from '../../factories/files.js';
import { setMemberRole, roleIdOf, saveRole } from '../../factories/roles.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

/** All permissions to manage rights, and no others. */
const MANAGER_PERMISSIONS: Permission[] = [
  'roles.read',
  'roles.manage',
  'members.read',
  'members.manage',
  'invitations.manage',
  'accessGrants.read',
  'accessGrants.manage',
];
const MISSING_PERMISSION: Permission = 'settings.manage';
const TAKEN_NAME = 'Viewer';

interface EscalationFixture {
  readonly tenant: TestTenant;
  readonly manager: Actor;
  /** The manager's role. */
  readonly own: string;
  /** A role with fewer permissions than the manager's, and a member with this role. */
  readonly weakerRole: string;
  readonly weakerMember: Actor;
  /** A role with one permission more than the manager's, and a member with this role. */
  readonly strongerRole: string;
  readonly strongerMember: Actor;
  /** A role like `strongerRole` that no member has. */
  readonly unusedRole: string;
  readonly administrators: string;
  readonly fileTypeId: string;
}

type Escalation = [string, (fixture: EscalationFixture) => Test];

/** Changes of rights that involve one permission that the manager lacks. */
const ESCALATIONS: readonly Escalation[] = [
  [
    'creates a role with more permissions',
    ({ manager }) =>
      manager.post('/roles', { name: 'New', permissions: [...MANAGER_PERMISSIONS, MISSING_PERMISSION] }),
  ],
  [
    'adds permissions to their own role',
    ({ manager, own }) =>
      manager.put(`/roles/${own}`, {
        name: 'Own',
        permissions: [...MANAGER_PERMISSIONS, MISSING_PERMISSION],
      }),
  ],
  [
    'adds permissions to the role of others',
    ({ manager, weakerRole }) =>
      manager.put(`/roles/${weakerRole}`, { name: 'Lesser', permissions: [MISSING_PERMISSION] }),
  ],
  [
    'removes a permission from a role that they do not hold',
    ({ manager, unusedRole }) =>
      manager.put(`/roles/${unusedRole}`, { name: 'Unused', permissions: ['roles.read'] }),
  ],
  [
    'removes all permissions from a stronger role',
    ({ manager, unusedRole }) => manager.put(`/roles/${unusedRole}`, { name: 'Unused', permissions: [] }),
  ],
  [
    'renames a stronger role',
    ({ manager, unusedRole }) => manager.put(`/roles/${unusedRole}`, { name: 'Renamed' }),
  ],
  ['deletes a stronger role', ({ manager, unusedRole }) => manager.delete(`/roles/${unusedRole}`)],
  [
    'assigns a stronger role to themselves',
    ({ manager, unusedRole }) => manager.put(`/members/${manager.userId}`, { roleId: unusedRole }),
  ],
  [
    'assigns a stronger role to another member',
    ({ manager, weakerMember, strongerRole }) =>
      manager.put(`/members/${weakerMember.userId}`, { roleId: strongerRole }),
  ],
  [
    'assigns a weaker role to a member with a stronger one',
    ({ manager, strongerMember, weakerRole }) =>
      manager.put(`/members/${strongerMember.userId}`, { roleId: weakerRole }),
  ],
  [
    'adds a member with a stronger role',
    ({ manager, strongerRole, tenant }) =>
      manager.post('/members', {
        issuer: tenant.service.issuer.url,
        subject: randomUUID(),
        roleId: strongerRole,
      }),
  ],
  [
    'removes a member with a stronger role',
    ({ manager, strongerMember }) => manager.delete(`/members/${strongerMember.userId}`),
  ],
  [
    'invites to a stronger role',
    ({ manager, strongerRole }) =>
      manager.post('/invitations', { email: 'friend@people.example', roleId: strongerRole }),
  ],
];

/** Changes that fail even when the manager holds that permission. */
const REFUSED_FOR_ALL: readonly Escalation[] = [
  [
    'creates a role with all permissions',
    ({ manager }) => manager.post('/roles', { name: 'New', permissions: ALL_PERMISSIONS }),
  ],
  [
    'creates a stronger role with a name in use',
    ({ manager }) => manager.post('/roles', { name: TAKEN_NAME, permissions: [MISSING_PERMISSION] }),
  ],
  [
    'changes the built-in administrator role',
    ({ manager, administrators }) => manager.put(`/roles/${administrators}`, { name: 'X', permissions: [] }),
  ],
  [
    'deletes a stronger role that a member has',
    ({ manager, strongerRole }) => manager.delete(`/roles/${strongerRole}`),
  ],
  [
    'assigns the administrator role to themselves',
    ({ manager, administrators }) => manager.put(`/members/${manager.userId}`, { roleId: administrators }),
  ],
  [
    'adds their own user again with a stronger role',
    ({ manager, strongerRole, tenant }) =>
      manager.post('/members', {
        issuer: tenant.service.issuer.url,
        subject: manager.subject,
        roleId: strongerRole,
      }),
  ],
  [
    'grants themselves access to files',
    ({ manager, fileTypeId }) =>
      manager.post('/access-grants', {
        subjectType: 'User',
        subjectId: manager.userId,
        targetType: 'FileType',
        targetId: fileTypeId,
        level: 'Read',
      }),
  ],
];

describe('Privilege escalation by a manager of rights', () => {
  let tenant: TestTenant;
  let fixture: EscalationFixture;
  beforeEach(async () => {
    tenant = await service.tenant();
    await tenant.as('administrator');
    const manager = await tenant.with(...MANAGER_PERMISSIONS);
    const weakerMember = await tenant.as('guest');
    const strongerMember = await tenant.as('guest');
    const weakerRole = (await saveRole(tenant, ['roles.read'])).id;
    const strongerRole = (await saveRole(tenant, [...MANAGER_PERMISSIONS, MISSING_PERMISSION])).id;
    const unusedRole = (await saveRole(tenant, [...MANAGER_PERMISSIONS, MISSING_PERMISSION])).id;
    await setMemberRole(tenant, weakerMember, weakerRole);
    await setMemberRole(tenant, strongerMember, strongerRole);
    const own = (await roleIdOf(tenant, manager)) ?? '';
    const administrators = await tenant.roleId('administrator');
    const fileTypeId = (await saveFileType(tenant)).id;
    fixture = {
      ...{ tenant, manager, own, weakerRole, weakerMember, strongerRole, strongerMember, unusedRole },
      ...{ administrators, fileTypeId },
    };
  });

  it.each([...ESCALATIONS, ...REFUSED_FOR_ALL])('returns 403 to a manager who %s', async (_, send) => {
    await expectRefused(tenant, () => send(fixture), 'permission.escalation');
  });

  it.each(ESCALATIONS)('accepts a manager who holds the permission and %s', async (_, send) => {
    await setMemberRole(tenant, fixture.manager, fixture.strongerRole);
    expect(Math.floor((await send(fixture)).status / 100)).toBe(2);
  });

  it('returns 403 right after the manager has lost the permission', async () => {
    const { manager, strongerRole, weakerRole, weakerMember } = fixture;
    await setMemberRole(tenant, manager, strongerRole);
    const path = `/members/${weakerMember.userId}`;
    expect((await manager.put(path, { roleId: strongerRole })).status).toBe(200);
    expect((await manager.put(path, { roleId: weakerRole })).status).toBe(200);
    await setMemberRole(tenant, manager, fixture.own);
    expectProblem(await manager.put(path, { roleId: strongerRole }), 'permission.escalation');
  });
});
