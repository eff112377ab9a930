import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type Test } from 'supertest';
import { type Permission, ALL_PERMISSIONS } from '../../../src/common/vocabulary/permissions.js';
import { saveFileType } from '../../factories/files.js';
import { giveRole, roleIdOf, saveRole } from '../../factories/roles.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { TestService } from '../../support/service/service.js';
import { type TestTenant } from '../../support/tenant.js';

/** What somebody has who manages everything that has to do with rights, but not more. */
const MANAGER: Permission[] = [
  'roles.read',
  'roles.manage',
  'members.read',
  'members.manage',
  'invitations.manage',
  'accessGrants.read',
  'accessGrants.manage',
];
const MORE: Permission = 'settings.manage';
const CONFLICTING = 'Viewer';

interface Ground {
  readonly tenant: TestTenant;
  readonly manager: Actor;
  /** Role of the manager. */
  readonly own: string;
  /** A role with nothing but what the manager holds, and somebody who has it. */
  readonly lesser: string;
  readonly junior: Actor;
  /** A role with one permission more, and somebody who has it. */
  readonly greater: string;
  readonly senior: Actor;
  /** As much again, which nobody has. */
  readonly unused: string;
  readonly administrators: string;
  readonly fileTypeId: string;
}

type Way = [string, (ground: Ground) => Test];

/** Ways to give, change or take away rights; each of them reaches for one permission too many. */
const WAYS: readonly Way[] = [
  [
    'makes a role that holds more',
    ({ manager }) => manager.post('/roles', { name: 'New', permissions: [...MANAGER, MORE] }),
  ],
  [
    'gives more to their own role',
    ({ manager, own }) => manager.put(`/roles/${own}`, { name: 'Own', permissions: [...MANAGER, MORE] }),
  ],
  [
    'gives more to the role of others',
    ({ manager, lesser }) => manager.put(`/roles/${lesser}`, { name: 'Lesser', permissions: [MORE] }),
  ],
  [
    'takes away from a role what they do not hold',
    ({ manager, unused }) => manager.put(`/roles/${unused}`, { name: 'Unused', permissions: ['roles.read'] }),
  ],
  [
    'empties a role that holds more',
    ({ manager, unused }) => manager.put(`/roles/${unused}`, { name: 'Unused', permissions: [] }),
  ],
  [
    'renames a role that holds more',
    ({ manager, unused }) => manager.put(`/roles/${unused}`, { name: 'Renamed' }),
  ],
  ['deletes a role that holds more', ({ manager, unused }) => manager.delete(`/roles/${unused}`)],
  [
    'assigns a role that holds more to themselves',
    ({ manager, unused }) => manager.put(`/members/${manager.userId}`, { roleId: unused }),
  ],
  [
    'assigns a role that holds more to somebody else',
    ({ manager, junior, greater }) => manager.put(`/members/${junior.userId}`, { roleId: greater }),
  ],
  [
    'assigns a lesser role to somebody who holds more',
    ({ manager, senior, lesser }) => manager.put(`/members/${senior.userId}`, { roleId: lesser }),
  ],
  [
    'adds a member with a role that holds more',
    ({ manager, greater, tenant }) =>
      manager.post('/members', {
        issuer: tenant.service.issuer.url,
        subject: randomUUID(),
        roleId: greater,
      }),
  ],
  ['removes a member who holds more', ({ manager, senior }) => manager.delete(`/members/${senior.userId}`)],
  [
    'invites to a role that holds more',
    ({ manager, greater }) =>
      manager.post('/invitations', { email: 'friend@people.example', roleId: greater }),
  ],
];

/** Those that lead nowhere for whoever holds that permission, too. */
const DEAD_ENDS: readonly Way[] = [
  [
    'makes a role that holds all there is',
    ({ manager }) => manager.post('/roles', { name: 'New', permissions: ALL_PERMISSIONS }),
  ],
  [
    'makes such a role under a name that is taken',
    ({ manager }) => manager.post('/roles', { name: CONFLICTING, permissions: [MORE] }),
  ],
  [
    'changes the administrators’ role, which nobody can',
    ({ manager, administrators }) => manager.put(`/roles/${administrators}`, { name: 'X', permissions: [] }),
  ],
  [
    'deletes such a role while somebody has it',
    ({ manager, greater }) => manager.delete(`/roles/${greater}`),
  ],
  [
    'assigns the administrators’ role to themselves',
    ({ manager, administrators }) => manager.put(`/members/${manager.userId}`, { roleId: administrators }),
  ],
  [
    'adds a second self with a role that holds more',
    ({ manager, greater, tenant }) =>
      manager.post('/members', {
        issuer: tenant.service.issuer.url,
        subject: manager.subject,
        roleId: greater,
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
  let ground: Ground;
  beforeAll(async () => {
    service = await TestService.shared();
  });
  beforeEach(async () => {
    tenant = await service.tenant();
    await tenant.as('administrator');
    const manager = await tenant.with(...MANAGER);
    const junior = await tenant.as('guest');
    const senior = await tenant.as('guest');
    const lesser = (await saveRole(tenant, ['roles.read'])).id;
    const greater = (await saveRole(tenant, [...MANAGER, MORE])).id;
    const unused = (await saveRole(tenant, [...MANAGER, MORE])).id;
    await giveRole(tenant, junior, lesser);
    await giveRole(tenant, senior, greater);
    const own = (await roleIdOf(tenant, manager)) ?? '';
    const administrators = await tenant.roleId('administrator');
    const fileTypeId = (await saveFileType(tenant)).id;
    ground = {
      ...{ tenant, manager, own, lesser, junior, greater, senior, unused },
      ...{ administrators, fileTypeId },
    };
  });

  it.each([...WAYS, ...DEAD_ENDS])('403: who %s', async (_, send) => {
    const before = await tenant.fingerprint();
    expectProblem(await send(ground), 'permission.escalation');
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it.each(WAYS)('2xx: who %s and holds it', async (_, send) => {
    await giveRole(tenant, ground.manager, ground.greater);
    expect(Math.floor((await send(ground)).status / 100)).toBe(2);
  });

  it('403: also when the right was lost a moment ago', async () => {
    const { manager, greater, lesser, junior } = ground;
    await giveRole(tenant, manager, greater);
    const path = `/members/${junior.userId}`;
    expect((await manager.put(path, { roleId: greater })).status).toBe(200);
    expect((await manager.put(path, { roleId: lesser })).status).toBe(200);
    await giveRole(tenant, manager, ground.own);
    expectProblem(await manager.put(path, { roleId: greater }), 'permission.escalation');
  });
});
