/** A plain text message to one person. */
export interface Mail {
  /** A bare address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Why a message could not be handed over, without anything of the message: servers repeat addresses in their answers. */
export class MailFailure extends Error {
  constructor(
    /** What went wrong where, in nodemailer's and SMTP's own words: `EENVELOPE`, `RCPT TO`, 550. */
    readonly code: string | undefined,
    readonly command: string | undefined,
    readonly responseCode: number | undefined,
  ) {
    super('The mail server did not take the message');
    this.name = 'MailFailure';
  }
}

/** Sends mail, where the service is configured to. */
export abstract class Mailer {
  /** Whether there is anything to send mail with. */
  abstract readonly isConfigured: boolean;

  /** Fulfilled when the mail server has taken the message; throws a {@link MailFailure}. */
  abstract send(mail: Mail): Promise<void>;
}

/** Without a mail server nothing is mailed. */
export class NoMailer extends Mailer {
  override readonly isConfigured = false;

  override send(): Promise<void> {
    return Promise.resolve();
  }
}
