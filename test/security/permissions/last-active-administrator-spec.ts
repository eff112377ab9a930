import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';
import { saveRole } from '../../factories/roles.js';

/** A member who has never made a request does not count as an administrator, because perhaps no user can log in as that member. */
describe('The last administrator who has made a request', () => {
  let tenant: TestTenant;
  let admin: Actor;
  let administrators: string;
  let viewers: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    [administrators, viewers] = [await tenant.roleId('administrator'), await tenant.roleId('viewer')];
    admin = await tenant.as('administrator');
  });

  const add = (issuer: string, subject: string, roleId = administrators) =>
    admin.post('/members', { issuer, subject, roleId }).expect(201);

  const losses: readonly [string, (actor: Actor) => Promise<{ status: number }>][] = [
    ['change their role', async (actor) => actor.put(`/members/${actor.userId}`, { roleId: viewers })],
    ['leave', async (actor) => actor.delete(`/members/${actor.userId}`)],
  ];

  it.each(losses)('cannot %s while the other administrators have never made a request', async (_, lose) => {
    await add('https://nowhere.example', 'ghost');
    await add(service.issuer.url, randomUUID());
    expectProblem((await lose(admin)) as never, 'member.last-administrator');
    expect((await admin.get('/members')).status).toBe(200);
  });

  it.each(losses)('can %s once another administrator has made a request', async (_, lose) => {
    const other = await tenant.nonMember();
    await add(service.issuer.url, other.subject);
    expectProblem((await lose(admin)) as never, 'member.last-administrator');
    await other.get('/me').expect(200);
    expect((await lose(admin)).status).toBeLessThan(300);
    expect((await other.get('/members')).status).toBe(200);
  });

  it('cannot remove permissions from their own role while the others have never made a request', async () => {
    const { id } = await saveRole(tenant, ['roles.manage', 'members.manage', 'members.read']);
    await add('https://nowhere.example', 'ghost');
    const chief = await tenant.nonMember();
    await add(service.issuer.url, chief.subject, id);
    await chief.get('/me').expect(200);
    await admin.put(`/members/${admin.userId}`, { roleId: viewers }).expect(200);
    const change = await chief.put(`/roles/${id}`, { name: 'Former', permissions: [] });
    expectProblem(change, 'member.last-administrator');
  });

  it('counts from the first request, whose time is written once', async () => {
    const firstCall = async (userId: string) =>
      (
        await service.query<{ at: string | null; writes: string }>(
          'SELECT first_called_at::text AS at, xmin::text AS writes FROM members WHERE tenant_id = $1 AND user_id = $2',
          [tenant.id, userId],
        )
      )[0];
    const other = await tenant.nonMember();
    await add(service.issuer.url, other.subject);
    expect(await firstCall(other.userId)).toMatchObject({ at: null });
    await Promise.all([other.get('/me'), other.get('/files'), other.get('/tags')]);
    const first = await firstCall(other.userId);
    expect(first).toMatchObject({ at: expect.any(String) });
    await tenant.increaseAccessVersion();
    await other.get('/me').expect(200);
    expect(await firstCall(other.userId)).toEqual(first);
  });
});
