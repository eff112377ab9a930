import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { expectMember, saveRole } from '../../factories/roles.js';
import { type Actor } from '../../support/actor.js';
import { everyOperation } from '../../support/operations/every-operation.js';
import { expectProblem } from '../../support/expect-problem.js';
import { idempotentCreation } from '../../support/operations/idempotent-creation.js';
import { TestService } from '../../support/service/service.js';
import { type TestTenant } from '../../support/tenant.js';
import { ABSENT, bodyWith } from '../../support/operations/text-rules.js';

interface Member {
  userId: string;
}

describe('AddMember', () => {
  let service: TestService;
  let tenant: TestTenant;
  let admin: Actor;
  let issuer: string;
  let roleId: string;
  beforeAll(async () => {
    service = await TestService.shared();
    issuer = service.issuer.url;
  });
  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator', 'Ada');
    roleId = (await saveRole(tenant, [], 'Machines')).id;
  });

  const users = async (subject: string) =>
    service.query<{ id: string }>('SELECT id FROM users WHERE subject = $1', [subject]);

  everyOperation({
    service: () => service,
    tenant: () => tenant,
    permitted: () => admin,
    permission: 'members.manage',
    send: (actor) => actor.post('/members', { issuer, subject: 'scanner', roleId }),
  });
  const run = randomUUID();
  idempotentCreation({
    tenant: () => tenant,
    actor: () => admin,
    permission: 'members.manage',
    send: (actor, n) => actor.post('/members', { issuer, subject: `scanner ${run} ${n}`, roleId }),
    mismatch: 'request.idempotency-conflict',
  });

  it('201: somebody who has never called, with a row of their own, recorded', async () => {
    const subject = randomUUID();
    const response = await admin.post('/members', {
      issuer,
      subject,
      roleId,
      userId: 'x',
      email: 'x@y.example',
    });
    expect([response.status, response.body]).toEqual([
      201,
      {
        userId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/),
        email: null,
        displayName: null,
        issuer,
        subject,
        role: { id: roleId, key: null, name: 'Machines' },
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    ]);
    expect(response.headers.etag).toBeUndefined();
    const { userId } = response.body as Member;
    expect(await users(subject)).toEqual([{ id: userId }]);
    expect(await tenant.audit()).toEqual([
      {
        actor_id: admin.userId,
        actor_name: 'Ada',
        action: 'MemberAdded',
        subject_type: 'Member',
        subject_id: userId,
        summary: `${subject}: Machines`,
      },
    ]);
    expect(await tenant.notifications()).toEqual([]);
    // It is the very user whom the token with that subject speaks of.
    const me = await admin.bearing(await service.issuer.token({ sub: subject })).get('/me');
    expect([me.status, (me.body as { user: { id: string } }).user.id]).toEqual([200, userId]);
  });

  it('201: a user of another tenant, who can call at once, without name and address before that', async () => {
    const known = await tenant.outsider();
    expectProblem(await known.get('/tags'), 'tenant.no-access');
    const guests = await tenant.roleId('guest');
    const response = await admin.post('/members', {
      issuer,
      subject: known.subject,
      roleId: guests.toUpperCase(),
    });
    expect([response.status, response.body]).toMatchObject([
      201,
      {
        userId: known.userId,
        email: null,
        displayName: null,
        role: { id: guests, key: 'guest', name: 'Guest' },
      },
    ]);
    expect((await known.get('/tags')).status).toBe(200);
    expect((await tenant.audit()).map(({ summary }) => summary)).toEqual([`${known.subject}: Guest`]);
    const { items } = (await admin.get('/members')).body as { items: object[] };
    expect(items).toContainEqual(
      expect.objectContaining({ userId: known.userId, email: known.email, displayName: known.name }),
    );
  });

  it('201: a subject that another issuer has, too, is somebody else', async () => {
    const known = await tenant.as('guest');
    const response = await admin.post('/members', {
      issuer: 'https://login.example.com/realm?x=1',
      subject: known.subject,
      roleId,
    });
    expect(response.status).toBe(201);
    expect((response.body as Member).userId).not.toBe(known.userId);
  });

  it('201: a member of another tenant', async () => {
    const other = await service.tenant();
    const member = await other.as('editor');
    expect((await admin.post('/members', { issuer, subject: member.subject, roleId })).status).toBe(201);
    expect((await member.get('/files')).status).toBe(200);
  });

  it('201: whoever was expected by their verified address is expected no longer', async () => {
    const [known, unverified] = [await tenant.outsider(), await tenant.outsider()];
    await service.query('UPDATE users SET email_verified = false WHERE id = $1', [unverified.userId]);
    for (const { email } of [known, unverified]) {
      await expectMember(tenant, email, await tenant.roleId('administrator'));
    }
    for (const { subject } of [known, unverified]) {
      expect((await admin.post('/members', { issuer, subject, roleId })).status).toBe(201);
    }
    const expected = await service.query('SELECT email FROM expected_members WHERE tenant_id = $1', [
      tenant.id,
    ]);
    expect(expected).toEqual([{ email: unverified.email }]);
  });

  it.each<[string, unknown]>([
    ['not there', ABSENT],
    ['null', null],
    ['a number', 5],
    ['empty', ''],
    ['no URL', 'login.example.com'],
    ['a URL of another kind', 'ftp://login.example.com'],
    ['not trimmed', ' https://login.example.com'],
    ['with a control character', 'https://login.example.com/\u0000'],
    ['with a character that URLs do not have', 'https://login.example.com/ü'],
    ['too long', `https://login.example.com/${'x'.repeat(1000)}`],
  ])('400: for an issuer that is %s', async (_, value) => {
    const before = await tenant.fingerprint();
    const body = bodyWith({ issuer, subject: 'scanner', roleId }, 'issuer', value);
    expectProblem(await admin.post('/members', body), 'request.invalid', ['issuer']);
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it.each<[string, unknown]>([
    ['not there', ABSENT],
    ['null', null],
    ['a number', 5],
    ['empty', ' '],
    ['with a control character', 'a\u0000b'],
    ['with half a surrogate pair', 'a\ud83d'],
    ['too long', 'x'.repeat(256)],
  ])('400: for a subject that is %s', async (_, value) => {
    const before = await tenant.fingerprint();
    const body = bodyWith({ issuer, subject: 'scanner', roleId }, 'subject', value);
    expectProblem(await admin.post('/members', body), 'request.invalid', ['subject']);
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it('201: with an issuer and a subject as long as they may be', async () => {
    const random = Array.from({ length: 40 }, () => randomUUID()).join('');
    const longest = `https://login.example.com/${random}`.slice(0, 1000);
    const subject = Array.from(random, (character) => String.fromCodePoint(0x1f300 + character.charCodeAt(0)))
      .slice(0, 255)
      .join('');
    const response = await admin.post('/members', { issuer: longest, subject, roleId });
    expect([response.status, response.body]).toMatchObject([201, { issuer: longest, subject }]);
  });

  it.each<[string, unknown]>([
    ['not there', ABSENT],
    ['null', null],
    ['no UUID', 'editor'],
    ['in braces', `{${randomUUID()}}`],
    ['of no role', randomUUID()],
  ])('400: for a role id that is %s', async (_, value) => {
    const subject = randomUUID();
    const before = await tenant.fingerprint();
    const body = bodyWith({ issuer, subject, roleId }, 'roleId', value);
    expectProblem(await admin.post('/members', body), 'request.invalid', ['roleId']);
    expect(await tenant.fingerprint()).toEqual(before);
    expect(await users(subject)).toEqual([]);
  });

  it('400: for the role of another tenant, also for who is a member already', async () => {
    const foreign = await (await service.tenant()).roleId('guest');
    const { subject } = await tenant.as('guest');
    expectProblem(await admin.post('/members', { issuer, subject, roleId: foreign }), 'request.invalid', [
      'roleId',
    ]);
  });

  it('400: all faults together', async () => {
    expectProblem(await admin.post('/members', {}), 'request.invalid', ['issuer', 'roleId', 'subject']);
  });

  it('403: with a role that holds what the caller does not; goes before 409', async () => {
    const manager = await tenant.with('members.manage', 'files.read');
    const { id } = await saveRole(tenant, ['files.read', 'files.close']);
    const subject = randomUUID();
    const before = await tenant.fingerprint();
    for (const who of [subject, manager.subject, admin.subject]) {
      expectProblem(
        await manager.post('/members', { issuer, subject: who, roleId: id }),
        'permission.escalation',
      );
    }
    expect(await tenant.fingerprint()).toEqual(before);
    expect(await users(subject)).toEqual([]);
    const held = await saveRole(tenant, ['files.read', 'members.manage']);
    expect((await manager.post('/members', { issuer, subject, roleId: held.id })).status).toBe(201);
  });

  it('409: for who is a member already, whatever the role', async () => {
    const member = await tenant.as('guest');
    const before = await tenant.fingerprint();
    for (const id of [roleId, await tenant.roleId('guest')]) {
      expectProblem(
        await admin.post('/members', { issuer, subject: member.subject, roleId: id }),
        'member.exists',
      );
    }
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it('409: for all but one of those that come at the same time', async () => {
    const subject = randomUUID();
    const statuses = await Promise.all(
      [1, 2, 3, 4].map(async () => (await admin.post('/members', { issuer, subject, roleId })).status),
    );
    expect(statuses.sort()).toEqual([201, 409, 409, 409]);
    expect(await users(subject)).toHaveLength(1);
    expect(await tenant.audit()).toHaveLength(1);
  });
});
