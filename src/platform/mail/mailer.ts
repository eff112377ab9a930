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

/** The mail server has just failed. The job is retried later. */
class MailPaused extends Error {
  constructor() {
    super('The mail server failed a moment ago');
    this.name = 'MailPaused';
  }
}

export abstract class Mailer {
  abstract readonly isConfigured: boolean;
  /** Whether the mail server has failed to answer, and jobs do not try to send until later. */
  abstract readonly isPaused: boolean;

  /**
   * Resolves when the mail server has accepted the message. Throws a {@link MailFailure} otherwise.
   *
   * @param signal Ends the attempt.
   */
  abstract send(mail: Mail, signal?: AbortSignal): Promise<void>;

  /** For jobs, before they claim what they send. Throws when no mail can be sent now. */
  checkReady({ isLastAttempt }: { readonly isLastAttempt: boolean }): void {
    if (!this.isConfigured) throw new Error('SMTP_URL is not set, but mail waits to be sent');
    if (this.isPaused && !isLastAttempt) throw new MailPaused();
  }
}

export class NoMailer extends Mailer {
  override readonly isConfigured = false;
  override readonly isPaused = false;

  override send(): Promise<void> {
    return Promise.resolve();
  }
}
