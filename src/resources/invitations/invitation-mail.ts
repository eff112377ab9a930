import { roleNamesIn } from '../../common/messages/role-names.js';
import { type Mail } from '../../platform/mail/mailer.js';
import { type MailedInvitation } from './invitation-mails.repository.js';

interface InvitationDetails extends MailedInvitation {
  readonly acceptUrl: string;
  /** Of the end of the invitation. */
  readonly timeZone: string;
}

export function invitationMail(invitation: InvitationDetails): Mail {
  const { email, tenantName } = invitation;
  return {
    to: email,
    subject: `Einladung / Invitation: ${tenantName}`,
    text: `${germanText(invitation)}\n\n${'-'.repeat(40)}\n\n${englishText(invitation)}\n`,
  };
}

function germanText(invitation: InvitationDetails): string {
  const { tenantName, roleName, inviterName, message, acceptUrl } = invitation;
  return [
    'Guten Tag,',
    `Einladung${inviterName && ` von ${inviterName}`} zur Mitarbeit in der Aktenablage „${tenantName}“ mit der Rolle „${roleNamesIn('de').get(roleName) ?? roleName}“.`,
    ...quoted(message),
    `Die Einladung kann bis ${endOf(invitation, 'de-DE')} unter diesem Link angenommen oder abgelehnt werden:`,
    acceptUrl,
    'Der Link ist persönlich und darf nicht weitergegeben werden. Eine unerwartete Einladung kann ignoriert werden.',
  ].join('\n\n');
}

function englishText(invitation: InvitationDetails): string {
  const { tenantName, roleName, inviterName, message, acceptUrl } = invitation;
  return [
    'Hello,',
    `You have been invited${inviterName && ` by ${inviterName}`} to work in the files of “${tenantName}” with the role “${roleName}”.`,
    ...quoted(message),
    `You can accept or decline the invitation until ${endOf(invitation, 'en-GB')} with this link:`,
    acceptUrl,
    'The link is personal. Do not share it. If you did not expect this invitation, you can ignore it.',
  ].join('\n\n');
}

/** The inviter's message as a quotation: each line begins with `> `. */
function quoted(message: string | null): string[] {
  return message ? [message.replace(/^/gm, '> ')] : [];
}

function endOf({ expiresAt, timeZone }: InvitationDetails, locale: string): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone });
  return `${format.format(new Date(expiresAt))} (${timeZone})`;
}
