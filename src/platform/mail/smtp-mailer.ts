import {
  type NodemailerError,
  type SMTPSentMessageInfo,
  type Transporter,
  createTransport,
} from 'nodemailer';
import { type Mail, Mailer, MailFailure } from './mailer.js';

/** Short, because the service may have to wait for a message before it can stop. */
const TIMEOUT_MS = 10_000;

/** One connection for each message. */
export class SmtpMailer extends Mailer {
  override readonly isConfigured = true;
  private readonly transport: Transporter<SMTPSentMessageInfo>;

  /** @param url URL for nodemailer: `smtps://user:password@host:465`, with options in the query. */
  constructor(
    url: string,
    private readonly from: { readonly name: string; readonly address: string },
  ) {
    super();
    this.transport = createTransport({
      url,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      dnsTimeout: TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  override async send({ to, subject, text }: Mail): Promise<void> {
    try {
      await this.transport.sendMail({
        from: this.from,
        // An object, so that nodemailer does not parse a list or a name from the address.
        to: { name: '', address: to },
        subject,
        text,
        // RFC 3834: prevents automatic replies.
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    } catch (error) {
      const { code, command, responseCode } = error as NodemailerError;
      throw new MailFailure(code, command, responseCode);
    }
  }
}
