import { createHash, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveInvitation } from '../../factories/invitations.js';
import { BUILT_IN_ROLES } from '../../../src/common/vocabulary/built-in-roles.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { idempotentCreation } from '../../support/operations/idempotent-creation.js';
import { duringTransaction } from '../../support/locks.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';
import { ABSENT, bodyWith } from '../../support/operations/text-rules.js';
import { RAISE_ACCESS_VERSION } from '../../support/database.js';

interface Created {
  id: string;
  secret: string;
  acceptUrl: string;
  expiresAt: string;
  createdAt: string;
}

const VIEWER = BUILT_IN_ROLES.find(({ key }) => key === 'viewer')?.permissions ?? [];
const DAY_MS = 24 * 60 * 60 * 1000;

describe('CreateInvitation', () => {
  let tenant: TestTenant;
  let admin: Actor;
  let roleId: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator', 'Ada');
    roleId = await tenant.roleId('viewer');
  });

  const invite = (changes: object = {}, actor = admin) =>
    actor.post('/invitations', { email: 'bob@people.example', roleId, ...changes });

  describe('with an Idempotency-Key', () => {
    it('returns 201 once, with the secret only in the first answer', async () => {
      const key = randomUUID();
      const { secret, acceptUrl, ...shown } = (await invite().set('Idempotency-Key', key).expect(201))
        .body as Created;
      expect(acceptUrl).toContain(secret);
      const second = await tenant.expectNoChange(() => invite().set('Idempotency-Key', key));
      expect([second.status, second.body]).toEqual([201, shown]);
      const [stored] = await tenant.query<{ body: string }>(
        'SELECT body FROM idempotency_keys WHERE tenant_id = $1',
      );
      expect(stored?.body).toContain(shown.id);
      expect(stored?.body).not.toContain(secret);
    });

    it('returns 201 to several concurrent requests, one of them with the secret', async () => {
      const key = randomUUID();
      const responses = await Promise.all([1, 2, 3, 4].map(() => invite().set('Idempotency-Key', key)));
      expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
      expect(responses.filter(({ body }) => 'secret' in (body as object))).toHaveLength(1);
      expect(await tenant.audit()).toHaveLength(1);
    });
  });

  idempotentCreation({
    actor: () => admin,
    permission: 'invitations.manage',
    otherPermissions: VIEWER,
    send: (actor, n) => invite({ email: `person-${n}@people.example` }, actor),
    shownOnce: ['secret', 'acceptUrl'],
  });

  it('returns 201 with the invitation, its secret and link, and writes an audit entry', async () => {
    const response = await invite({
      email: ' Bob.Müller@People.example ',
      message: ' Welcome!\n\tSee you. ',
      expiresAt: '2999-12-31T23:30:00.500+01:00',
      status: 'Accepted',
    });
    expect(response.status).toBe(201);
    const { secret, acceptUrl, ...shown } = response.body as Created;
    expect(shown).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      email: 'Bob.Müller@People.example',
      roleId,
      status: 'Pending',
      message: 'Welcome!\n\tSee you.',
      invitedById: admin.userId,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      expiresAt: '2999-12-31T22:30:00.500Z',
      acceptedAt: null,
      revokedAt: null,
    });
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(acceptUrl).toBe(
      `${service.configuration.publicUrl}/invitation#tenant=${tenant.slug}&secret=${secret}`,
    );
    expect(await tenant.audit()).toEqual([
      admin.entry('InvitationCreated', 'Invitation', shown.id, 'Bob.Müller@People.example: Viewer'),
    ]);
    expect(await tenant.notifications()).toEqual([]);
  });

  it('returns 201 with an end after 14 days by default, and a different secret each time', async () => {
    const bodies: Created[] = [];
    for (const email of ['a@people.example', 'b@people.example']) {
      const response = await invite({ email, message: null, expiresAt: null });
      expect(response.body).toMatchObject({ message: null });
      bodies.push(response.body as Created);
    }
    for (const { createdAt, expiresAt } of bodies)
      expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(14 * DAY_MS);
    expect(bodies[0]?.secret).not.toBe(bodies[1]?.secret);
  });

  it('returns 201 and stores only a hash of the secret', async () => {
    const { id, secret } = (await invite({ message: 'Hello' })).body as Created;
    const [row] = await tenant.query<{ hash: Buffer; text: string }>(
      'SELECT secret_hash AS hash, i::text AS text FROM invitations i WHERE tenant_id = $1 AND id = $2',
      id,
    );
    expect(row?.hash).toEqual(createHash('sha256').update(secret).digest());
    expect(row?.text).not.toContain(secret);
    const everything = JSON.stringify([await tenant.audit(), await tenant.notifications()]);
    expect(everything).not.toContain(secret);
  });

  it.each([
    ['email', 'absent', ABSENT],
    ['email', 'null', null],
    ['email', 'empty', ''],
    ['email', 'a number', 5],
    ['email', 'a text without an @', 'bob.people.example'],
    ['email', 'an address with a name', 'Bob <bob@people.example>'],
    ['email', 'two addresses', 'bob@people.example,carol@people.example'],
    ['email', 'an address of two lines', 'bob@people.example\nBcc: carol@people.example'],
    ['email', 'an address with a space', 'bob smith@people.example'],
    ['email', 'too long', `bob@${'a'.repeat(250)}.example`],
    ['email', 'a text with half a surrogate pair', 'b\ud83d@people.example'],
    ['roleId', 'absent', ABSENT],
    ['roleId', 'null', null],
    ['roleId', 'not a UUID', 'viewer'],
    ['message', 'a number', 5],
    ['message', 'too long', 'x'.repeat(2001)],
    ['message', 'a text with NUL', 'a\u0000b'],
    ['message', 'a text with a control character', 'a\u0007b'],
    ['message', 'a text with half a surrogate pair', 'half \ud83d'],
    ['expiresAt', 'not a date-time', 'tomorrow'],
    ['expiresAt', 'a time without offset', '2999-12-31T12:00:00'],
    ['expiresAt', 'a number', 32503680000],
  ])('returns 400 when %s is %s', (member, _, value) => {
    const body = bodyWith({ email: 'bob@people.example', roleId }, member, value);
    return expectRefused(tenant, admin.post('/invitations', body), 'request.invalid', [member]);
  });

  it('returns 400 for a role that is not in this tenant', async () => {
    const foreign = await (await service.tenant()).roleId('viewer');
    for (const id of [foreign, randomUUID(), admin.userId])
      await expectRefused(tenant, invite({ roleId: id }), 'request.invalid', ['roleId']);
  });

  it('returns 400 for an end in the past, together with an unknown role', async () => {
    const past = { expiresAt: '2020-01-01T00:00:00Z' };
    await expectRefused(tenant, invite(past), 'request.invalid', ['expiresAt']);
    const both = invite({ ...past, roleId: randomUUID() });
    await expectRefused(tenant, both, 'request.invalid', ['roleId', 'expiresAt']);
  });

  it('returns 403 for a role with more permissions than the caller has, rather than 409', async () => {
    const inviter = await tenant.with('invitations.manage', 'files.read', 'documents.read');
    await saveInvitation(tenant, admin, { email: 'bob@people.example' });
    const administrator = await tenant.roleId('administrator');
    for (const changes of [{}, { roleId: administrator }, { email: admin.email }])
      await expectRefused(tenant, invite(changes, inviter), 'permission.escalation');
  });

  it('returns 400 for an unknown role rather than 403 for its permissions', async () => {
    const inviter = await tenant.with('invitations.manage');
    expectProblem(await invite({ roleId: randomUUID() }, inviter), 'request.invalid', ['roleId']);
  });

  it.each(['bob@people.example', 'BOB@People.Example', ' bob@people.example '])(
    'returns 409 for %j when bob@people.example has a pending invitation',
    async (email) => {
      await invite().expect(201);
      await expectRefused(tenant, invite({ email }), 'invitation.exists');
    },
  );

  it.each(['Expired', 'Accepted', 'Declined', 'Revoked'] as const)(
    'returns 201 when an earlier invitation to the address is %s',
    async (status) => {
      const { id } = await saveInvitation(tenant, admin, { email: 'bob@people.example', status });
      await invite().expect(201);
      const rows = await tenant.query('SELECT status FROM invitations WHERE tenant_id = $1 AND id = $2', id);
      expect(rows).toEqual([{ status }]);
    },
  );

  it('returns 201 when an earlier invitation has expired but is still stored as Pending', async () => {
    const old = await saveInvitation(tenant, admin, { email: 'bob@people.example', expiresAt: 'now()' });
    const next = await invite({ email: 'BOB@people.example' }).expect(201);
    const { items } = (await admin.get('/invitations')).body as { items: { id: string; status: string }[] };
    expect(items.map(({ id, status }) => [id, status])).toEqual([
      [(next.body as Created).id, 'Pending'],
      [old.id, 'Expired'],
    ]);
  });

  it('returns 409 for the address of a member, ignoring case', async () => {
    const member = await tenant.as('guest');
    for (const email of [member.email, member.email.toUpperCase()])
      await expectRefused(tenant, invite({ email }), 'invitation.exists');
  });

  it('returns 201 for the address of a member or invited user of another tenant', async () => {
    const elsewhere = await service.tenant();
    const stranger = await elsewhere.as('guest');
    await invite({ email: stranger.email }).expect(201);
    await saveInvitation(elsewhere, await elsewhere.as('administrator'), { email: 'carol@people.example' });
    await invite({ email: 'carol@people.example' }).expect(201);
  });

  it('returns 201 to exactly one of several concurrent requests, 409 to the others', async () => {
    const emails = ['bob@people.example', 'Bob@people.example', 'BOB@people.example', 'bOB@people.example'];
    const statuses = await Promise.all(emails.map(async (email) => (await invite({ email })).status));
    expect(statuses.sort()).toEqual([201, 409, 409, 409]);
    expect(await tenant.audit()).toHaveLength(1);
  });

  it('returns 409 for the address of a user who becomes a member at the same time', async () => {
    const newcomer = await tenant.nonMember();
    const response = await duringTransaction(
      service,
      `WITH turn AS (${RAISE_ACCESS_VERSION})
       INSERT INTO members (tenant_id, user_id, role_id, first_called_at) VALUES ($1, $2, $3, now())`,
      [tenant.id, newcomer.userId, roleId],
      () => invite({ email: newcomer.email }),
    );
    expectProblem(response, 'invitation.exists');
  });

  it('returns 400 for a role that is deleted at the same time', async () => {
    const response = await duringTransaction(
      service,
      `WITH turn AS (${RAISE_ACCESS_VERSION})
       DELETE FROM roles WHERE tenant_id = $1 AND id = $2`,
      [tenant.id, roleId],
      () => invite(),
    );
    expectProblem(response, 'request.invalid', ['roleId']);
  });
});
