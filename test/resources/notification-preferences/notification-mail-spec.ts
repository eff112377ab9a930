import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { nextDailyTime } from '../../../src/common/zoned-time.js';
import { type Job } from '../../../src/platform/jobs/job.js';
import { NotificationMailer } from '../../../src/resources/notification-preferences/notification-mailer.js';
import { saveFile } from '../../factories/files.js';
import { TestService } from '../../support/service/service.js';
import { MailFixture } from './mail-fixture.js';

const ZONE = 'Europe/Berlin';

describe('Notification mail', () => {
  let mail: MailFixture;
  beforeAll(async () => {
    mail = await MailFixture.start();
  });
  afterAll(() => mail.stop());
  beforeEach(() => mail.reset());

  describe('with immediate', () => {
    it('is queued in the transaction of the notification, and sent by the job', async () => {
      await mail.prefer({ FileClosed: 'immediate' });
      await mail.closeFile({ number: 'AZ-1', name: 'Feuerwache' });
      expect(await mail.pendingMails()).toEqual([{ mode: 'immediate', isClaimed: false }]);
      expect(await mail.runTimes()).toEqual([expect.objectContaining({ mode: 'immediate', isDue: true })]);

      await mail.runDue();

      expect(mail.lines()).toEqual([['- Ada Admin closed the file AZ-1 (Feuerwache).']]);
      expect(mail.received.map(({ to, from }) => [from, to])).toEqual([
        ['filing@service.example', [mail.reader.email]],
      ]);
      expect([await mail.pendingMails(), await mail.runTimes()]).toEqual([[], []]);
      await mail.pass('2 minutes');
      await mail.runDue();
      expect(mail.received).toHaveLength(1);
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
      expect([mail.received.length, await mail.runTimes()]).toEqual([
        1,
        [expect.objectContaining({ isDue: false })],
      ]);
      await mail.pass('61 seconds');
      await mail.runAll();
      expect(mail.lines()).toEqual([
        expect.anything(),
        [
          '- Ada Admin closed the file AZ-1 (Feuerwache).',
          '- Ada Admin reopened the file AZ-1 (Feuerwache).',
          '- Ada Admin closed the file AZ-1 (Feuerwache).',
          '- Ada Admin reopened the file AZ-1 (Feuerwache).',
        ],
      ]);
      expect(mail.received.map(({ headers }) => headers.get('subject'))).toEqual([
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
      expect(mail.received.map(({ text }) => text.split(' ')[0])).toEqual(
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
      expect(mail.received).toEqual([]);

      await mail.pass('26 hours');
      await mail.admin.post(`/files/${id}/close`).expect(200);
      await mail.runAll();

      expect(mail.lines()).toEqual([
        [
          '- Ada Admin reopened the file AZ-1 (Feuerwache).',
          '- Ada Admin closed the file AZ-1 (Feuerwache).',
        ],
      ]);
      expect(mail.received[0]?.headers.get('subject')).toBe(
        `Tenant ${mail.tenant.slug}: daily summary, 2 notifications`,
      );
      // The third notification is for the next digest.
      expect(await mail.pendingMails()).toEqual([{ mode: 'daily', isClaimed: false }]);
      expect(await mail.runTimes()).toEqual([expect.objectContaining({ mode: 'daily', isDue: false })]);
      await mail.pass('2 minutes');
      await mail.runAll();
      expect(mail.received).toHaveLength(1);
    });

    it('sends one digest after days without the service', async () => {
      await mail.prefer({ FileClosed: 'daily' });
      await mail.closeFile();
      await mail.runDue();
      await mail.pass('26 hours');
      await mail.closeFile();
      await mail.pass('50 hours');
      await mail.runAll();
      expect(mail.lines().map((lines) => lines.length)).toEqual([2]);
      await mail.pass('2 minutes');
      await mail.runAll();
      expect(mail.received).toHaveLength(1);
    });

    it('does not postpone a digest that is due when another notification comes', async () => {
      await mail.prefer({ FileClosed: 'daily' });
      await mail.closeFile();
      await mail.runDue();
      await mail.pass('26 hours');
      await mail.closeFile();
      await mail.runDue();
      expect(mail.lines().map((lines) => lines.length)).toEqual([1]);
    });

    it('sends one digest when two instances run the job at the same time', async () => {
      await mail.prefer({ FileClosed: 'daily' });
      await mail.closeFile();
      await mail.runDue();
      await mail.pass('26 hours');
      const other = await TestService.start(
        { SMTP_URL: mail.server.url(), MAIL_FROM: 'filing@service.example', TIME_ZONE: ZONE },
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
        expect(mail.received).toHaveLength(1);
      } finally {
        await other.stop();
      }
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
