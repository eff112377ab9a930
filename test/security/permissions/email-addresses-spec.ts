import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { saveInvitation } from '../../factories/invitations.js';
import { saveExpectedMember } from '../../factories/roles.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

/** An address that a tenant invites or expects, and the verified address of an attacker. Unicode case folding makes them equal. */
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

/** Two spellings of one address. */
const SAME = [
  ['Admin@OFFICE.example', 'aDMIN@office.EXAMPLE'],
  ['admin@großbank.de', 'admin@XN--GROBANK-2VA.de'],
  ['admin@großbank.de', 'admin@GROẞBANK.de'],
  ['admin@école.example', 'admin@E\u0301COLE.example'],
  ['straße@office.example', 'straße@Office.example'],
] as const;

/** Invalid addresses: the domain has no ASCII form or is an IPv4 address, or NFC changes the name of the mailbox. */
const INVALID = [
  'a@xn--a.de',
  'a@127.1',
  'a@1.2.3.4',
  'a@office.²',
  'mi\u212Ae@office.example',
  'a\u1FEF@office.example',
] as const;

describe('Email addresses of other users', () => {
  let tenant: TestTenant;
  let outsider: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    outsider = await tenant.nonMember();
  });

  /** A user whose token has the address as verified. */
  const owner = async (email: string) => {
    const sub = randomUUID();
    return outsider.withToken(await service.issuer.token({ sub, email, email_verified: true }));
  };
  const expectAdministrator = async (email: string) =>
    saveExpectedMember(tenant, email, await tenant.roleId('administrator'));

  describe.each(TAKEOVERS)('%s (invited) and %s (attacker)', (named, other) => {
    it('do not make the attacker the first administrator', async () => {
      await expectAdministrator(named);
      expectProblem(await (await owner(other)).get('/members'), 'tenant.no-access');
      expect(await tenant.audit()).toEqual([]);
      expect((await (await owner(named)).get('/members')).status).toBe(200);
    });

    it.each(['accept', 'decline'])('do not let the attacker %s the invitation', async (answer) => {
      const { secret } = await saveInvitation(tenant, await tenant.as('administrator'), { email: named });
      const attack = await (await owner(other)).post(`/invitations/${answer}`, { secret });
      expectProblem(attack, 'resource.not-found');
      const answered = await (await owner(named)).post(`/invitations/${answer}`, { secret });
      expect(answered.status).toBe(answer === 'accept' ? 200 : 204);
    });
  });

  it('are different when only Unicode case folding makes them equal', async () => {
    const admin = await tenant.as('administrator');
    const roleId = await tenant.roleId('viewer');
    for (const email of ['admin@grossbank.de', 'admin@großbank.de']) {
      expect((await admin.post('/invitations', { email, roleId })).status).toBe(201);
    }
  });

  describe.each(SAME)('%s and %s', (named, same) => {
    it('admit the expected administrator', async () => {
      await expectAdministrator(named);
      expect((await (await owner(same)).get('/members')).status).toBe(200);
    });

    it('cannot both be invited, nor invited when a member has the address', async () => {
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

  it.each(INVALID)('are not accepted in the form %s, in invitations and in tokens', async (email) => {
    const admin = await tenant.as('administrator');
    const roleId = await tenant.roleId('viewer');
    expectProblem(await admin.post('/invitations', { email, roleId }), 'request.invalid', ['email']);
    await tenant.increaseAccessVersion();
    const caller = await owner(email);
    expectProblem(await caller.get('/members'), 'tenant.no-access');
    const [user] = await service.query('SELECT id FROM users WHERE email = $1', [email.normalize('NFC')]);
    expect(user).toBeUndefined();
  });

  it('do not admit a user whose token no longer contains the expected address', async () => {
    const sub = randomUUID();
    const email = `${sub}@office.example`;
    const former = await service.issuer.token({ sub, email, email_verified: true });
    expectProblem(await outsider.withToken(former).get('/members'), 'tenant.no-access');
    await expectAdministrator(email);
    const without = await service.issuer.token({ sub });
    expectProblem(await outsider.withToken(without).get('/members'), 'tenant.no-access');
  });
});
