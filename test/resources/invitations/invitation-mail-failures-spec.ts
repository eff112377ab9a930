import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { freeTestPort } from '../../support/free-test-port.js';
import { SilentServer } from '../../support/servers/silent-server.js';
import { TestService } from '../../support/service/service.js';
import { waitUntil } from '../../support/wait-until.js';
import { MAIL_FROM, MailFixture } from '../notification-preferences/mail-fixture.js';
import { InvitationMails } from './invitation-mails.js';

const NOT_SENT = 'an invitation mail could not be sent';

describe('Invitation mail', () => {
  let mail: MailFixture;
  let invitations: InvitationMails;
  beforeAll(async () => {
    mail = await MailFixture.start({
      INVITATION_URL: 'https://front.example/join',
      LOG_LEVEL: 'trace',
    });
    invitations = new InvitationMails(mail);
  });
  afterAll(() => mail.stop());
  beforeEach(() => mail.reset());

  const refuse = (status: number) =>
    Object.assign(mail.server, { recipientError: 'Not now', recipientStatus: status });

  it('is not sent again when the server refuses the address, and the log does not contain it', async () => {
    const { id } = await invitations.created();
    refuse(550);
    await mail.runDue();
    expect(mail.logLines(NOT_SENT)).toEqual([
      {
        level: 'warn',
        time: expect.any(String),
        tenantId: mail.tenant.id,
        invitationId: id,
        code: 'EENVELOPE',
        command: 'RCPT TO',
        responseCode: 550,
        msg: NOT_SENT,
      },
    ]);
    expect(await mail.tenant.jobs()).toEqual([]);
    expect(mail.written.join('')).not.toContain('bob@people.example');
  });

  it('is sent once when the server accepts it later', async () => {
    const invited = await mail.tenant.nonMember();
    await invitations.created({ email: invited.email });
    refuse(451);
    await mail.runDue();
    expect(await invitations.attempts()).toEqual([1]);
    mail.server.recipientError = undefined;
    await mail.runAll();
    expect([invitations.recipients(), await mail.tenant.jobs()]).toEqual([[invited.email], []]);
    await invited.post('/invitations/accept', { secret: invitations.secrets()[0] }).expect(200);
  });

  it('is given up after the last attempt, with a line in the log', async () => {
    await invitations.created();
    refuse(451);
    await mail.tenant.query(
      `UPDATE graphile_worker._private_jobs SET attempts = max_attempts - 1 WHERE payload ->> 'tenantId' = $1`,
    );
    await mail.runDue();
    expect([mail.logLines(NOT_SENT).length, await mail.tenant.jobs()]).toEqual([1, []]);
  });

  it('is not sent again when the server does not answer after it', async () => {
    await invitations.created();
    mail.server.closesAfterMessage = true;
    await mail.runDue();
    mail.server.closesAfterMessage = false;
    expect([invitations.recipients(), await mail.tenant.jobs()]).toEqual([['bob@people.example'], []]);
    const message = 'the mail server did not answer after an invitation mail; it is not sent again';
    expect(mail.logLines(message)).toHaveLength(1);
    // Sent after the pause that follows such a failure.
    await invitations.created({ email: 'carol@people.example' });
    await waitUntil(async () => {
      await mail.runAll();
      return mail.received.length > 1;
    });
    expect(invitations.recipients()).toEqual(['bob@people.example', 'carol@people.example']);
  });

  it('is not sent again when the process has ended while it was sent', async () => {
    await invitations.created();
    await mail.tenant.query(`UPDATE invitations SET mail_secret_hash = secret_hash WHERE tenant_id = $1`);
    await mail.runDue();
    expect([invitations.recipients(), await mail.tenant.jobs()]).toEqual([[], []]);
  });

  it('leaves no secret, link, message or password in the log', async () => {
    const invited = await mail.tenant.nonMember();
    const answered = await invitations.created({ email: invited.email, message: 'Between us' });
    await mail.runDue();
    const [mailed = ''] = invitations.secrets();
    await mail.reader.post('/invitations/accept', { secret: mailed }).expect(404);
    await mail.admin.get(`/invitations?secret=${answered.secret}`).expect(200);
    await invitations.created({ email: 'dave@people.example', message: 'Between us' });
    // An error in a statement is logged with its details.
    await mail.service.query('ALTER TABLE invitations RENAME TO invitations_away');
    try {
      await invited.post('/invitations/accept', { secret: answered.secret }).expect(500);
      expect((await invitations.invite({ email: 'erin@people.example' })).status).toBe(500);
      await mail.runDue();
    } finally {
      await mail.service.query('ALTER TABLE invitations_away RENAME TO invitations');
    }
    expect([mail.logLines('Internal error').length, mail.logLines('job failed').length]).toEqual([2, 1]);
    await invited.post('/invitations/accept', { secret: mailed }).expect(200);
    const log = mail.written.join('');
    expect(log).toContain('AcceptInvitation');
    const { smtpUrl = '' } = mail.service.configuration;
    const { password } = new URL(smtpUrl);
    const hidden = [answered.secret, mailed, 'front.example', 'Between us'];
    for (const text of [...hidden, password, decodeURIComponent(password)]) expect(log).not.toContain(text);
    for (const { token } of [mail.admin, invited]) expect(log).not.toContain(token);
  });

  it('uses one connection for each worker, and waits in the queue when the service stops', async () => {
    const silent = await SilentServer.start();
    const other = await TestService.start(
      {
        SMTP_URL: `smtp://127.0.0.1:${silent.port}`,
        MAIL_FROM,
        WORKER_CONCURRENCY: '2',
        SHUTDOWN_TIMEOUT_MS: '0',
      },
      mail.service,
    );
    const emails = ['a', 'b', 'c', 'd'].map((name) => `${name}@people.example`);
    try {
      for (const email of emails) await invitations.created({ email });
      await waitUntil(() => silent.connections === 2);
    } finally {
      await other.stop();
      await silent.stop();
    }
    expect([silent.connections, await invitations.attempts()]).toEqual([2, [0, 0, 0, 0]]);
    await mail.runDue();
    expect(invitations.recipients().sort()).toEqual(emails);
  });

  it.each([
    ['is unreachable', async () => `smtp://127.0.0.1:${await freeTestPort()}`],
    ['rejects the password', () => mail.server.url({ password: 'wrong secret' })],
  ])('waits while the server %s', async (_, url) => {
    await invitations.created();
    const environment = { SMTP_URL: await url(), MAIL_FROM, LOG_LEVEL: 'warn' };
    const other = await TestService.start(environment, mail.service, mail.written);
    try {
      await other.runJobs();
    } finally {
      await other.stop();
    }
    expect(await invitations.attempts()).toEqual([1]);
    expect(mail.written.join('')).not.toContain('wrong');
    await mail.runAll();
    expect([invitations.recipients(), await mail.tenant.jobs()]).toEqual([['bob@people.example'], []]);
  });
});
