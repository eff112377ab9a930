import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { saveExpectedMember, saveRole } from '../../factories/roles.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { idempotentCreation } from '../../support/operations/idempotent-creation.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';
import { ABSENT, bodyWith } from '../../support/operations/text-rules.js';

interface Member {
  userId: string;
}

describe('AddMember', () => {
  let tenant: TestTenant;
  let admin: Actor;
  let issuer: string;
  let roleId: string;
  beforeAll(async () => {
    issuer = service.issuer.url;
  });
  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator', 'Ada');
    roleId = (await saveRole(tenant, [], 'Machines')).id;
  });

  const users = async (subject: string) =>
    service.query<{ id: string }>('SELECT id FROM users WHERE subject = $1', [subject]);

  const run = randomUUID();
  idempotentCreation({
    actor: () => admin,
    permission: 'members.manage',
    send: (actor, n) => actor.post('/members', { issuer, subject: `scanner ${run} ${n}`, roleId }),
  });

  it('returns 201 for a user who has never called, creates the user and writes an audit entry', async () => {
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
      admin.entry('MemberAdded', 'Member', userId, `${subject}: Machines`),
    ]);
    expect(await tenant.notifications()).toEqual([]);
    // A token with this subject identifies the created user.
    const me = await admin.withToken(await service.issuer.token({ sub: subject })).get('/me');
    expect([me.status, (me.body as { user: { id: string } }).user.id]).toEqual([200, userId]);
  });

  it('returns 201 for a known user, without name and address until the first call', async () => {
    const known = await tenant.nonMember();
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

  it('returns 201 with another user for the same subject of another issuer', async () => {
    const known = await tenant.as('guest');
    const response = await admin.post('/members', {
      issuer: 'https://login.example.com/realm?x=1',
      subject: known.subject,
      roleId,
    });
    expect(response.status).toBe(201);
    expect((response.body as Member).userId).not.toBe(known.userId);
  });

  it('returns 201 for a member of another tenant', async () => {
    const other = await service.tenant();
    const member = await other.as('editor');
    expect((await admin.post('/members', { issuer, subject: member.subject, roleId })).status).toBe(201);
    expect((await member.get('/files')).status).toBe(200);
  });

  it('returns 201 and removes the expected member with the same verified address', async () => {
    const [known, unverified] = [await tenant.nonMember(), await tenant.nonMember()];
    await service.query('UPDATE users SET email_verified = false WHERE id = $1', [unverified.userId]);
    for (const { email } of [known, unverified]) {
      await saveExpectedMember(tenant, email, await tenant.roleId('administrator'));
    }
    for (const { subject } of [known, unverified]) {
      expect((await admin.post('/members', { issuer, subject, roleId })).status).toBe(201);
    }
    const expected = await tenant.query('SELECT email FROM expected_members WHERE tenant_id = $1');
    expect(expected).toEqual([{ email: unverified.email }]);
  });

  it.each<[string, unknown]>([
    ['absent', ABSENT],
    ['null', null],
    ['a number', 5],
    ['empty', ''],
    ['not a URL', 'login.example.com'],
    ['a URL with another scheme', 'ftp://login.example.com'],
    ['a URL after a space', ' https://login.example.com'],
    ['a URL with a control character', 'https://login.example.com/\u0000'],
    ['a URL with an invalid character', 'https://login.example.com/ü'],
    ['too long', `https://login.example.com/${'x'.repeat(1000)}`],
  ])('returns 400 for an issuer that is %s', async (_, value) => {
    const body = bodyWith({ issuer, subject: 'scanner', roleId }, 'issuer', value);
    await expectRefused(tenant, admin.post('/members', body), 'request.invalid', ['issuer']);
  });

  it.each<[string, unknown]>([
    ['absent', ABSENT],
    ['null', null],
    ['a number', 5],
    ['empty', ' '],
    ['a text with a control character', 'a\u0000b'],
    ['a text with half a surrogate pair', 'a\ud83d'],
    ['too long', 'x'.repeat(256)],
  ])('returns 400 for a subject that is %s', async (_, value) => {
    const body = bodyWith({ issuer, subject: 'scanner', roleId }, 'subject', value);
    await expectRefused(tenant, admin.post('/members', body), 'request.invalid', ['subject']);
  });

  it('returns 201 for an issuer and a subject of the maximum length', async () => {
    const random = Array.from({ length: 40 }, () => randomUUID()).join('');
    const longest = `https://login.example.com/${random}`.slice(0, 1000);
    const subject = Array.from(random, (character) => String.fromCodePoint(0x1f300 + character.charCodeAt(0)))
      .slice(0, 255)
      .join('');
    const response = await admin.post('/members', { issuer: longest, subject, roleId });
    expect([response.status, response.body]).toMatchObject([201, { issuer: longest, subject }]);
  });

  it.each<[string, unknown]>([
    ['absent', ABSENT],
    ['null', null],
    ['not a UUID', 'editor'],
    ['a UUID in braces', `{${randomUUID()}}`],
    ['unknown', randomUUID()],
  ])('returns 400 for a role id that is %s', async (_, value) => {
    const subject = randomUUID();
    const body = bodyWith({ issuer, subject, roleId }, 'roleId', value);
    await expectRefused(tenant, admin.post('/members', body), 'request.invalid', ['roleId']);
    expect(await users(subject)).toEqual([]);
  });

  it('returns 400 for the role of another tenant, even for an existing member', async () => {
    const foreign = await (await service.tenant()).roleId('guest');
    const { subject } = await tenant.as('guest');
    expectProblem(await admin.post('/members', { issuer, subject, roleId: foreign }), 'request.invalid', [
      'roleId',
    ]);
  });

  it('returns 400 and lists all errors together', async () => {
    expectProblem(await admin.post('/members', {}), 'request.invalid', ['issuer', 'roleId', 'subject']);
  });

  it('returns 403 for a role with permissions that the caller lacks, rather than 409', async () => {
    const manager = await tenant.with('members.manage', 'files.read');
    const { id } = await saveRole(tenant, ['files.read', 'files.close']);
    const subject = randomUUID();
    const before = await tenant.fingerprint();
    for (const target of [subject, manager.subject, admin.subject]) {
      expectProblem(
        await manager.post('/members', { issuer, subject: target, roleId: id }),
        'permission.escalation',
      );
    }
    expect(await tenant.fingerprint()).toEqual(before);
    expect(await users(subject)).toEqual([]);
    const allowed = await saveRole(tenant, ['files.read', 'members.manage']);
    expect((await manager.post('/members', { issuer, subject, roleId: allowed.id })).status).toBe(201);
  });

  it('returns 409 for an existing member, whatever the role', async () => {
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

  it('returns 201 to exactly one of several concurrent requests, 409 to the others', async () => {
    const subject = randomUUID();
    const statuses = await Promise.all(
      [1, 2, 3, 4].map(async () => (await admin.post('/members', { issuer, subject, roleId })).status),
    );
    expect(statuses.sort()).toEqual([201, 409, 409, 409]);
    expect(await users(subject)).toHaveLength(1);
    expect(await tenant.audit()).toHaveLength(1);
  });
});
