import { beforeEach, describe, expect, it } from '@jest/globals';
import { type SavedInvitation, saveInvitation } from '../../factories/invitations.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';
import { invitationAnswerCases } from './invitation-answer-cases.js';

describe('DeclineInvitation', () => {
  let tenant: TestTenant;
  let admin: Actor;
  let invited: Actor;
  let invitation: SavedInvitation;
  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator');
    invited = await tenant.nonMember();
    invitation = await saveInvitation(tenant, admin, { email: invited.email });
  });

  invitationAnswerCases({
    tenant: () => tenant,
    admin: () => admin,
    invited: () => invited,
    invitation: () => invitation,
    send: (actor, body) => actor.post('/invitations/decline', body),
  });

  it('returns 204, writes an audit entry and makes the secret invalid', async () => {
    const response = await invited.post('/invitations/decline', { secret: invitation.secret });
    expect([response.status, response.text]).toEqual([204, '']);
    expect(await tenant.audit()).toEqual([
      invited.entry('InvitationDeclined', 'Invitation', invitation.id, invitation.email),
    ]);
    expect(await tenant.notifications()).toEqual([]);
    const { items } = (await admin.get('/invitations')).body as { items: object[] };
    expect(items).toEqual([
      expect.objectContaining({ status: 'Declined', acceptedAt: null, revokedAt: null }),
    ]);
    for (const answer of ['accept', 'decline']) {
      const second = await invited.post(`/invitations/${answer}`, { secret: invitation.secret });
      expectProblem(second, 'resource.not-found');
    }
    expectProblem(await invited.get('/files'), 'tenant.no-access');
  });

  it('returns 204 to a user who has become a member since', async () => {
    await tenant.addMember(invited, 'guest');
    await invited.post('/invitations/decline', { secret: invitation.secret }).expect(204);
    expect((await invited.get('/me')).body).toMatchObject({ role: { key: 'guest' } });
  });

  it('returns 204 to exactly one of several concurrent requests, 404 to the others', async () => {
    const statuses = await Promise.all(
      [1, 2, 3, 4].map(
        async () => (await invited.post('/invitations/decline', { secret: invitation.secret })).status,
      ),
    );
    expect(statuses.sort()).toEqual([204, 404, 404, 404]);
    expect(await tenant.audit()).toHaveLength(1);
  });
});
