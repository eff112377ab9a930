import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { nextDailyTime } from '../../../src/common/zoned-time.js';
import { type Job } from '../../../src/platform/jobs/job.js';
import { NotificationMailer } from '../../../src/resources/notification-preferences/notification-mailer.js';
import { addToList, saveDocument } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { setMemberRole } from '../../factories/roles.js';
import { freeTestPort } from '../../support/free-test-port.js';
import { TestService } from '../../support/service/service.js';
import { waitUntil } from '../../support/wait-until.js';
import { MailFixture, PUBLIC_URL } from './mail-fixture.js';

const ZONE = 'Europe/Berlin';

describe('Notification mail', () => {
  let mail: MailFixture;
  beforeAll(async () => {
    mail = await MailFixture.start();
  });
  afterAll(() => mail.stop());
  beforeEach(() => mail.reset());

  const received = () => mail.server.received;
  const texts = () => received().map(({ text }) => text.split('\n').filter((line) => line.startsWith('- ')));

  describe('with immediate', () => {
    it('is queued in the transaction of the notification, and sent by the job', async () => {
      await mail.prefer({ FileClosed: 'immediate' });
      await mail.closeFile({ number: 'AZ-1', name: 'Feuerwache' });
      expect(await mail.pendingMails()).toEqual([{ mode: 'immediate', isClaimed: false }]);
      expect(await mail.runTimes()).toEqual([expect.objectContaining({ mode: 'immediate', isDue: true })]);

      await mail.runDue();

      expect(texts()).toEqual([['- Ada Admin closed the file AZ-1 (Feuerwache).']]);
      expect(received().map(({ to, from }) => [from, to])).toEqual([
        ['filing@service.example', [mail.reader.email]],
      ]);
      expect([await mail.pendingMails(), await mail.runTimes()]).toEqual([[], []]);
      await mail.pass('2 minutes');
      await mail.runDue();
      expect(received()).toHaveLength(1);
    });

    it('sends at most one mail per minute, and collects what comes meanwhile', async () => {
      await mail.prefer({ FileClosed: 'immediate', FileReopened: 'immediate' });
      const id = await mail.closeFile({ number: 'AZ-1', name: 'Feuerwache' });
      await mail.runDue();
      for (let n = 0; n < 2; n += 1) {
        await mail.reopenFile(id);
        await mail.admin.post(`/files/${id}/close`).expect(200);
      }
      expect(await mail.runTimes()).toEqual([expect.objectContaining({ isDue: false })]);
      // Also when the job runs too early.
      await mail.runAll();
      expect([received().length, await mail.runTimes()]).toEqual([
        1,
        [expect.objectContaining({ isDue: false })],
      ]);
      await mail.pass('61 seconds');
      await mail.runAll();
      expect(texts()).toEqual([
        expect.anything(),
        [
          '- Ada Admin closed the file AZ-1 (Feuerwache).',
          '- Ada Admin reopened the file AZ-1 (Feuerwache).',
          '- Ada Admin closed the file AZ-1 (Feuerwache).',
          '- Ada Admin reopened the file AZ-1 (Feuerwache).',
        ],
      ]);
      expect(received().map(({ headers }) => headers.get('subject'))).toEqual([
        `Tenant ${mail.tenant.slug}: Ada Admin closed the file AZ-1 (Feuerwache).`,
        `Tenant ${mail.tenant.slug}: 4 new notifications`,
      ]);
    });

    it('sends nothing for types that are off, to members who never chose, and to the actor', async () => {
      await mail.prefer({ FileReopened: 'immediate' });
      await mail.prefer({ FileClosed: 'immediate' }, 'en', mail.admin);
      await mail.closeFile();
      await mail.closeFile({}, mail.admin);
      await mail.closeFile({}, await mail.tenant.as('editor'));
      expect([await mail.pendingMails(), await mail.tenant.jobs()]).toEqual([[], []]);
    });

    it('queues nothing when the change is rolled back', async () => {
      await mail.prefer({ FileClosed: 'immediate' });
      const { id } = await saveFile(mail.tenant, mail.reader, { status: 'Closed' });
      await mail.admin.post(`/files/${id}/close`).expect(409);
      expect([await mail.pendingMails(), await mail.tenant.jobs()]).toEqual([[], []]);
    });

    it('keeps the jobs of one user in two tenants apart', async () => {
      const elsewhere = await mail.service.tenant();
      const there = await elsewhere.addMember(mail.reader, 'editor');
      const other = await elsewhere.as('administrator', 'Otto');
      await mail.prefer({ FileClosed: 'immediate' });
      await mail.prefer({ FileClosed: 'immediate' }, 'de', there);
      await mail.closeFile();
      const { id } = await saveFile(elsewhere, there);
      await other.post(`/files/${id}/close`).expect(200);
      await mail.runDue();
      expect(received().map(({ text }) => text.split(' ')[0])).toEqual(
        expect.arrayContaining(['New', 'Neue']),
      );
    });
  });

  describe('with daily', () => {
    it('sends one digest at 07:00 in the time zone, with what came before', async () => {
      await mail.prefer({ FileClosed: 'daily', FileReopened: 'daily' });
      const id = await mail.closeFile({ number: 'AZ-1', name: 'Feuerwache' });
      await mail.runDue();
      const expected = nextDailyTime(new Date(), 7, ZONE);
      expect(await mail.runTimes()).toEqual([{ mode: 'daily', runAt: expected, isDue: false }]);
      await mail.reopenFile(id);
      expect(await mail.runTimes()).toEqual([{ mode: 'daily', runAt: expected, isDue: false }]);
      await mail.runAll();
      expect(received()).toEqual([]);

      await mail.pass('26 hours');
      await mail.admin.post(`/files/${id}/close`).expect(200);
      await mail.runAll();

      expect(texts()).toEqual([
        [
          '- Ada Admin reopened the file AZ-1 (Feuerwache).',
          '- Ada Admin closed the file AZ-1 (Feuerwache).',
        ],
      ]);
      expect(received()[0]?.headers.get('subject')).toBe(
        `Tenant ${mail.tenant.slug}: daily summary, 2 notifications`,
      );
      // The third notification is for the next digest.
      expect(await mail.pendingMails()).toEqual([{ mode: 'daily', isClaimed: false }]);
      expect(await mail.runTimes()).toEqual([expect.objectContaining({ mode: 'daily', isDue: false })]);
      await mail.pass('2 minutes');
      await mail.runAll();
      expect(received()).toHaveLength(1);
    });

    it('sends one digest after days without the service', async () => {
      await mail.prefer({ FileClosed: 'daily' });
      await mail.closeFile();
      await mail.runDue();
      await mail.pass('26 hours');
      await mail.closeFile();
      await mail.pass('50 hours');
      await mail.runAll();
      expect(texts().map((lines) => lines.length)).toEqual([2]);
      await mail.pass('2 minutes');
      await mail.runAll();
      expect(received()).toHaveLength(1);
    });

    it('does not postpone a digest that is due when another notification comes', async () => {
      await mail.prefer({ FileClosed: 'daily' });
      await mail.closeFile();
      await mail.runDue();
      await mail.pass('26 hours');
      await mail.closeFile();
      await mail.runDue();
      expect(texts().map((lines) => lines.length)).toEqual([1]);
    });

    it('sends one digest when two instances run the job at the same time', async () => {
      await mail.prefer({ FileClosed: 'daily' });
      await mail.closeFile();
      await mail.runDue();
      await mail.pass('26 hours');
      const other = await TestService.start(
        { SMTP_URL: mail.server.url(), MAIL_FROM: 'filing@service.example', MAIL_TIME_ZONE: ZONE },
        mail.service,
      );
      try {
        const job = {
          tenantId: mail.tenant.id,
          payload: { userId: mail.reader.userId, mode: 'daily' },
          // On Citus, earlier attempts wait for a notification that is not committed yet.
          attempt: 5,
          isLastAttempt: false,
          workerId: 'test',
          signal: new AbortController().signal,
        } as Job<'SendNotificationMail'>;
        mail.server.delayMs = 300;
        const senders = [mail.service, other, mail.service, other].map(({ app }) =>
          app.get(NotificationMailer),
        );
        await Promise.all(senders.map((sender) => sender.send(job)));
        expect(received()).toHaveLength(1);
      } finally {
        await other.stop();
      }
    });
  });

  describe('its content', () => {
    it('is in the language of the member, as text and HTML, with the times of the time zone', async () => {
      await mail.prefer({ AccessGranted: 'immediate' }, 'de');
      const { id } = await saveFile(mail.tenant, mail.admin);
      const grant = { subjectType: 'User', subjectId: mail.reader.userId, level: 'Read' };
      await mail.admin.post('/access-grants', { ...grant, targetType: 'File', targetId: id }).expect(201);
      await mail.runDue();
      const [{ text, html, headers } = { text: '', html: '', headers: new Map<string, string>() }] =
        received();
      const sentence = 'Ada Admin hat Lesezugriff auf eine Akte erteilt.';
      expect(text).toContain(`Neue Benachrichtigungen: Tenant ${mail.tenant.slug} (${ZONE})\n`);
      expect(text).toMatch(new RegExp(`\n- ${sentence}\n {2}\\d\\d\\.\\d\\d\\.\\d{4}, \\d\\d:\\d\\d\n`));
      expect(html).toContain('<html lang="de">');
      expect(html).toContain(`${sentence}<br>`);
      for (const part of [text, html]) expect(part).toContain(`${PUBLIC_URL}/unsubscribe/`);
      expect(headers.get('subject')).toBe(`Tenant ${mail.tenant.slug}: ${sentence}`);
      expect(headers.get('content-type')).toMatch(/^multipart\/alternative/);
      expect(headers.get('auto-submitted')).toBe('auto-generated');
      expect(headers.get('message-id')).toMatch(/^<[^@>]+@service\.example>$/);
      expect(Date.parse(headers.get('date') ?? '')).toBeGreaterThan(Date.now() - 3_600_000);
    });

    it('shows 50 notifications, and the number of the others', async () => {
      await mail.prefer({ FileClosed: 'immediate', FileReopened: 'immediate' });
      const id = await mail.closeFile();
      for (let n = 0; n < 26; n += 1) {
        await mail.reopenFile(id);
        await mail.admin.post(`/files/${id}/close`).expect(200);
      }
      await mail.runDue();
      const [first] = received();
      expect(texts().map((lines) => lines.length)).toEqual([50]);
      expect(first?.html.match(/<li/g)).toHaveLength(50);
      for (const part of [first?.text, first?.html]) expect(part).toContain('and 3 more');
      expect(first?.headers.get('subject')).toContain(': 53 new notifications');
    });

    it('cannot get header fields or markup from names', async () => {
      await mail.prefer({ FileClosed: 'immediate' });
      await mail.service.query('UPDATE tenants SET name = $2 WHERE id = $1', [
        mail.tenant.id,
        'Amt\r\nBcc: all@people.example\r\n\r\n<b>',
      ]);
      await mail.closeFile();
      await mail.service.query(
        `UPDATE notifications SET parameters = parameters || $2 WHERE tenant_id = $1`,
        [
          mail.tenant.id,
          JSON.stringify({
            fileName: `x\r\nBcc: more@people.example\r\n.\r\n<img src=x onerror="1">&'{actorName}\u2028\u202e`,
          }),
        ],
      );
      await mail.runDue();
      const [found] = received();
      expect(found?.to).toEqual([mail.reader.email]);
      expect(found?.headers.has('bcc')).toBe(false);
      expect(found?.headers.get('subject')).toMatch(/^Amt Bcc: all@people\.example <b>: Ada Admin closed/);
      expect(found?.text).toContain(
        `(x Bcc: more@people.example . <img src=x onerror="1">&'{actorName} ).\n`,
      );
      expect(found?.html).not.toMatch(/<img|<b>/);
      expect(found?.html).toContain('&lt;img src=x onerror=&quot;1&quot;&gt;&amp;&#39;{actorName}');
    });

    it('leaves out notifications of types that a later release has added', async () => {
      await mail.prefer({ FileClosed: 'immediate' });
      await mail.closeFile();
      await mail.closeFile();
      await mail.service.query(
        `UPDATE notifications SET type = 'Future' WHERE tenant_id = $1
            AND id = (SELECT id FROM notifications WHERE tenant_id = $1 ORDER BY id LIMIT 1)`,
        [mail.tenant.id],
      );
      await mail.runDue();
      expect(texts().map((lines) => lines.length)).toEqual([1]);
    });
  });

  describe('its recipient', () => {
    it('gets nothing about a file that is invisible when the mail is sent', async () => {
      await mail.prefer({ FileClosed: 'immediate', RoleChanged: 'immediate' });
      await mail.closeFile();
      const roleId = await mail.tenant.roleId('guest');
      await mail.admin.put(`/members/${mail.reader.userId}`, { roleId }).expect(200);
      await mail.runDue();
      expect(texts()).toEqual([['- Ada Admin assigned you the role “Guest”.']]);
      expect(await mail.pendingMails()).toEqual([]);
    });

    it('gets nothing of a document that is confidential to others when the mail is sent', async () => {
      await mail.prefer({ DocumentFiled: 'immediate' });
      const file = await saveFile(mail.tenant, mail.admin);
      for (const title of ['Open letter', 'Secret letter']) {
        const { id } = await saveDocument(mail.tenant, mail.reader, { title });
        await mail.admin.put(`/documents/${id}/files/${file.id}`).expect(204);
        if (title === 'Open letter') continue;
        await addToList(mail.tenant, id, mail.admin);
        await mail.service.query('UPDATE documents SET is_confidential = true WHERE id = $1', [id]);
      }
      await mail.runDue();
      expect(texts().map((lines) => lines.length)).toEqual([1]);
      expect(received()[0]?.text).toContain('Open letter');
      expect(received()[0]?.html).not.toContain('Secret');
      expect(received()[0]?.headers.get('subject')).not.toContain('2 new');
    });

    it('gets no mail if nothing is visible any more, and the next one at once', async () => {
      await mail.prefer({ FileClosed: 'immediate' });
      await mail.closeFile();
      await setMemberRole(mail.tenant, mail.reader, await mail.tenant.roleId('guest'));
      await mail.runDue();
      expect([received(), await mail.pendingMails()]).toEqual([[], []]);
      await setMemberRole(mail.tenant, mail.reader, await mail.tenant.roleId('viewer'));
      await mail.closeFile();
      await mail.runDue();
      expect(received()).toHaveLength(1);
    });

    it('gets no mail at an address that is not verified', async () => {
      await mail.prefer({ FileClosed: 'immediate' });
      await mail.closeFile();
      await mail.service.query('UPDATE users SET email_verified = false WHERE id = $1', [mail.reader.userId]);
      await mail.runDue();
      expect([received(), await mail.pendingMails()]).toEqual([[], []]);
    });

    it('gets no mail of types that were turned off meanwhile', async () => {
      await mail.prefer({ FileClosed: 'immediate' });
      await mail.closeFile();
      await mail.prefer({ FileReopened: 'immediate' });
      await mail.runDue();
      expect([received(), await mail.pendingMails()]).toEqual([[], []]);
    });

    it('gets no mail after the membership has ended, also not after coming back', async () => {
      await mail.prefer({ FileClosed: 'immediate' });
      await mail.closeFile();
      await mail.admin.delete(`/members/${mail.reader.userId}`).expect(204);
      expect(await mail.pendingMails()).toEqual([]);
      await mail.runDue();
      await mail.tenant.addMember(mail.reader, 'editor');
      await mail.tenant.increaseAccessVersion();
      await mail.closeFile();
      await mail.runAll();
      expect([received(), await mail.pendingMails()]).toEqual([[], []]);
    });

    it('gets no mail for notifications that are older than the retention time', async () => {
      await mail.prefer({ FileClosed: 'immediate' });
      await mail.closeFile();
      await mail.service.query('DELETE FROM notifications WHERE tenant_id = $1', [mail.tenant.id]);
      expect(await mail.pendingMails()).toEqual([]);
      await mail.runDue();
      expect(received()).toEqual([]);
    });
  });

  describe('with a failing mail server', () => {
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
      expect(received()).toHaveLength(1);
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
      await mail.service.query(
        `UPDATE graphile_worker._private_jobs SET attempts = max_attempts - 1 WHERE payload ->> 'tenantId' = $1`,
        [mail.tenant.id],
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
      await mail.runAll();
      expect(received()).toHaveLength(1);
      expect([await mail.pendingMails(), await mail.tenant.jobs()]).toEqual([[], []]);
      expect(
        mail.logLines('the mail server did not answer after a notification mail; it is not sent again'),
      ).toHaveLength(1);
    });

    it('is not sent again when the process has ended while it was sent', async () => {
      await mail.prefer({ FileClosed: 'immediate' });
      await mail.closeFile();
      await mail.service.query('UPDATE notification_mails SET claimed_at = now() WHERE tenant_id = $1', [
        mail.tenant.id,
      ]);
      await mail.closeFile({ number: 'AZ-2', name: 'Zweite' });
      await mail.runAll();
      expect(texts()).toEqual([['- Ada Admin closed the file AZ-2 (Zweite).']]);
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
          MAIL_TIME_ZONE: ZONE,
        },
        mail.service,
      );
      try {
        await mail.service.query(
          `UPDATE graphile_worker._private_jobs SET run_at = now() WHERE payload ->> 'tenantId' = $1`,
          [mail.tenant.id],
        );
        await other.runJobs();
        expect(await mail.pendingMails()).toEqual([{ mode: 'daily', isClaimed: false }]);
        expect(await jobAttempts()).toEqual([1]);
      } finally {
        await other.stop();
      }
      await waitUntil(async () => {
        await mail.runAll();
        return received().length > 0;
      });
      await mail.runAll();
      expect(received()).toHaveLength(1);
    });
  });

  it('is not queued without a mail server', async () => {
    const other = await TestService.start({}, mail.service);
    try {
      await mail.prefer({ FileClosed: 'immediate' });
      const { id } = await saveFile(mail.tenant, mail.reader);
      const there = mail.admin.inTenant(Object.create(mail.tenant, { service: { value: other } }) as never);
      await there.post(`/files/${id}/close`).expect(200);
      expect([await mail.pendingMails(), await mail.tenant.jobs()]).toEqual([[], []]);
    } finally {
      await other.stop();
    }
  });
});
