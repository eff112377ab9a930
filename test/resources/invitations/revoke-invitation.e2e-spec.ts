import { beforeEach, describe, expect, it } from '@jest/globals';
import { type SavedInvitation, saveInvitation } from '../../factories/invitations.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { duringTransaction } from '../../support/locks.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('RevokeInvitation', () => {
  let tenant: TestTenant;
  let admin: Actor;
  let invited: Actor;
  let invitation: SavedInvitation;
  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator', 'Ada');
    invited = await tenant.nonMember();
    invitation = await saveInvitation(tenant, admin, { email: invited.email });
  });

  it('returns 204, writes an audit entry and makes the secret invalid', async () => {
    const response = await admin.delete(`/invitations/${invitation.id}`).set('If-Match', '"something"');
    expect([response.status, response.text]).toEqual([204, '']);
    expect(await tenant.audit()).toEqual([
      admin.entry('InvitationRevoked', 'Invitation', invitation.id, invitation.email),
    ]);
    expect(await tenant.notifications()).toEqual([]);
    const { items } = (await admin.get('/invitations')).body as { items: object[] };
    expect(items).toEqual([expect.objectContaining({ status: 'Revoked', revokedAt: expect.any(String) })]);
    for (const answer of ['accept', 'decline']) {
      const answered = await invited.post(`/invitations/${answer}`, { secret: invitation.secret });
      expectProblem(answered, 'resource.not-found');
    }
  });

  it('returns 204 to a caller who could not have created the invitation', async () => {
    const janitor = await tenant.with('invitations.manage');
    expect((await janitor.delete(`/invitations/${invitation.id.toUpperCase()}`)).status).toBe(204);
  });

  it.each(['Accepted', 'Declined', 'Revoked', 'Expired'] as const)(
    'returns 409 for an invitation with the status %s',
    async (status) => {
      const ended = await saveInvitation(tenant, admin, { status });
      await expectRefused(tenant, () => admin.delete(`/invitations/${ended.id}`), 'invitation.ended');
    },
  );

  it('returns 409 for an invitation that has expired but is still stored as Pending', async () => {
    const ended = await saveInvitation(tenant, admin, { expiresAt: 'now()' });
    await expectRefused(tenant, () => admin.delete(`/invitations/${ended.id}`), 'invitation.ended');
  });

  it('returns 204 to exactly one of several concurrent requests, 409 to the others', async () => {
    const statuses = await Promise.all(
      [1, 2, 3, 4].map(async () => (await admin.delete(`/invitations/${invitation.id}`)).status),
    );
    expect(statuses.sort()).toEqual([204, 409, 409, 409]);
    expect(await tenant.audit()).toHaveLength(1);
  });

  it('returns 409 for an invitation that is accepted at the same time', async () => {
    const response = await duringTransaction(
      service,
      `UPDATE invitations SET status = 'Accepted', pending_role_id = NULL, accepted_at = now()
        WHERE tenant_id = $1 AND id = $2`,
      [tenant.id, invitation.id],
      () => admin.delete(`/invitations/${invitation.id}`),
    );
    expectProblem(response, 'invitation.ended');
    expect(await tenant.audit()).toEqual([]);
  });
});
