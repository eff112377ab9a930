import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { MailServer } from '../../support/servers/mail-server.js';
import { waitFor } from '../../support/wait-until.js';
import { freeTestPort } from '../../support/free-test-port.js';
import { TestService } from '../../support/service/service.js';
import { type TestTenant } from '../../support/tenant.js';

interface Created {
  id: string;
  secret: string;
  acceptUrl: string;
}

const PASSWORD = 'p@ss:word/?';

describe('CreateInvitation by mail', () => {
  let mails: MailServer;
  let service: TestService;
  let tenant: TestTenant;
  let admin: Actor;
  const written: string[] = [];
  beforeAll(async () => {
    mails = await MailServer.start({ user: 'filing', password: PASSWORD });
    service = await TestService.start(
      {
        SMTP_URL: mails.url(),
        MAIL_FROM: 'Ablage Süd <filing@service.example>',
        INVITATION_URL: 'https://front.example/join?lang=de',
        LOG_LEVEL: 'trace',
        LOG_FORMAT: 'json',
      },
      undefined,
      { write: (line) => void written.push(line) },
    );
  });
  afterAll(async () => {
    await service.stop();
    await mails.stop();
  });
  beforeEach(async () => {
    mails.received.length = 0;
    mails.recipientError = undefined;
    mails.delayMs = 0;
    written.length = 0;
    tenant = await service.tenant();
    await service.query('UPDATE tenants SET name = $2 WHERE id = $1', [tenant.id, 'Bauamt “Süd” & Söhne']);
    await tenant.increaseAccessVersion();
    admin = await tenant.as('administrator', 'Ada Löwe');
  });

  const invite = async (changes: object = {}) =>
    admin.post('/invitations', {
      email: 'bob@people.example',
      roleId: await tenant.roleId('viewer'),
      expiresAt: '2999-12-31T22:30:00Z',
      ...changes,
    });
  const logLine = (message: string) =>
    waitFor(
      () =>
        written.map((text) => JSON.parse(text) as Record<string, unknown>).find(({ msg }) => msg === message),
      `The log line “${message}”`,
    );

  it('returns 201 and sends a mail in German and English with the link', async () => {
    const { secret, acceptUrl } = (await invite({ message: 'Hallo Bob,\nbis <morgen>!' })).body as Created;
    const mail = await mails.next();
    expect([mail.from, mail.to]).toEqual(['filing@service.example', ['bob@people.example']]);
    expect(Object.fromEntries(mail.headers)).toMatchObject({
      from: 'Ablage Süd <filing@service.example>',
      to: 'bob@people.example',
      subject: 'Einladung / Invitation: Bauamt “Süd” & Söhne',
      'auto-submitted': 'auto-generated',
      'content-type': 'text/plain; charset=utf-8',
    });
    expect(acceptUrl).toBe(`https://front.example/join?lang=de#tenant=${tenant.slug}&secret=${secret}`);
    const [german = '', english = ''] = mail.text.split(/\n-{10,}\n/);
    for (const part of [german, english]) {
      expect(part).toContain(`\n${acceptUrl}\n`);
      expect(part).toContain('\n> Hallo Bob,\n> bis <morgen>!\n');
      expect(part).toContain('Bauamt “Süd” & Söhne');
      expect(part).toContain('Ada Löwe');
      expect(part).toContain('Viewer');
    }
    expect(german).toContain('31. Dezember 2999 um 22:30 (UTC)');
    expect(english).toContain('31 December 2999 at 22:30 (UTC)');
  });

  it('returns 201 and sends one mail for repeated requests with one Idempotency-Key', async () => {
    const key = randomUUID();
    const body = { email: 'bob@people.example', roleId: await tenant.roleId('viewer') };
    for (let n = 0; n < 3; n += 1)
      await admin.post('/invitations', body).set('Idempotency-Key', key).expect(201);
    await mails.next();
    await invite({ email: 'carol@people.example' });
    expect((await mails.next()).to).toEqual(['carol@people.example']);
    expect(mails.received).toEqual([]);
  });

  it('returns 409 and sends no mail when an invitation is pending', async () => {
    await invite();
    await mails.next();
    expectProblem(await invite(), 'invitation.exists');
    await invite({ email: 'carol@people.example' });
    expect((await mails.next()).to).toEqual(['carol@people.example']);
  });

  it('returns 201 when the mail server rejects the address, and logs the error without it', async () => {
    mails.recipientError = 'No such user';
    const response = await invite();
    expect(response.status).toBe(201);
    const { id } = response.body as Created;
    expect(await logLine('an invitation mail could not be sent')).toEqual({
      level: 'warn',
      time: expect.any(String),
      tenantId: tenant.id,
      invitationId: id,
      code: 'EENVELOPE',
      command: 'RCPT TO',
      responseCode: 550,
      msg: 'an invitation mail could not be sent',
    });
    expect(written.join('')).not.toContain('bob@people.example');
  });

  it('returns 201 and never logs the secret, the link, the message or the password', async () => {
    const invited = await tenant.nonMember();
    mails.recipientError = 'No such user';
    const first = (await invite({ email: invited.email, message: 'Between us' })).body as Created;
    await logLine('an invitation mail could not be sent');
    mails.recipientError = undefined;
    const second = (await invite({ email: 'dave@people.example' })).body as Created;
    await mails.next();
    await invited.post('/invitations/accept', { secret: second.secret }).expect(404);
    await invited.post('/invitations/accept', { secret: first.secret }).expect(200);
    await invited.post('/invitations/decline', { secret: first.secret }).expect(404);
    await admin.get(`/invitations?secret=${second.secret}`).expect(200);
    // An error in a statement is logged with its details.
    await service.query('ALTER TABLE invitations RENAME TO invitations_away');
    try {
      await invited.post('/invitations/accept', { secret: second.secret }).expect(500);
      await invite({ email: 'erin@people.example' }).then(({ status }) => expect(status).toBe(500));
    } finally {
      await service.query('ALTER TABLE invitations_away RENAME TO invitations');
    }
    await logLine('Internal error');
    const log = written.join('');
    expect(log).toContain('AcceptInvitation');
    for (const hidden of [
      first.secret,
      second.secret,
      'front.example',
      'Between us',
      PASSWORD,
      encodeURIComponent(PASSWORD),
    ])
      expect(log).not.toContain(hidden);
    for (const { token } of [admin, invited]) expect(log).not.toContain(token);
  });

  describe('with a failing mail server', () => {
    const start = (url: string) =>
      TestService.start(
        { SMTP_URL: url, MAIL_FROM: 'filing@service.example', LOG_LEVEL: 'warn', LOG_FORMAT: 'json' },
        service,
        {
          write: (line) => void written.push(line),
        },
      );
    const inviteThrough = async (url: string): Promise<Record<string, unknown>> => {
      const other = await start(url);
      try {
        const there = admin.inTenant(Object.create(tenant, { service: { value: other } }) as TestTenant);
        const body = { email: 'bob@people.example', roleId: await tenant.roleId('viewer') };
        const response = await there.post('/invitations', body);
        expect([response.status, (response.body as Created).secret]).toEqual([201, expect.any(String)]);
        return await logLine('an invitation mail could not be sent');
      } finally {
        await other.stop();
      }
    };

    it('returns 201 and logs the error when the mail server is unreachable', async () => {
      expect(await inviteThrough(`smtp://127.0.0.1:${await freeTestPort()}`)).toMatchObject({
        code: 'ESOCKET',
        command: 'CONN',
      });
    });

    it('returns 201 and logs the error when the mail server rejects the password', async () => {
      const url = mails.url({ password: 'wrong secret' });
      expect(await inviteThrough(url)).toMatchObject({ code: 'EAUTH', responseCode: 535 });
      expect(written.join('')).not.toContain('wrong');
    });
  });

  it('returns 201, and the service finishes sending the mail before it stops', async () => {
    const other = await TestService.start({ SMTP_URL: mails.url(), MAIL_FROM: 'filing@service.example' });
    const theirs = await other.tenant();
    const inviter = await theirs.as('administrator');
    const roleId = await theirs.roleId('viewer');
    mails.delayMs = 1500;
    await inviter.post('/invitations', { email: 'late@people.example', roleId }).expect(201);
    await other.stop();
    expect(mails.received.map(({ to }) => to)).toEqual([['late@people.example']]);
  });
});
