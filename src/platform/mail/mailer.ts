export interface Mail {
  /** Address without a name. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /** URL for one-click unsubscription (RFC 8058). */
  readonly unsubscribeUrl?: string;
}

/** The mail server did not accept a message. Contains no text of the server, which may repeat addresses. */
export class MailFailure extends Error {
  constructor(
    /** Codes of nodemailer and SMTP, for example `EENVELOPE`, `RCPT TO`, 550. */
    readonly code: string | undefined,
    readonly command: string | undefined,
    readonly responseCode: number | undefined,
    /** Whether the whole message was transmitted, and the server has not answered: it may have accepted it. */
    readonly mayBeAccepted = false,
  ) {
    super('The mail server did not accept the message');
    this.name = 'MailFailure';
  }

  /** Whether the server refuses this recipient or this message. The same message would be refused again. */
  get isPermanent(): boolean {
    return (this.responseCode ?? 0) >= 500 && (this.command === 'RCPT TO' || this.command === 'DATA');
  }
}

export abstract class Mailer {
  abstract readonly isConfigured: boolean;

  /** Resolves when the mail server has accepted the message. Throws a {@link MailFailure} otherwise. */
  abstract send(mail: Mail): Promise<void>;
}

export class NoMailer extends Mailer {
  override readonly isConfigured = false;

  override send(): Promise<void> {
    return Promise.resolve();
  }
}
