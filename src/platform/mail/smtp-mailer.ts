import {
  type NodemailerError,
  type SMTPSentMessageInfo,
  type Transporter,
  createTransport,
} from 'nodemailer';
import { type Mail, Mailer, MailFailure } from './mailer.js';

/** A server that does not answer is given up soon: whoever sends mail may have to wait for it before stopping. */
const TIMEOUT_MS = 10_000;

/** Sends mail through an SMTP server: one connection for each message. */
export class SmtpMailer extends Mailer {
  override readonly isConfigured = true;
  private readonly transport: Transporter<SMTPSentMessageInfo>;

  /** `url` as nodemailer takes it: `smtps://user:password@host:465`, options in the query. */
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
        // As an object: nothing in the address is taken for a list or a name.
        to: { name: '', address: to },
        subject,
        text,
        // RFC 3834: nobody answers this by itself.
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    } catch (error) {
      const { code, command, responseCode } = error as NodemailerError;
      throw new MailFailure(code, command, responseCode);
    }
  }
}
