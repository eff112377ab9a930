import { beforeEach, describe, expect, it } from '@jest/globals';
import { type SavedInvitation, saveInvitation } from '../../factories/invitations.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { duringTransaction } from '../../support/locks.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('DeleteRole for the role of an invitation', () => {
  let tenant: TestTenant;
  let admin: Actor;
  let invited: Actor;
  let roleId: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator');
    invited = await tenant.nonMember();
    const role = await admin.post('/roles', { name: 'Clerk', permissions: ['tags.read'] }).expect(201);
    roleId = (role.body as { id: string }).id;
  });

  const invite = (overrides: object = {}): Promise<SavedInvitation> =>
    saveInvitation(tenant, admin, { roleId, email: invited.email, ...overrides });
  const remove = () => admin.delete(`/roles/${roleId}`);

  it('returns 409 while an invitation is pending', async () => {
    await invite();
    await expectRefused(tenant, () => remove(), 'role.in-use');
  });

  it.each<[string, (invitation: SavedInvitation) => Promise<unknown>]>([
    ['revoked', ({ id }) => admin.delete(`/invitations/${id}`).expect(204)],
    ['declined', ({ secret }) => invited.post('/invitations/decline', { secret }).expect(204)],
    [
      'accepted by a user who was removed later',
      async ({ secret }) => {
        await invited.post('/invitations/accept', { secret }).expect(200);
        expectProblem(await remove(), 'role.in-use');
        await admin.delete(`/members/${invited.userId}`).expect(204);
      },
    ],
  ])('returns 204 when the invitation was %s, and keeps the role id in the invitation', async (_, end) => {
    await end(await invite());
    expect((await remove()).status).toBe(204);
    const { items } = (await admin.get('/invitations')).body as { items: { roleId: string }[] };
    expect(items.map((item) => item.roleId)).toEqual([roleId]);
  });

  it.each(['Pending', 'Expired'])('returns 204 when it has expired and is stored as %s', async (status) => {
    await invite({ status, expiresAt: 'now()' });
    expect((await remove()).status).toBe(204);
    const { items } = (await admin.get('/invitations')).body as { items: object[] };
    expect(items).toEqual([expect.objectContaining({ status: 'Expired', roleId })]);
  });

  it('returns 409 when an invitation with the role is created at the same time', async () => {
    const response = await duringTransaction(
      service,
      `INSERT INTO invitations (tenant_id, id, email, email_key, role_id, pending_role_id, status, secret_hash,
                                invited_by, expires_at)
       VALUES ($1, gen_random_uuid(), 'a@people.example', 'a@people.example', $2, $2, 'Pending', 'x', $3,
               now() + interval '1 hour')`,
      [tenant.id, roleId, admin.userId],
      () => remove(),
    );
    expectProblem(response, 'role.in-use');
  });
});
