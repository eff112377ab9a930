import { beforeEach, describe, expect, it } from '@jest/globals';
import { caseFold } from '../../../src/common/text.js';
import { type SavedInvitation, saveInvitation } from '../../factories/invitations.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { duringTransaction } from '../../support/locks.js';
import { SecondInstance } from '../../support/service/second-instance.js';
import { service } from '../../support/service/shared-service.js';
import { TestTenant } from '../../support/tenant.js';
import { invitationAnswerCases } from './invitation-answer-cases.js';

describe('AcceptInvitation', () => {
  let tenant: TestTenant;
  let admin: Actor;
  let invited: Actor;
  let invitation: SavedInvitation;
  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator');
    invited = await tenant.nonMember();
    invitation = await saveInvitation(tenant, admin, { email: invited.email, role: 'viewer' });
  });

  const accept = (actor = invited, { secret } = invitation) => actor.post('/invitations/accept', { secret });
  const statusOf = async (id: string) =>
    (await service.query<{ status: string }>('SELECT status FROM invitations WHERE id = $1', [id]))[0]
      ?.status;

  invitationAnswerCases({
    tenant: () => tenant,
    admin: () => admin,
    invited: () => invited,
    invitation: () => invitation,
    send: (actor, body) => actor.post('/invitations/accept', body),
  });

  it('returns 200 with the new membership, writes audit entries and notifies the inviter', async () => {
    const response = await accept();
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      user: { id: invited.userId, email: invited.email, displayName: invited.name },
      tenant: { id: tenant.id, slug: tenant.slug, name: `Tenant ${tenant.slug}` },
      role: { id: await tenant.roleId('viewer'), key: 'viewer', name: 'Viewer' },
      permissions: expect.arrayContaining(['files.read', 'savedViews.manage']),
    });
    expect(await tenant.audit()).toEqual([
      invited.entry('InvitationAccepted', 'Invitation', invitation.id, invited.email),
      invited.entry('MemberAdded', 'Member', invited.userId, `${invited.name}: Viewer`),
    ]);
    expect(await tenant.notifications()).toEqual([
      {
        user_id: admin.userId,
        type: 'InvitationAccepted',
        parameters: { invitationId: invitation.id, email: invited.email, userId: invited.userId },
      },
    ]);
    const { items } = (await admin.get('/invitations')).body as { items: object[] };
    expect(items).toEqual([
      expect.objectContaining({ status: 'Accepted', acceptedAt: expect.any(String), revokedAt: null }),
    ]);
    expect((await invited.get('/me')).text).toBe(response.text);
  });

  it('returns 200 for the secret with spaces around it and the address in another case', async () => {
    const email = `Zoë.STRASSE-${invited.subject}@People.example`;
    const body = { email: caseFold(email), roleId: await tenant.roleId('guest') };
    const { secret } = (await admin.post('/invitations', body).expect(201)).body as { secret: string };
    const token = await service.issuer.token({
      sub: 'new-subject',
      email,
      email_verified: true,
      name: 'Zoë',
    });
    const newcomer = invited.withToken(token);
    const response = await accept(newcomer, { ...invitation, secret: ` ${secret}\n` }).expect(200);
    expect(response.body).toMatchObject({ user: { email, displayName: 'Zoë' } });
  });

  it('returns 200 and gives access on every instance immediately', async () => {
    const second = await SecondInstance.start(service);
    try {
      const elsewhere = second.actor(invited);
      for (const who of [invited, elsewhere]) expectProblem(await who.get('/files'), 'tenant.no-access');
      await accept().expect(200);
      for (const who of [invited, elsewhere]) expect((await who.get('/files')).status).toBe(200);
    } finally {
      await second.stop();
    }
  });

  it('returns 200 with the current slug when called by a former slug', async () => {
    const former = new TestTenant(service, tenant.id, `former-${tenant.slug}`);
    await service.query(
      `INSERT INTO tenant_slugs (slug, tenant_id, expires_at) VALUES ($1, $2, now() + interval '1 day')`,
      [former.slug, tenant.id],
    );
    const response = await accept(invited.inTenant(former)).expect(200);
    expect(response.body).toMatchObject({ tenant: { slug: tenant.slug } });
  });

  it('returns 200 with the present permissions of the role, although the inviter lacks them', async () => {
    const inviter = await tenant.with('invitations.manage', 'tags.read');
    const roleId = await service
      .query<{ id: string }>(
        `UPDATE roles SET name = 'Clerk' WHERE tenant_id = $1
            AND id = (SELECT role_id FROM members WHERE tenant_id = $1 AND user_id = $2) RETURNING id`,
        [tenant.id, inviter.userId],
      )
      .then(([role]) => role?.id ?? '');
    const newcomer = await tenant.nonMember();
    const body = { email: newcomer.email, roleId };
    const { secret } = (await inviter.post('/invitations', body).expect(201)).body as { secret: string };
    await admin
      .put(`/roles/${roleId}`, { name: 'Clerk', permissions: ['tags.read', 'tags.manage'] })
      .expect(200);
    const response = await accept(newcomer, { ...invitation, secret }).expect(200);
    expect(response.body).toMatchObject({ permissions: ['tags.read', 'tags.manage'] });
  });

  it('returns 200 without a notification when the inviter is no longer a member', async () => {
    const inviter = await tenant.as('administrator');
    const newcomer = await tenant.nonMember();
    const theirs = await saveInvitation(tenant, inviter, { email: newcomer.email });
    await admin.delete(`/members/${inviter.userId}`).expect(204);
    await accept(newcomer, theirs).expect(200);
    expect(await tenant.notifications()).toEqual([]);
  });

  it('returns 200 and removes the expected member with the same address', async () => {
    await service.query(
      'INSERT INTO expected_members (tenant_id, email_key, email, role_id) VALUES ($1, $2, $2, $3)',
      [tenant.id, invited.email, await tenant.roleId('administrator')],
    );
    await accept().expect(200);
    await admin.delete(`/members/${invited.userId}`).expect(204);
    expectProblem(await invited.get('/files'), 'tenant.no-access');
  });

  it('returns 409 to a member, whose role and invitation stay unchanged', async () => {
    await tenant.addMember(invited, 'guest');
    await expectRefused(tenant, () => accept(), 'member.exists');
    expect((await invited.get('/me')).body).toMatchObject({ role: { key: 'guest' } });
  });

  it('returns 200 to exactly one of several concurrent requests, 404 to the others', async () => {
    const statuses = await Promise.all([1, 2, 3, 4].map(async () => (await accept()).status));
    expect(statuses.sort()).toEqual([200, 404, 404, 404]);
    expect(await tenant.audit()).toHaveLength(2);
    expect(await tenant.notifications()).toHaveLength(1);
  });

  it('returns 404 when the invitation is revoked at the same time', async () => {
    const response = await duringTransaction(
      service,
      `UPDATE invitations SET status = 'Revoked', pending_role_id = NULL, revoked_at = now()
        WHERE tenant_id = $1 AND id = $2`,
      [tenant.id, invitation.id],
      () => accept(),
    );
    expectProblem(response, 'resource.not-found');
    expect(await tenant.audit()).toEqual([]);
    expectProblem(await invited.get('/files'), 'tenant.no-access');
  });

  it('returns 200 or 404, with exactly one of accepting, revoking and declining succeeding', async () => {
    for (let round = 0; round < 12; round += 1) {
      const newcomer = await tenant.nonMember();
      const theirs = await saveInvitation(tenant, admin, { email: newcomer.email });
      const [accepted, revoked, declined] = await Promise.all([
        accept(newcomer, theirs),
        admin.delete(`/invitations/${theirs.id}`),
        newcomer.post('/invitations/decline', { secret: theirs.secret }),
      ]);
      const expected = {
        Accepted: [200, 409, 404],
        Revoked: [404, 204, 404],
        Declined: [404, 409, 204],
      }[(await statusOf(theirs.id)) ?? ''];
      expect([accepted.status, revoked.status, declined.status]).toEqual(expected);
      expect((await newcomer.get('/files')).status).toBe(accepted.status === 200 ? 200 : 403);
    }
    expect(await tenant.audit()).toHaveLength(
      (await service.query(`SELECT FROM members WHERE tenant_id = $1`, [tenant.id])).length - 1 + 12,
    );
  });
});
