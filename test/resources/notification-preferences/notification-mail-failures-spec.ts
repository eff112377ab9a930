import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { freeTestPort } from '../../support/free-test-port.js';
import { TestService } from '../../support/service/service.js';
import { waitUntil } from '../../support/wait-until.js';
import { MailFixture } from './mail-fixture.js';

const ZONE = 'Europe/Berlin';

describe('Notification mail with a failing mail server', () => {
  let mail: MailFixture;
  beforeAll(async () => {
    mail = await MailFixture.start();
  });
  afterAll(() => mail.stop());
  beforeEach(() => mail.reset());

  const jobAttempts = async () => (await mail.tenant.jobs()).map(({ attempts }) => attempts);

  it('is sent once when the server accepts it later', async () => {
    await mail.prefer({ FileClosed: 'immediate' });
    await mail.closeFile();
    Object.assign(mail.server, { recipientError: 'Come back later', recipientStatus: 451 });
    await mail.runDue();
    expect(await jobAttempts()).toEqual([1]);
    expect(await mail.pendingMails()).toEqual([{ mode: 'immediate', isClaimed: false }]);
    mail.server.recipientError = undefined;
    await mail.runAll();
    expect(mail.received).toHaveLength(1);
    expect([await mail.pendingMails(), await mail.tenant.jobs()]).toEqual([[], []]);
  });

  it('is not sent again when the server refuses the address, and the log does not contain it', async () => {
    await mail.prefer({ FileClosed: 'immediate' });
    await mail.closeFile({ name: 'Geheime Akte' });
    mail.server.recipientError = 'No such user';
    await mail.runDue();
    expect([await mail.pendingMails(), await mail.tenant.jobs()]).toEqual([[], []]);
    expect(mail.logLines('a notification mail could not be sent')).toEqual([
      expect.objectContaining({
        level: 'warn',
        tenantId: mail.tenant.id,
        userId: mail.reader.userId,
        mode: 'immediate',
        notifications: 1,
        command: 'RCPT TO',
        responseCode: 550,
      }),
    ]);
    const log = mail.written.join('');
    for (const hidden of [mail.reader.email, 'Edda', 'Geheime', 'No such user', 'unsubscribe/'])
      expect(log).not.toContain(hidden);
  });

  it('is given up after the last attempt, with a line in the log', async () => {
    await mail.prefer({ FileClosed: 'immediate' });
    await mail.closeFile();
    Object.assign(mail.server, { recipientError: 'Come back later', recipientStatus: 451 });
    await mail.tenant.query(
      `UPDATE graphile_worker._private_jobs SET attempts = max_attempts - 1 WHERE payload ->> 'tenantId' = $1`,
    );
    await mail.runDue();
    expect([await mail.pendingMails(), await mail.tenant.jobs()]).toEqual([[], []]);
    expect(mail.logLines('a notification mail could not be sent')).toHaveLength(1);
  });

  it('is given up after two days, also if new notifications reset the attempts', async () => {
    await mail.prefer({ FileClosed: 'immediate' });
    await mail.closeFile();
    await mail.pass('49 hours');
    await mail.closeFile();
    Object.assign(mail.server, { recipientError: 'Come back later', recipientStatus: 451 });
    await mail.runDue();
    expect(await mail.pendingMails()).toHaveLength(1);
    expect(mail.logLines('a notification mail could not be sent')).toMatchObject([{ notifications: 1 }]);
  });

  it('is not sent again when the server does not answer after the message', async () => {
    await mail.prefer({ FileClosed: 'immediate' });
    await mail.closeFile();
    mail.server.closesAfterMessage = true;
    await mail.runDue();
    mail.server.closesAfterMessage = false;
    expect(mail.received).toHaveLength(1);
    expect([await mail.pendingMails(), await mail.tenant.jobs()]).toEqual([[], []]);
    // Sent after the pause that follows such a failure.
    await mail.pass('2 minutes');
    await mail.closeFile({ number: 'AZ-2', name: 'Zweite' });
    await waitUntil(async () => {
      await mail.runAll();
      return mail.received.length > 1;
    });
    expect(mail.lines()[1]).toEqual(['- Ada Admin closed the file AZ-2 (Zweite).']);
    expect(
      mail.logLines('the mail server did not answer after a notification mail; it is not sent again'),
    ).toHaveLength(1);
  });

  it('is not sent again when the process has ended while it was sent', async () => {
    await mail.prefer({ FileClosed: 'immediate' });
    await mail.closeFile();
    await mail.tenant.query('UPDATE notification_mails SET claimed_at = now() WHERE tenant_id = $1');
    await mail.closeFile({ number: 'AZ-2', name: 'Zweite' });
    await mail.runAll();
    expect(mail.lines()).toEqual([['- Ada Admin closed the file AZ-2 (Zweite).']]);
  });

  it('stays pending while the server is unreachable', async () => {
    await mail.prefer({ FileClosed: 'daily' });
    await mail.closeFile();
    await mail.runDue();
    await mail.pass('26 hours');
    const other = await TestService.start(
      {
        SMTP_URL: `smtp://127.0.0.1:${await freeTestPort()}`,
        MAIL_FROM: 'filing@service.example',
        TIME_ZONE: ZONE,
      },
      mail.service,
    );
    try {
      await mail.tenant.query(
        `UPDATE graphile_worker._private_jobs SET run_at = now() WHERE payload ->> 'tenantId' = $1`,
      );
      await other.runJobs();
      expect(await mail.pendingMails()).toEqual([{ mode: 'daily', isClaimed: false }]);
      expect(await jobAttempts()).toEqual([1]);
    } finally {
      await other.stop();
    }
    await waitUntil(async () => {
      await mail.runAll();
      return mail.received.length > 0;
    });
    await mail.runAll();
    expect(mail.received).toHaveLength(1);
  });
});
