import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { saveInvitation } from '../../factories/invitations.js';
import { saveExpectedMember } from '../../factories/roles.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { TestService } from '../../support/service/service.js';
import { type TestTenant } from '../../support/tenant.js';

/** The address that a tenant names, and the verified address of an attacker. Unicode case folding makes them equal. */
const TAKEOVERS = [
  ['admin@grossbank.de', 'admin@großbank.de'],
  ['admin@großbank.de', 'admin@grossbank.de'],
  ['admin@grossbank.de', 'admin@GROẞBANK.de'],
  ['admin@οδός.gr', 'admin@οδόσ.gr'],
  ['strasse@office.example', 'straße@office.example'],
  ['mike@office.example', 'mi\u212Ae@office.example'],
  ['boss@office.example', 'bo\u017F\u017F@office.example'],
  ['office@office.example', 'o\uFB03ce@office.example'],
  ['älter@office.example', 'ÄLTER@office.example'],
] as const;

/** Two ways to write one address. */
const SAME = [
  ['Admin@OFFICE.example', 'aDMIN@office.EXAMPLE'],
  ['admin@großbank.de', 'admin@XN--GROBANK-2VA.de'],
  ['admin@großbank.de', 'admin@GROẞBANK.de'],
  ['admin@école.example', 'admin@E\u0301COLE.example'],
  ['straße@office.example', 'straße@Office.example'],
] as const;

/** Mail cannot reach these: the domain has no ASCII form, or is an IPv4 address, or NFC would rename the mailbox. */
const INVALID = [
  'a@xn--a.de',
  'a@127.1',
  'a@1.2.3.4',
  'a@office.²',
  'mi\u212Ae@office.example',
  'a\u1FEF@office.example',
] as const;

describe('E-mail addresses of other users', () => {
  let service: TestService;
  let tenant: TestTenant;
  let stranger: Actor;
  beforeAll(async () => {
    service = await TestService.shared();
  });
  beforeEach(async () => {
    tenant = await service.tenant();
    stranger = await tenant.nonMember();
  });

  /** Somebody with a token of the issuer that says that the address is verified. */
  const owner = async (email: string) => {
    const sub = randomUUID();
    return stranger.withToken(await service.issuer.token({ sub, email, email_verified: true }));
  };
  const expectAdministrator = async (email: string) =>
    saveExpectedMember(tenant, email, await tenant.roleId('administrator'));

  describe.each(TAKEOVERS)('%s and %s', (named, other) => {
    it('does not make the attacker the first administrator', async () => {
      await expectAdministrator(named);
      expectProblem(await (await owner(other)).get('/members'), 'tenant.no-access');
      expect(await tenant.audit()).toEqual([]);
      expect((await (await owner(named)).get('/members')).status).toBe(200);
    });

    it.each(['accept', 'decline'])('refuses to %s the invitation of the other address', async (answer) => {
      const { secret } = await saveInvitation(tenant, await tenant.as('administrator'), { email: named });
      const attack = await (await owner(other)).post(`/invitations/${answer}`, { secret });
      expectProblem(attack, 'resource.not-found');
      const answered = await (await owner(named)).post(`/invitations/${answer}`, { secret });
      expect(answered.status).toBe(answer === 'accept' ? 200 : 204);
    });
  });

  it('invites two addresses that case folding would make equal', async () => {
    const admin = await tenant.as('administrator');
    const roleId = await tenant.roleId('viewer');
    for (const email of ['admin@grossbank.de', 'admin@großbank.de']) {
      expect((await admin.post('/invitations', { email, roleId })).status).toBe(201);
    }
  });

  describe.each(SAME)('%s and %s', (named, same) => {
    it('admits the expected administrator', async () => {
      await expectAdministrator(named);
      expect((await (await owner(same)).get('/members')).status).toBe(200);
    });

    it('invites the address once, and not when a member has it', async () => {
      const admin = await tenant.as('administrator');
      const roleId = await tenant.roleId('viewer');
      const first = await admin.post('/invitations', { email: named, roleId });
      expect(first.status).toBe(201);
      expectProblem(await admin.post('/invitations', { email: same, roleId }), 'invitation.exists');
      const { secret } = first.body as { secret: string };
      expect((await (await owner(same)).post('/invitations/accept', { secret })).status).toBe(200);
      expectProblem(await admin.post('/invitations', { email: named, roleId }), 'invitation.exists');
    });
  });

  it.each(INVALID)('refuses %s as an address, in an invitation and in a token', async (email) => {
    const admin = await tenant.as('administrator');
    const roleId = await tenant.roleId('viewer');
    expectProblem(await admin.post('/invitations', { email, roleId }), 'request.invalid', ['email']);
    await tenant.increaseAccessVersion();
    const visitor = await owner(email);
    expectProblem(await visitor.get('/members'), 'tenant.no-access');
    const [user] = await service.query('SELECT id FROM users WHERE email = $1', [email.normalize('NFC')]);
    expect(user).toBeUndefined();
  });

  it('does not admit a user whose token no longer has the expected address', async () => {
    const sub = randomUUID();
    const email = `${sub}@office.example`;
    const former = await service.issuer.token({ sub, email, email_verified: true });
    expectProblem(await stranger.withToken(former).get('/members'), 'tenant.no-access');
    await expectAdministrator(email);
    const without = await service.issuer.token({ sub });
    expectProblem(await stranger.withToken(without).get('/members'), 'tenant.no-access');
  });
});
