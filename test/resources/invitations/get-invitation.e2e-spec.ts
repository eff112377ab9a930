import { beforeEach, describe, expect, it } from '@jest/globals';
import { type SavedInvitation, saveInvitation } from '../../factories/invitations.js';
import { type Actor } from '../../support/actor.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('GetInvitation', () => {
  let tenant: TestTenant;
  let reader: Actor;
  let invitation: SavedInvitation;
  beforeEach(async () => {
    tenant = await service.tenant();
    reader = await tenant.as('administrator');
    invitation = await saveInvitation(tenant, reader, { message: 'Welcome' });
  });

  it('returns 200 with the invitation as in the list, without its secret', async () => {
    const { items } = (await reader.get('/invitations')).body as { items: object[] };
    const response = await reader.get(`/invitations/${invitation.id.toUpperCase()}`);
    expect([response.status, response.body]).toEqual([200, items[0]]);
    expect(response.body).toMatchObject({ id: invitation.id, status: 'Pending', message: 'Welcome' });
    expect(response.text).not.toContain(invitation.secret);
  });

  it.each([
    ['Accepted', { status: 'Accepted' }],
    ['Declined', { status: 'Declined' }],
    ['Revoked', { status: 'Revoked' }],
    ['Expired', { expiresAt: 'now()' }],
  ] as const)('returns 200 for an invitation with the status %s', async (status, overrides) => {
    const { id } = await saveInvitation(tenant, reader, overrides);
    expect((await reader.get(`/invitations/${id}`)).body).toMatchObject({ id, status });
  });
});
