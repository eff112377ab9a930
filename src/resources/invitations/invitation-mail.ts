import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Log } from '../../platform/logging/log.js';
import { type Mail, MailFailure, Mailer } from '../../platform/mail/mailer.js';

/** What the mail tells. */
interface InvitationMailContent {
  readonly tenantId: string;
  readonly invitationId: string;
  readonly email: string;
  readonly tenantName: string;
  readonly roleName: string;
  /** Empty when nobody knows. */
  readonly inviterName: string;
  readonly message: string | null;
  /** ISO 8601. */
  readonly expiresAt: string;
  readonly acceptUrl: string;
}

/**
 * Mails invitations after they were made. Nobody waits for it and nothing depends on it: the link is in the answer,
 * too. A failure is logged by ids, for the letter contains the secret.
 */
@Injectable()
export class InvitationMail implements BeforeApplicationShutdown {
  private readonly pending = new Set<Promise<void>>();

  constructor(
    private readonly mailer: Mailer,
    private readonly log: Log,
  ) {}

  send(letter: InvitationMailContent): void {
    if (!this.mailer.isConfigured) return;
    const sending = this.mailer
      .send(composed(letter))
      .catch((error: unknown) => this.report(letter, error))
      .finally(() => this.pending.delete(sending));
    this.pending.add(sending);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.pending);
  }

  private report({ tenantId, invitationId }: InvitationMailContent, error: unknown): void {
    const { code, command, responseCode } = error instanceof MailFailure ? error : {};
    this.log.warn(
      { tenantId, invitationId, code, command, responseCode },
      'an invitation could not be mailed',
    );
  }
}

function composed(letter: InvitationMailContent): Mail {
  const { email, tenantName } = letter;
  return {
    to: email,
    subject: `Einladung / Invitation: ${tenantName}`,
    text: `${german(letter)}\n\n${'-'.repeat(40)}\n\n${english(letter)}\n`,
  };
}

function german({
  tenantName,
  roleName,
  inviterName,
  message,
  expiresAt,
  acceptUrl,
}: InvitationMailContent): string {
  return [
    'Guten Tag,',
    `${inviterName || 'jemand'} lädt Sie ein, in der Aktenablage „${tenantName}“ mitzuarbeiten, mit der Rolle „${roleName}“.`,
    ...quoted(message),
    `Annehmen oder ablehnen können Sie die Einladung bis ${moment(expiresAt, 'de-DE')} (UTC) hier:`,
    acceptUrl,
    'Der Link ist nur für Sie. Wenn Sie nichts damit anfangen können, brauchen Sie nichts zu tun.',
  ].join('\n\n');
}

function english({
  tenantName,
  roleName,
  inviterName,
  message,
  expiresAt,
  acceptUrl,
}: InvitationMailContent): string {
  return [
    'Hello,',
    `${inviterName || 'somebody'} invites you to work in the files of “${tenantName}”, with the role “${roleName}”.`,
    ...quoted(message),
    `You can accept or decline the invitation until ${moment(expiresAt, 'en-GB')} (UTC) here:`,
    acceptUrl,
    'The link is for you alone. If it means nothing to you, there is nothing you need to do.',
  ].join('\n\n');
}

/** Marked as somebody else's words, line by line. */
function quoted(message: string | null): string[] {
  return message ? [message.replace(/^/gm, '> ')] : [];
}

function moment(time: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(
    new Date(time),
  );
}
