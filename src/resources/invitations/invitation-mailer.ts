import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../platform/config/configuration.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { type Job, mayPrecedeCommit } from '../../platform/jobs/job.js';
import { JobRunner } from '../../platform/jobs/job-runner.js';
import { Log } from '../../platform/logging/log.js';
import { type Mail, MailFailure, Mailer } from '../../platform/mail/mailer.js';
import { serviceContext } from '../../platform/tenancy/access/access.directory.js';
import { invitationMail } from './invitation-mail.js';
import { InvitationMailsRepository } from './invitation-mails.repository.js';
import { InvitationsRepository } from './invitations.repository.js';
import { acceptUrl, hashOfSecret, newSecret } from './invitation-secret.js';

type MailJob = Job<'SendInvitationMail'>;

/**
 * Sends mail about invitations, each at most once (docs/adr/0014). A failure is logged by ids only, because the mail
 * contains a secret.
 */
@Injectable()
export class InvitationMailer implements OnModuleInit {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly invitations: InvitationsRepository,
    private readonly mails: InvitationMailsRepository,
    private readonly mailer: Mailer,
    private readonly runner: JobRunner,
    private readonly log: Log,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  onModuleInit(): void {
    this.runner.handle('SendInvitationMail', (job) => this.send(job));
  }

  private async send(job: MailJob): Promise<void> {
    this.mailer.checkReady(job);
    const mail = await this.claim(job);
    if (!mail) return;
    try {
      await this.mailer.send(mail, job.signal);
    } catch (error) {
      await this.handleFailure(job, error);
    }
  }

  /** Null if no mail is to be sent any more. */
  private claim(job: MailJob): Promise<Mail | null> {
    const { tenantId, payload } = job;
    const secret = newSecret();
    return this.uow.write(serviceContext(tenantId), async (tx) => {
      const invitation = await this.mails.claim(tx, payload.invitationId, hashOfSecret(secret));
      if (invitation) {
        const { invitationUrl, timeZone } = this.configuration;
        const link = acceptUrl(invitationUrl, invitation.tenantSlug, secret);
        return invitationMail({ ...invitation, acceptUrl: link, timeZone });
      }
      if (mayPrecedeCommit(tx.layout, job) && !(await this.invitations.find(tx, payload.invitationId)))
        throw new Error(`The invitation ${payload.invitationId} is not committed yet`);
      return null;
    });
  }

  /** @throws the failure if the mail is to be sent again */
  private async handleFailure(job: MailJob, failure: unknown): Promise<void> {
    const { tenantId, payload } = job;
    const { code, command, responseCode, isPermanent, mayBeAccepted } =
      failure instanceof MailFailure ? failure : {};
    // An interrupted attempt does not count.
    const isLastAttempt = job.isLastAttempt && !job.signal.aborted;
    if (!isPermanent && !mayBeAccepted && !isLastAttempt) {
      await this.uow.write(serviceContext(tenantId), (tx) => this.mails.release(tx, payload.invitationId));
      throw failure;
    }
    this.log.warn(
      { tenantId, invitationId: payload.invitationId, code, command, responseCode },
      mayBeAccepted
        ? 'the mail server did not answer after an invitation mail; it is not sent again'
        : 'an invitation mail could not be sent',
    );
  }
}
