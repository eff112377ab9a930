import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveInvitation } from '../../factories/invitations.js';
import { type Actor } from '../../support/actor.js';
import { type PageBody, pagedList } from '../../support/operations/paged-list.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('ListInvitations', () => {
  let tenant: TestTenant;
  let admin: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator');
  });

  pagedList({
    actor: () => admin,
    other: () => tenant.as('administrator'),
    path: '/invitations',
    otherPath: '/access-grants',
    fill: async (where, count) => {
      const inviter = await where.as('administrator');
      const ids: string[] = [];
      for (let n = 0; n < count; n += 1) ids.push((await saveInvitation(where, inviter)).id);
      // The same time for all, so that the id decides the order.
      await where.query(`UPDATE invitations SET created_at = '2026-01-01' WHERE tenant_id = $1`);
      return ids.sort().reverse();
    },
  });

  it('returns 200 with the invitations and their current status, newest first, without secrets', async () => {
    const invite = async (email: string) => {
      const body = { email, roleId: await tenant.roleId('viewer'), message: 'Hello\nyou', expiresAt: null };
      const { secret, acceptUrl, ...shown } = (await admin.post('/invitations', body).expect(201)).body as {
        id: string;
        secret: string;
        acceptUrl: string;
      };
      expect(acceptUrl).toContain(secret);
      return { ...shown, secret };
    };
    const accepting = await tenant.nonMember();
    const declining = await tenant.nonMember();
    const { secret: acceptedSecret, ...accepted } = await invite(accepting.email);
    const { secret: declinedSecret, ...declined } = await invite(declining.email);
    const { secret: revokedSecret, ...revoked } = await invite('carol@people.example');
    const { secret: expiredSecret, ...expired } = await invite('dave@people.example');
    const { secret: pendingSecret, ...pending } = await invite('erin@people.example');
    await accepting.post('/invitations/accept', { secret: acceptedSecret }).expect(200);
    await declining.post('/invitations/decline', { secret: declinedSecret }).expect(204);
    await admin.delete(`/invitations/${revoked.id}`).expect(204);
    await service.query(`UPDATE invitations SET expires_at = now() - interval '1 second' WHERE id = $1`, [
      expired.id,
    ]);

    const response = await admin.get('/invitations').expect(200);

    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(response.body).toEqual({
      items: [
        pending,
        { ...expired, status: 'Expired', expiresAt: time },
        { ...revoked, status: 'Revoked', revokedAt: time },
        { ...declined, status: 'Declined' },
        { ...accepted, status: 'Accepted', acceptedAt: time },
      ],
      nextCursor: null,
    });
    for (const secret of [acceptedSecret, declinedSecret, revokedSecret, expiredSecret, pendingSecret])
      expect(response.text).not.toContain(secret);
    expect(response.headers.etag).toBeUndefined();
  });

  it('returns 200 with Expired for an expired invitation, whether or not the status is stored', async () => {
    await saveInvitation(tenant, admin, { expiresAt: 'now()' });
    const [{ ...before }] = ((await admin.get('/invitations')).body as PageBody).items as [object];
    await tenant.query(
      `UPDATE invitations SET status = 'Expired', pending_role_id = NULL WHERE tenant_id = $1`,
    );
    expect(((await admin.get('/invitations')).body as PageBody).items).toEqual([before]);
    expect(before).toMatchObject({ status: 'Expired' });
  });
});
