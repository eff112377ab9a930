import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setMemberRole, saveRole } from '../../factories/roles.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { SecondInstance } from '../../support/service/second-instance.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

/** A change on one instance applies to the next request on another one, although that has the old rights in its cache. */
describe('A change of rights takes effect with the next request on every instance', () => {
  let second: SecondInstance;
  let tenant: TestTenant;
  let admin: Actor;
  let member: Actor;
  let role: { id: string; name: string };
  /** The member on the first instance and on the second. */
  let here: Actor;
  let there: Actor;
  beforeAll(async () => {
    second = await SecondInstance.start(service);
  });
  afterAll(() => second.stop());
  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator');
    member = await tenant.as('guest');
    role = await saveRole(tenant, ['files.read', 'tags.manage']);
    await setMemberRole(tenant, member, role.id);
    here = member;
    there = second.actor(member);
    // Fill the caches of both instances with the member's rights.
    for (const actor of [here, there]) expect((await actor.get('/files')).status).toBe(200);
  });

  it('when a role loses a permission', async () => {
    const changed = await admin.put(`/roles/${role.id}`, { name: role.name, permissions: ['tags.manage'] });
    expect(changed.status).toBe(200);
    for (const actor of [there, here]) {
      expectProblem(await actor.get('/files'), 'permission.missing');
      const me = (await actor.get('/me')).body as { permissions: string[] };
      expect(me.permissions).toEqual(['tags.manage']);
    }
  });

  it('when a role gets a permission', async () => {
    expectProblem(await there.get('/roles'), 'permission.missing');
    const permissions = ['files.read', 'roles.read'];
    await second.actor(admin).put(`/roles/${role.id}`, { name: role.name, permissions });
    for (const actor of [here, there]) expect((await actor.get('/roles')).status).toBe(200);
  });

  it('when a member gets another role, also for writes', async () => {
    expect((await there.post('/tags', { name: 'Before' })).status).toBe(201);
    await admin.put(`/members/${member.userId}`, { roleId: await tenant.roleId('viewer') });
    for (const actor of [there, here]) {
      expectProblem(await actor.post('/tags', { name: 'After' }), 'permission.missing');
      // The missing permission is reported before the invalid body.
      expectProblem(await actor.post('/tags', { name: '' }), 'permission.missing');
    }
  });

  it('when a member is removed and added again', async () => {
    await second.actor(admin).delete(`/members/${member.userId}`);
    for (const actor of [here, there]) {
      expectProblem(await actor.get('/files'), 'tenant.no-access');
      expectProblem(await actor.get('/files?limit=x'), 'tenant.no-access');
    }
    const body = { issuer: service.issuer.url, subject: member.subject, roleId: role.id };
    expect((await admin.post('/members', body)).status).toBe(201);
    for (const actor of [there, here]) expect((await actor.get('/files')).status).toBe(200);
  });
});
