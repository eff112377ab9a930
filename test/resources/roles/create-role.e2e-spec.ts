import { beforeEach, describe, expect, it } from '@jest/globals';
import { ALL_PERMISSIONS } from '../../../src/common/vocabulary/permissions.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { idempotentCreation } from '../../support/operations/idempotent-creation.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';
import { ABSENT, bodyWith, textRules } from '../../support/operations/text-rules.js';

describe('CreateRole', () => {
  let tenant: TestTenant;
  let admin: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator', 'Ada');
  });

  textRules({
    tenant: () => tenant,
    member: 'name',
    max: 200,
    body: () => ({ name: 'Clerk', permissions: ['files.read'] }),
    send: (body) => admin.post('/roles', body),
    success: 201,
  });
  idempotentCreation({
    actor: () => admin,
    permission: 'roles.manage',
    send: (actor, n) => actor.post('/roles', { name: `Clerk ${n}`, permissions: [] }),
  });

  it('returns 201 with the role, its ETag and sorted permissions, and writes an audit entry', async () => {
    const response = await admin.post('/roles', {
      name: 'Clerk',
      permissions: ['tags.read', 'files.update', 'files.read'],
      // Members of the response that a request cannot set are ignored.
      key: 'administrator',
      isBuiltIn: true,
    });
    expect([response.status, response.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        key: null,
        name: 'Clerk',
        isBuiltIn: false,
        permissions: ['files.read', 'files.update', 'tags.read'],
      },
    ]);
    const { id } = response.body as { id: string };
    const stored = await admin.get(`/roles/${id}`);
    expect([stored.body, stored.headers.etag]).toEqual([response.body, response.headers.etag]);
    expect(await tenant.audit()).toEqual([
      admin.entry('RoleCreated', 'Role', id, 'Clerk; + files.read files.update tags.read'),
    ]);
    expect(await tenant.notifications()).toEqual([]);
  });

  it.each([0, 1, ALL_PERMISSIONS.length])('returns 201 with %i permissions', async (count) => {
    const permissions = ALL_PERMISSIONS.slice(0, count);
    const response = await admin.post('/roles', { name: 'Clerk', permissions: permissions.toReversed() });
    expect([response.status, (response.body as { permissions: string[] }).permissions]).toEqual([
      201,
      permissions,
    ]);
  });

  it.each<[string, unknown, string[]]>([
    ['absent', ABSENT, ['permissions']],
    ['null', null, ['permissions']],
    ['a string', 'files.read', ['permissions']],
    ['an object', { 0: 'files.read', length: 1 }, ['permissions']],
    ['unknown', ['files.read', 'files.fly', 'Files.read'], ['permissions[1]', 'permissions[2]']],
    ['preceded by a space', [' files.read'], ['permissions[0]']],
    ['property names of every object', ['toString', '__proto__'], ['permissions[0]', 'permissions[1]']],
    ['not strings', [1, null, {}, ['files.read']], [0, 1, 2, 3].map((n) => `permissions[${n}]`)],
    ['repeated', ['files.read', 'tags.read', 'files.read'], ['permissions[2]']],
    ['too many', Array(1000).fill('x'), ['permissions']],
  ])('returns 400 for permissions that are %s', async (_, permissions, paths) => {
    const body = bodyWith({ name: 'Clerk' }, 'permissions', permissions);
    await expectRefused(tenant, admin.post('/roles', body), 'request.invalid', paths);
  });

  it('returns 400 and lists all errors together', async () => {
    expectProblem(await admin.post('/roles', { permissions: ['x'] }), 'request.invalid', [
      'name',
      'permissions[0]',
    ]);
  });

  it('returns 403 for a permission that the caller lacks (order of checks: 400, 403, 409)', async () => {
    const manager = await tenant.with('roles.manage', 'files.read');
    const before = await tenant.fingerprint();
    // "Viewer" is the name of a built-in role: alone, it returns 409.
    for (const name of ['Clerk', 'Viewer']) {
      expectProblem(
        await manager.post('/roles', { name, permissions: ['files.read', 'files.close'] }),
        'permission.escalation',
      );
    }
    expectProblem(
      await manager.post('/roles', { name: '', permissions: ['files.close'] }),
      'request.invalid',
      ['name'],
    );
    expect(await tenant.fingerprint()).toEqual(before);
    expect((await manager.post('/roles', { name: 'Clerk', permissions: ['files.read'] })).status).toBe(201);
  });

  it.each([
    ['STRASSE', 'Straße'],
    ['cLERK', 'Clerk'],
  ])('returns 409 for the name %s when %s is taken', async (name, existing) => {
    await admin.post('/roles', { name: existing, permissions: [] });
    await expectRefused(tenant, () => admin.post('/roles', { name, permissions: [] }), 'role.name-taken');
  });

  it('returns 409 for the name of a built-in role', async () => {
    expectProblem(await admin.post('/roles', { name: 'ADMINISTRATOR', permissions: [] }), 'role.name-taken');
  });

  it('returns 201 for a name that only another tenant has', async () => {
    const other = await service.tenant();
    await (await other.as('administrator')).post('/roles', { name: 'Clerk', permissions: [] });
    expect((await admin.post('/roles', { name: 'Clerk', permissions: [] })).status).toBe(201);
  });

  it('returns 201 to exactly one of several concurrent requests, 409 to the others', async () => {
    const statuses = await Promise.all(
      ['clerk', 'Clerk', 'CLERK', 'cLERK'].map(
        async (name) => (await admin.post('/roles', { name, permissions: [] })).status,
      ),
    );
    expect(statuses.sort()).toEqual([201, 409, 409, 409]);
    expect(await tenant.audit()).toHaveLength(1);
  });
});
