import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DEMO_DOMAIN } from '../../common/email-address.js';
import { type ValuesOf, type Variable, flag, integer, mailbox, url } from './variable.js';

/** Shortest key with which signatures are accepted (RFC 8301, 3.2). */
const MIN_KEY_BITS = 1024;

/** Each invitation by mail counts those of the last 24 hours. */
const MAX_INVITATION_MAILS = 100_000;

export const MAIL_VARIABLES = {
  smtpUrl: {
    name: 'SMTP_URL',
    description:
      'Mail server for invitations and notifications: `smtps://user:password@mail.example`, or `smtp://…` with STARTTLS if the server offers it (`?requireTLS=true` requires it).',
    defaultText: 'no mail is sent',
    secret: true,
    read: url(['smtp:', 'smtps:']),
  },
  mailFrom: {
    name: 'MAIL_FROM',
    description:
      'Sender of mail: `filing@example.com` or `Filing <filing@example.com>`. Required with `SMTP_URL`.',
    read: mailbox,
  },
  mailDemoUsers: {
    name: 'MAIL_DEMO_USERS',
    description: `Whether mail to the people of the demo tenant (\`…@${DEMO_DOMAIN}\`) is sent to the mail server, for example to one that catches all mail.`,
    read: flag(false),
  },
  invitationMailsPerInviter: {
    name: 'INVITATION_MAILS_PER_INVITER',
    description: 'Mails about invitations that a member may cause in a tenant within 24 hours.',
    read: integer(1, MAX_INVITATION_MAILS, 100),
  },
  invitationMailsPerTenant: {
    name: 'INVITATION_MAILS_PER_TENANT',
    description: 'Mails about invitations of all members of a tenant within 24 hours.',
    read: integer(1, MAX_INVITATION_MAILS, 500),
  },
  mailDkimDomain: {
    name: 'MAIL_DKIM_DOMAIN',
    description:
      'Domain of the DKIM signature of mail. Requires `MAIL_DKIM_SELECTOR` and `MAIL_DKIM_KEY`. Not needed if the mail server signs.',
    defaultText: 'mail is not signed',
    read: name(
      /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i,
      'a domain',
    ),
  },
  mailDkimSelector: {
    name: 'MAIL_DKIM_SELECTOR',
    description: 'Selector of the public key: the TXT record `<selector>._domainkey.<domain>`.',
    read: name(/^[a-z0-9](?:[a-z0-9.-]{0,62}[a-z0-9])?$/i, 'a selector of letters, digits, "-" and "."'),
  },
  mailDkimKey: {
    name: 'MAIL_DKIM_KEY',
    description:
      'RSA private key for signatures: path of a PEM file, or the PEM text itself, with `\\n` for its line ends.',
    secret: true,
    read: rsaPrivateKey,
  },
} as const satisfies Record<string, Variable<unknown>>;

/** Messages for invalid combinations of these settings. */
export function mailErrors(values: ValuesOf<typeof MAIL_VARIABLES>): string[] {
  const errors: string[] = [];
  if (values.smtpUrl && !values.mailFrom) errors.push('MAIL_FROM must be set with SMTP_URL');
  const dkim = [values.mailDkimDomain, values.mailDkimSelector, values.mailDkimKey];
  const given = dkim.filter((value) => value !== undefined).length;
  if (given > 0 && given < dkim.length)
    errors.push('MAIL_DKIM_DOMAIN, MAIL_DKIM_SELECTOR and MAIL_DKIM_KEY must be set together, or none');
  return errors;
}

function name(pattern: RegExp, what: string): (value: string | undefined) => string | undefined {
  return (value) => {
    if (value !== undefined && !pattern.test(value)) throw new Error(`must be ${what}`);
    return value;
  };
}

/** The errors repeat no part of the value. */
function rsaPrivateKey(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  try {
    const pem = value.startsWith('-----BEGIN') ? value.replaceAll('\\n', '\n') : readFileSync(value, 'utf8');
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(pem);
    if (asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_KEY_BITS) return pem;
  } catch {
    // Reported below: a file that cannot be read, or a text that is no key or is encrypted.
  }
  throw new Error(
    `must be an RSA private key of at least ${MIN_KEY_BITS} bits in PEM format, without a password, or the path of a file with one`,
  );
}
