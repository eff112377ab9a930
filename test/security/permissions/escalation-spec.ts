import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type Test } from 'supertest';
import { type Permission, ALL_PERMISSIONS } from '../../../src/common/vocabulary/permissions.js';
import { saveFileType } from '../../factories/files.js';
import { setMemberRole, roleIdOf, saveRole } from '../../factories/roles.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { TestService } from '../../support/service/service.js';
import { type TestTenant } from '../../support/tenant.js';

/** What somebody has who manages everything that has to do with rights, but not more. */
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
  /** Role of the manager. */
  readonly own: string;
  /** A role with nothing but what the manager holds, and somebody who has it. */
  readonly weakerRole: string;
  readonly weakerMember: Actor;
  /** A role with one permission more, and somebody who has it. */
  readonly strongerRole: string;
  readonly strongerMember: Actor;
  /** As much again, which nobody has. */
  readonly unusedRole: string;
  readonly administrators: string;
  readonly fileTypeId: string;
}

type Escalation = [string, (fixture: EscalationFixture) => Test];

/** Ways to give, change or take away rights; each of them reaches for one permission too many. */
const ESCALATIONS: readonly Escalation[] = [
  [
    'makes a role that holds more',
    ({ manager }) =>
      manager.post('/roles', { name: 'New', permissions: [...MANAGER_PERMISSIONS, MISSING_PERMISSION] }),
  ],
  [
    'gives more to their own role',
    ({ manager, own }) =>
      manager.put(`/roles/${own}`, {
        name: 'Own',
        permissions: [...MANAGER_PERMISSIONS, MISSING_PERMISSION],
      }),
  ],
  [
    'gives more to the role of others',
    ({ manager, weakerRole }) =>
      manager.put(`/roles/${weakerRole}`, { name: 'Lesser', permissions: [MISSING_PERMISSION] }),
  ],
  [
    'takes away from a role what they do not hold',
    ({ manager, unusedRole }) =>
      manager.put(`/roles/${unusedRole}`, { name: 'Unused', permissions: ['roles.read'] }),
  ],
  [
    'empties a role that holds more',
    ({ manager, unusedRole }) => manager.put(`/roles/${unusedRole}`, { name: 'Unused', permissions: [] }),
  ],
  [
    'renames a role that holds more',
    ({ manager, unusedRole }) => manager.put(`/roles/${unusedRole}`, { name: 'Renamed' }),
  ],
  ['deletes a role that holds more', ({ manager, unusedRole }) => manager.delete(`/roles/${unusedRole}`)],
  [
    'assigns a role that holds more to themselves',
    ({ manager, unusedRole }) => manager.put(`/members/${manager.userId}`, { roleId: unusedRole }),
  ],
  [
    'assigns a role that holds more to somebody else',
    ({ manager, weakerMember, strongerRole }) =>
      manager.put(`/members/${weakerMember.userId}`, { roleId: strongerRole }),
  ],
  [
    'assigns a weakerRole role to somebody who holds more',
    ({ manager, strongerMember, weakerRole }) =>
      manager.put(`/members/${strongerMember.userId}`, { roleId: weakerRole }),
  ],
  [
    'adds a member with a role that holds more',
    ({ manager, strongerRole, tenant }) =>
      manager.post('/members', {
        issuer: tenant.service.issuer.url,
        subject: randomUUID(),
        roleId: strongerRole,
      }),
  ],
  [
    'removes a member who holds more',
    ({ manager, strongerMember }) => manager.delete(`/members/${strongerMember.userId}`),
  ],
  [
    'invites to a role that holds more',
    ({ manager, strongerRole }) =>
      manager.post('/invitations', { email: 'friend@people.example', roleId: strongerRole }),
  ],
];

/** Those that lead nowhere for whoever holds that permission, too. */
const REFUSED_FOR_ALL: readonly Escalation[] = [
  [
    'makes a role that holds all there is',
    ({ manager }) => manager.post('/roles', { name: 'New', permissions: ALL_PERMISSIONS }),
  ],
  [
    'makes such a role under a name that is taken',
    ({ manager }) => manager.post('/roles', { name: TAKEN_NAME, permissions: [MISSING_PERMISSION] }),
  ],
  [
    'changes the administrators’ role, which nobody can',
    ({ manager, administrators }) => manager.put(`/roles/${administrators}`, { name: 'X', permissions: [] }),
  ],
  [
    'deletes such a role while somebody has it',
    ({ manager, strongerRole }) => manager.delete(`/roles/${strongerRole}`),
  ],
  [
    'assigns the administrators’ role to themselves',
    ({ manager, administrators }) => manager.put(`/members/${manager.userId}`, { roleId: administrators }),
  ],
  [
    'adds a second self with a role that holds more',
    ({ manager, strongerRole, tenant }) =>
      manager.post('/members', {
        issuer: tenant.service.issuer.url,
        subject: manager.subject,
        roleId: strongerRole,
      }),
  ],
  [
    'grants themselves access that they do not have',
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

describe('Nobody gives, changes or takes away more than they hold', () => {
  let service: TestService;
  let tenant: TestTenant;
  let fixture: EscalationFixture;
  beforeAll(async () => {
    service = await TestService.shared();
  });
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

  it.each([...ESCALATIONS, ...REFUSED_FOR_ALL])('403: who %s', async (_, send) => {
    const before = await tenant.fingerprint();
    expectProblem(await send(fixture), 'permission.escalation');
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it.each(ESCALATIONS)('2xx: who %s and holds it', async (_, send) => {
    await setMemberRole(tenant, fixture.manager, fixture.strongerRole);
    expect(Math.floor((await send(fixture)).status / 100)).toBe(2);
  });

  it('403: also when the right was lost a moment ago', async () => {
    const { manager, strongerRole, weakerRole, weakerMember } = fixture;
    await setMemberRole(tenant, manager, strongerRole);
    const path = `/members/${weakerMember.userId}`;
    expect((await manager.put(path, { roleId: strongerRole })).status).toBe(200);
    expect((await manager.put(path, { roleId: weakerRole })).status).toBe(200);
    await setMemberRole(tenant, manager, fixture.own);
    expectProblem(await manager.put(path, { roleId: strongerRole }), 'permission.escalation');
  });
});
