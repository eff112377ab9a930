import {
  type DKIMOptions,
  type NodemailerError,
  type SMTPSentMessageInfo,
  type Transporter,
  createTransport,
} from 'nodemailer';
import { DEMO_DOMAIN } from '../../common/email-address.js';
import { type Mail, Mailer, MailFailure } from './mailer.js';

/** Short, because the service may have to wait for a message before it can stop. */
const TIMEOUT_MS = 10_000;
/** A server may check the content of a message before it answers. */
const ANSWER_TIMEOUT_MS = 30_000;
/** For the whole dialogue, also with a server that sends its answers slowly. */
const TIME_LIMIT_MS = 45_000;

/**
 * After a failure without an answer of the mail server, no mail is sent for this many times the duration of the failure.
 * So a server that does not answer occupies at most a quarter of a worker, and other jobs run.
 */
const PAUSE_FACTOR = 3;

/** Fields that the DKIM signature covers if they are present. RFC 8058 requires those about unsubscription. */
const SIGNED_FIELDS =
  'From:To:Subject:Date:Message-ID:MIME-Version:Content-Type:Content-Transfer-Encoding:' +
  'Auto-Submitted:List-Unsubscribe:List-Unsubscribe-Post';

/** One connection for each message. */
export class SmtpMailer extends Mailer {
  override readonly isConfigured = true;
  private pausedUntil = 0;
  private readonly transport: Transporter<SMTPSentMessageInfo>;
  /** Signals of the messages that were transmitted completely. The server may not have answered yet. */
  private readonly transmitted = new WeakSet<AbortSignal>();

  /** @param url URL for nodemailer: `smtps://user:password@host:465`, with options in the query. */
  constructor(
    url: string,
    private readonly from: { readonly name: string; readonly address: string },
    /** If false, drops mail to the people of the demo tenant, whose addresses no mail server has. */
    private readonly mailsDemoUsers: boolean,
    dkim: DKIMOptions | null,
  ) {
    super();
    this.transport = createTransport({
      url,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: ANSWER_TIMEOUT_MS,
      dnsTimeout: TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
      ...(dkim && { dkim: { ...dkim, headerFieldNames: SIGNED_FIELDS } }),
    });
    this.transport.use('stream', ({ data, message }, done) => {
      const { signal } = data;
      const createReadStream = message.createReadStream.bind(message);
      message.createReadStream = (options) => {
        const stream = createReadStream(options);
        return stream.once('end', () => signal && this.transmitted.add(signal));
      };
      done();
    });
  }

  override get isPaused(): boolean {
    return performance.now() < this.pausedUntil;
  }

  override async send(
    { to, subject, text, html, unsubscribeUrl }: Mail,
    stopping?: AbortSignal,
  ): Promise<void> {
    if (!this.mailsDemoUsers && to.toLowerCase().endsWith(`@${DEMO_DOMAIN}`)) return;
    const startedAt = performance.now();
    const timeLimit = AbortSignal.timeout(TIME_LIMIT_MS);
    const signal = stopping ? AbortSignal.any([timeLimit, stopping]) : timeLimit;
    try {
      await this.transport.sendMail({
        from: this.from,
        // An object, so that nodemailer does not parse a list or a name from the address.
        to: { name: '', address: to },
        subject,
        text,
        html,
        headers: {
          // RFC 3834: prevents automatic replies.
          'Auto-Submitted': 'auto-generated',
          ...(unsubscribeUrl && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
        },
        ...(unsubscribeUrl && { list: { unsubscribe: unsubscribeUrl } }),
        signal,
      });
    } catch (error) {
      const { code, command, responseCode } = error as NodemailerError;
      if (responseCode === undefined && !stopping?.aborted)
        this.pausedUntil = performance.now() + PAUSE_FACTOR * (performance.now() - startedAt);
      const mayBeAccepted = this.transmitted.has(signal) && responseCode === undefined;
      throw new MailFailure(code, command, responseCode, mayBeAccepted);
    }
  }
}
