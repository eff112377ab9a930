import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { expectProblem } from '../../support/expect-problem.js';
import { MailFixture } from '../notification-preferences/mail-fixture.js';
import { InvitationMails } from './invitation-mails.js';

describe('CreateInvitation by mail', () => {
  let mail: MailFixture;
  let invitations: InvitationMails;
  beforeAll(async () => {
    mail = await MailFixture.start({
      INVITATION_URL: 'https://front.example/join?lang=de',
      INVITATION_MAILS_PER_INVITER: '4',
      INVITATION_MAILS_PER_TENANT: '6',
    });
    invitations = new InvitationMails(mail);
  });
  afterAll(() => mail.stop());
  beforeEach(() => mail.reset());

  it('returns 201 and sends a mail in German and English with a link', async () => {
    const { tenant } = mail;
    await tenant.query('UPDATE tenants SET name = $2 WHERE id = $1', 'Bauamt “Süd” & Söhne');
    await tenant.increaseAccessVersion();
    const { acceptUrl } = await invitations.created({ message: 'Hallo Bob,\nbis <morgen>!' });
    await mail.runDue();
    const [link = ''] = invitations.links();
    const sent = await mail.server.next();
    expect([sent.from, sent.to]).toEqual(['filing@service.example', ['bob@people.example']]);
    expect(Object.fromEntries(sent.headers)).toMatchObject({
      from: 'Ablage Süd <filing@service.example>',
      to: 'bob@people.example',
      subject: 'Einladung / Invitation: Bauamt “Süd” & Söhne',
      'auto-submitted': 'auto-generated',
      'content-type': 'text/plain; charset=utf-8',
    });
    for (const one of [link, acceptUrl]) {
      const [page, parameters] = one.split('#');
      expect(page).toBe('https://front.example/join?lang=de');
      expect(Object.fromEntries(new URLSearchParams(parameters))).toEqual({
        tenant: tenant.slug,
        secret: expect.stringMatching(/^[\w-]{43}$/),
      });
    }
    const [german = '', english = ''] = sent.text.split(/\n-{10,}\n/);
    for (const part of [german, english]) {
      expect(part).toContain(`\n${link}\n`);
      expect(part).toContain('\n> Hallo Bob,\n> bis <morgen>!\n');
      expect(part).toContain('Bauamt “Süd” & Söhne');
      expect(part).toContain('Ada Admin');
    }
    expect(german).toContain('mit der Rolle „Einsicht“');
    expect(english).toContain('with the role “Viewer”');
    expect(german).toContain('31. Dezember 2999 um 23:30 (Europe/Berlin)');
    expect(english).toContain('31 December 2999 at 23:30 (Europe/Berlin)');
  });

  it('returns 201, and the links in mail and answer are valid until one of them is used', async () => {
    const [one, other] = [await mail.tenant.nonMember(), await mail.tenant.nonMember()];
    const answers = [];
    for (const { email } of [one, other]) answers.push((await invitations.created({ email })).secret);
    await mail.runDue();
    const mails = invitations.secrets();
    expect(new Set([...mails, ...answers]).size).toBe(4);
    await other.post('/invitations/accept', { secret: mails[0] }).expect(404);
    await one.post('/invitations/accept', { secret: mails[0] }).expect(200);
    await one.post('/invitations/decline', { secret: answers[0] }).expect(404);
    await other.post('/invitations/decline', { secret: answers[1] }).expect(204);
    await other.post('/invitations/accept', { secret: mails[1] }).expect(404);
  });

  it('returns 201 and stores neither of the secrets, also not in the job', async () => {
    const { tenant } = mail;
    const { id, secret } = await invitations.created();
    expect(await tenant.jobs()).toEqual([
      { key: `SendInvitationMail:${id}`, payload: { tenantId: tenant.id, invitationId: id }, attempts: 0 },
    ]);
    await mail.runDue();
    const [row] = await tenant.query<{ text: string }>(
      'SELECT i::text AS text FROM invitations i WHERE tenant_id = $1',
    );
    const [mailed = ''] = invitations.secrets();
    for (const hidden of [secret, mailed])
      for (const stored of [hidden, Buffer.from(hidden).toString('hex')])
        expect(row?.text).not.toContain(stored);
  });

  it('returns 201 and sends no mail with sendMail false', async () => {
    const { acceptUrl } = await invitations.created({ sendMail: false });
    expect(acceptUrl).toContain('https://front.example/join');
    expect(await mail.tenant.jobs()).toEqual([]);
  });

  it('returns 400 when sendMail is not a boolean', async () => {
    for (const sendMail of [null, 'false', 0])
      expectProblem(await invitations.invite({ sendMail }), 'request.invalid', ['sendMail']);
  });

  it('returns 201 and sends one mail for repeated requests with one Idempotency-Key', async () => {
    const key = randomUUID();
    const body = { email: 'bob@people.example', roleId: await mail.tenant.roleId('viewer') };
    for (let n = 0; n < 3; n += 1)
      await mail.admin.post('/invitations', body).set('Idempotency-Key', key).expect(201);
    await mail.runDue();
    expect(invitations.recipients()).toEqual(['bob@people.example']);
  });

  it('returns 409 and sends no mail when an invitation is pending, also at the limit of mails', async () => {
    for (let n = 0; n < 3; n += 1) await invitations.createdAndRevoked();
    await invitations.created({ sendMail: false });
    expectProblem(await invitations.invite(), 'invitation.exists');
    expect(await mail.tenant.jobs()).toHaveLength(3);
  });

  it('returns 201 and sends no mail for an invitation that has ended meanwhile', async () => {
    await invitations.createdAndRevoked();
    for (const answer of ['accept', 'decline']) {
      const actor = await mail.tenant.nonMember();
      const { secret } = await invitations.created({ email: actor.email });
      expect((await actor.post(`/invitations/${answer}`, { secret })).status).toBeLessThan(300);
    }
    await invitations.created({ email: 'late@people.example' });
    await mail.tenant.query(
      `UPDATE invitations SET expires_at = now() - interval '1 second' WHERE tenant_id = $1 AND email = 'late@people.example'`,
    );
    await mail.runDue();
    expect([invitations.recipients(), await mail.tenant.jobs()]).toEqual([[], []]);
  });

  describe('beyond the limits of 24 hours', () => {
    /** Returns the seconds in Retry-After. */
    const expectTooMany = async (detail: string, changes: object = {}, actor = mail.admin) => {
      const response = await mail.tenant.expectNoChange(() => invitations.invite(changes, actor));
      expectProblem(response, 'invitation.too-many-mails');
      expect((response.body as { detail: string }).detail).toContain(detail);
      return Number(response.headers['retry-after']);
    };

    it('returns 429 for the fourth mail to an address in any form, also after revocations', async () => {
      const start = Date.now();
      for (const email of ['Bob@people.example', 'bob@PEOPLE.example', 'bob@people.example'])
        await invitations.createdAndRevoked({ email });
      await mail.pass('23 hours');
      const seconds = await expectTooMany('at most 3', { email: 'BOB@people.example' });
      expect(seconds).toBeLessThanOrEqual(3600);
      expect(seconds).toBeGreaterThanOrEqual(3600 - Math.ceil((Date.now() - start) / 1000));
      await invitations.created({ email: 'carol@people.example' });
      await invitations.createdAndRevoked({ sendMail: false });
      const elsewhere = await mail.service.tenant();
      const body = { email: 'bob@people.example', roleId: await elsewhere.roleId('viewer') };
      await (await elsewhere.as('administrator')).post('/invitations', body).expect(201);
      await mail.pass('61 minutes');
      await invitations.created();
    });

    it('returns 429 beyond the limits of a member and of the tenant', async () => {
      for (let n = 0; n < 4; n += 1) await invitations.created({ email: `a${n}@people.example` });
      await expectTooMany('A member can send at most 4');
      const other = await mail.tenant.as('administrator');
      for (const email of ['b@people.example', 'c@people.example'])
        expect((await invitations.invite({ email }, other)).status).toBe(201);
      await expectTooMany('members of a tenant can send at most 6', {}, other);
      expect((await invitations.invite({ sendMail: false }, other)).status).toBe(201);
    });

    it('returns 429 to all but the allowed number of concurrent requests', async () => {
      const inviters = [await mail.tenant.as('administrator'), await mail.tenant.as('administrator')];
      const responses = await Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          invitations.invite({ email: `p${n}@people.example` }, inviters[n % 2]),
        ),
      );
      const statuses = responses.map(({ status }) => status);
      expect(statuses.filter((status) => status === 201)).toHaveLength(6);
      expect(statuses.filter((status) => status === 429)).toHaveLength(6);
      await mail.runDue();
    });
  });
});
