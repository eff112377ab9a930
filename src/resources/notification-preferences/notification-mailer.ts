import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Counter } from 'prom-client';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { Metrics } from '../../platform/http/server/metrics.js';
import { JobRunner } from '../../platform/jobs/job-runner.js';
import { type Job } from '../../platform/jobs/job.js';
import { Log } from '../../platform/logging/log.js';
import { MailFailure, Mailer } from '../../platform/mail/mailer.js';
import { serviceContext } from '../../platform/tenancy/access/access.directory.js';
import { type ClaimedMail, NotificationMailSelection, idsOf } from './notification-mail-selection.js';
import { NotificationMailsRepository, type PendingMail } from './notification-mails.repository.js';

type MailJob = Job<'SendNotificationMail'>;

/**
 * A notification that is older is not kept for another attempt. Every new notification of the member resets the number
 * of attempts, so that number alone is no limit.
 */
const MAX_AGE_MS = 2 * 24 * 60 * 60 * 1000;

const OUTCOMES = ['sent', 'retried', 'given_up', 'unknown'] as const;

/**
 * Sends mail about notifications: at most one to a member per minute, each notification at most once (docs/adr/0042). The
 * notifications are claimed before the mail is sent, and released if the server has not accepted it.
 */
@Injectable()
export class NotificationMailer implements OnModuleInit {
  private readonly sent = new Counter({
    name: 'notification_mails_total',
    help: `Mails about notifications on this instance, by outcome (${OUTCOMES.join(', ')})`,
    labelNames: ['outcome'],
    registers: [],
  });

  constructor(
    private readonly uow: UnitOfWork,
    private readonly mails: NotificationMailsRepository,
    private readonly selection: NotificationMailSelection,
    private readonly mailer: Mailer,
    private readonly runner: JobRunner,
    private readonly log: Log,
    metrics: Metrics,
  ) {
    metrics.registry.registerMetric(this.sent);
    // So that the first mail of each outcome is visible as an increase.
    for (const outcome of OUTCOMES) this.sent.inc({ outcome }, 0);
  }

  onModuleInit(): void {
    this.runner.handle('SendNotificationMail', (job) => this.send(job));
  }

  async send(job: MailJob): Promise<void> {
    this.mailer.checkReady(job);
    const context = serviceContext(job.tenantId);
    const claimed = await this.uow.write(context, (tx) => this.selection.claim(tx, job));
    if (!claimed) return;
    const failure = await this.mailer.send(claimed.mail, job.signal).then(
      () => null,
      (error: unknown) => error,
    );
    if (failure !== null) return this.handleFailure(job, claimed, failure);
    await this.end(job, claimed, idsOf(claimed.notifications));
    this.sent.inc({ outcome: 'sent' });
  }

  /** @throws the failure if the mail is to be sent again */
  private async handleFailure(job: MailJob, claimed: ClaimedMail, failure: unknown): Promise<void> {
    const { code, command, responseCode, isPermanent, mayBeAccepted } =
      failure instanceof MailFailure ? failure : {};
    const { tenantId, payload } = job;
    const { userId, mode } = payload;
    if (mayBeAccepted) {
      await this.end(job, claimed, idsOf(claimed.notifications));
      this.sent.inc({ outcome: 'unknown' });
      this.log.warn(
        { tenantId, userId, mode, notifications: claimed.notifications.length, code, command },
        'the mail server did not answer after a notification mail; it is not sent again',
      );
      return;
    }
    const oldest = isPermanent || job.isLastAttempt ? Infinity : Date.parse(claimed.claimedAt) - MAX_AGE_MS;
    const isKept = ({ createdAt }: PendingMail) => Date.parse(createdAt) > oldest;
    const kept = claimed.notifications.filter(isKept);
    const lost = claimed.notifications.filter((notification) => !isKept(notification));
    if (kept.length > 0) await this.release(job, claimed, idsOf(kept), idsOf(lost));
    else await this.end(job, claimed, idsOf(lost));
    if (lost.length > 0)
      this.log.warn(
        { tenantId, userId, mode, notifications: lost.length, code, command, responseCode },
        'a notification mail could not be sent',
      );
    this.sent.inc({ outcome: kept.length > 0 ? 'retried' : 'given_up' });
    if (kept.length > 0) throw failure;
  }

  /** Deletes the claimed notifications, and queues the next mail. */
  private async end(job: MailJob, { next }: ClaimedMail, ids: readonly string[]): Promise<void> {
    await this.uow.write(serviceContext(job.tenantId), async (tx) => {
      await this.mails.delete(tx, ids);
      if (next) tx.enqueue('SendNotificationMail', job.payload, next);
    });
  }

  /** Makes notifications pending again, as before the claim. This job sends them at its next attempt. */
  private async release(
    job: MailJob,
    { before }: ClaimedMail,
    kept: readonly string[],
    lost: readonly string[],
  ): Promise<void> {
    await this.uow.write(serviceContext(job.tenantId), async (tx) => {
      await this.mails.lockOrNull(tx, job.payload.userId);
      await this.mails.release(tx, kept);
      await this.mails.delete(tx, lost);
      await this.mails.setLastMails(tx, job.payload.userId, before);
    });
  }
}
