import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Log } from '../../platform/logging/log.js';
import { type Mail, MailFailure, Mailer } from '../../platform/mail/mailer.js';

interface InvitationDetails {
  readonly tenantId: string;
  readonly invitationId: string;
  readonly email: string;
  readonly tenantName: string;
  readonly roleName: string;
  /** Empty if unknown. */
  readonly inviterName: string;
  readonly message: string | null;
  /** ISO 8601. */
  readonly expiresAt: string;
  readonly acceptUrl: string;
}

/**
 * Mails invitations in the background after they are created. Delivery is optional, because the answer of CreateInvitation
 * contains the link, too. A failure is logged by ids only, because the mail contains the secret of the invitation.
 */
@Injectable()
export class InvitationMail implements BeforeApplicationShutdown {
  private readonly sending = new Set<Promise<void>>();

  constructor(
    private readonly mailer: Mailer,
    private readonly log: Log,
  ) {}

  send(invitation: InvitationDetails): void {
    if (!this.mailer.isConfigured) return;
    const delivery = this.mailer
      .send(invitationMail(invitation))
      .catch((error: unknown) => this.logFailure(invitation, error))
      .finally(() => this.sending.delete(delivery));
    this.sending.add(delivery);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.sending);
  }

  private logFailure({ tenantId, invitationId }: InvitationDetails, error: unknown): void {
    const { code, command, responseCode } = error instanceof MailFailure ? error : {};
    this.log.warn(
      { tenantId, invitationId, code, command, responseCode },
      'an invitation mail could not be sent',
    );
  }
}

function invitationMail(invitation: InvitationDetails): Mail {
  const { email, tenantName } = invitation;
  return {
    to: email,
    subject: `Einladung / Invitation: ${tenantName}`,
    text: `${germanText(invitation)}\n\n${'-'.repeat(40)}\n\n${englishText(invitation)}\n`,
  };
}

function germanText({
  tenantName,
  roleName,
  inviterName,
  message,
  expiresAt,
  acceptUrl,
}: InvitationDetails): string {
  return [
    'Guten Tag,',
    `Einladung${inviterName && ` von ${inviterName}`} zur Mitarbeit in der Aktenablage „${tenantName}“ mit der Rolle „${roleName}“.`,
    ...quoted(message),
    `Die Einladung kann bis ${formatTime(expiresAt, 'de-DE')} (UTC) unter diesem Link angenommen oder abgelehnt werden:`,
    acceptUrl,
    'Der Link ist persönlich und darf nicht weitergegeben werden. Eine unerwartete Einladung kann ignoriert werden.',
  ].join('\n\n');
}

function englishText({
  tenantName,
  roleName,
  inviterName,
  message,
  expiresAt,
  acceptUrl,
}: InvitationDetails): string {
  return [
    'Hello,',
    `You have been invited${inviterName && ` by ${inviterName}`} to work in the files of “${tenantName}” with the role “${roleName}”.`,
    ...quoted(message),
    `You can accept or decline the invitation until ${formatTime(expiresAt, 'en-GB')} (UTC) with this link:`,
    acceptUrl,
    'The link is personal. Do not share it. If you did not expect this invitation, you can ignore it.',
  ].join('\n\n');
}

/** The inviter's message as a quotation: each line begins with `> `. */
function quoted(message: string | null): string[] {
  return message ? [message.replace(/^/gm, '> ')] : [];
}

function formatTime(time: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(
    new Date(time),
  );
}
