import { beforeEach, describe, expect, it } from '@jest/globals';
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
  /** A role with one permission more than the manager's, which a member has. */
  readonly strongerRole: string;
  readonly administrators: string;
  readonly fileTypeId: string;
}

/**
 * Changes that are refused in more ways than one, or that give more than one permission.
 * escalation-by-permission-spec.ts has all changes of rights with each permission.
 */
const ESCALATIONS: readonly [string, (fixture: EscalationFixture) => Test][] = [
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
    const strongerRole = (await saveRole(tenant, [...MANAGER_PERMISSIONS, MISSING_PERMISSION])).id;
    await setMemberRole(tenant, await tenant.as('guest'), strongerRole);
    fixture = {
      ...{ tenant, strongerRole, manager: await tenant.with(...MANAGER_PERMISSIONS) },
      administrators: await tenant.roleId('administrator'),
      fileTypeId: (await saveFileType(tenant)).id,
    };
  });

  it.each(ESCALATIONS)('returns 403 to a manager who %s', async (_, send) => {
    await expectRefused(tenant, () => send(fixture), 'permission.escalation');
  });

  it('returns 403 right after the manager has lost the permission', async () => {
    const { manager, strongerRole } = fixture;
    const own = (await roleIdOf(tenant, manager)) ?? '';
    const path = `/members/${(await tenant.with('roles.read')).userId}`;
    await setMemberRole(tenant, manager, strongerRole);
    expect((await manager.put(path, { roleId: strongerRole })).status).toBe(200);
    expect((await manager.put(path, { roleId: own })).status).toBe(200);
    await setMemberRole(tenant, manager, own);
    expectProblem(await manager.put(path, { roleId: strongerRole }), 'permission.escalation');
  });
});
