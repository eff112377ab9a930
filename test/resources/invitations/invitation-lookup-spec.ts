import { beforeEach, describe, expect, it } from '@jest/globals';
import request, { type Test } from 'supertest';
import { hashOfSecret } from '../../../src/resources/invitations/invitation-secret.js';
import { type SavedInvitation, saveInvitation } from '../../factories/invitations.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('The look-up of an invitation', () => {
  let tenant: TestTenant;
  let administrator: Actor;
  let invitation: SavedInvitation;
  beforeEach(async () => {
    tenant = await service.tenant();
    administrator = await tenant.as('administrator', 'Ada Administrator');
    invitation = await saveInvitation(tenant, administrator, { message: 'Willkommen!' });
  });

  /** Each tenant has an address of its own, because look-ups are limited by address. */
  const lookUp = (secret = invitation.secret, slug = tenant.slug): Test => send({ tenant: slug, secret });
  const send = (form: object): Test =>
    request(service.url)
      .post('/invitation/lookup')
      .type('form')
      .set('X-Forwarded-For', `10.${[...Buffer.from(tenant.id.slice(-6), 'hex')].join('.')}`)
      .send(form);

  it('returns tenant, role, inviter and message without a token, and writes nothing', async () => {
    const response = await tenant.expectNoChange(lookUp);
    expect([response.status, response.body]).toEqual([
      200,
      {
        tenant: `Tenant ${tenant.slug}`,
        inviter: 'Ada Administrator',
        role: 'Viewer',
        message: 'Willkommen!',
      },
    ]);
    expect(response.headers['cache-control']).toBe('private, no-cache');
  });

  it('finds the invitation by the secret of its mail, too', async () => {
    await service.query(
      'UPDATE invitations SET has_mail = true, mail_secret_hash = $3 WHERE tenant_id = $1 AND id = $2',
      [tenant.id, invitation.id, hashOfSecret('mailed')],
    );
    expect((await lookUp('mailed')).status).toBe(200);
  });

  it('returns one 404 for unknown, answered, revoked and expired invitations, and those of other tenants', async () => {
    const ended = ['Accepted', 'Declined', 'Revoked', 'Expired'] as const;
    const saved = await Promise.all([
      ...ended.map((status) => saveInvitation(tenant, administrator, { status })),
      saveInvitation(tenant, administrator, { expiresAt: `now() - interval '1 second'` }),
    ]);
    const other = await service.tenant();
    const answers = [
      ...saved.map(({ secret }) => lookUp(secret)),
      ...['unknown', '', '\0', 'x'.repeat(5000)].map((secret) => lookUp(secret)),
      ...[other.slug, 'nosuch', '../me', ''].map((slug) => lookUp(invitation.secret, slug)),
      send({ secret: invitation.secret }),
    ];
    const bodies = new Set<string>();
    for (const answer of answers) {
      const response = await answer;
      expectProblem(response, 'resource.not-found');
      bodies.add(JSON.stringify({ ...(response.body as object), instance: '' }));
    }
    expect(bodies.size).toBe(1);
  });

  it('returns 415 for JSON, and 413 for a body of more than 8 KiB', async () => {
    expectProblem(await lookUp().type('json'), 'request.unsupported-media-type');
    expectProblem(await lookUp('x'.repeat(9000)), 'request.too-large');
  });

  it('returns 429 to an address with more than 60 look-ups', async () => {
    const statuses = await Promise.all(Array.from({ length: 65 }, async () => (await lookUp()).status));
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
  });
});
