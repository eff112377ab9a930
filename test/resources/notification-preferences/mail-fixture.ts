import { type Actor } from '../../support/actor.js';
import { saveFile } from '../../factories/files.js';
import { MailServer } from '../../support/servers/mail-server.js';
import { TestService } from '../../support/service/service.js';
import { type TestTenant } from '../../support/tenant.js';

export const MAIL_FROM = 'Ablage Süd <filing@service.example>';
export const PUBLIC_URL = 'https://filing.example/office';

/** A service with a mail server. Its jobs run only when a test calls `runDue`. */
export class MailFixture {
  readonly written: string[] = [];
  service!: TestService;
  tenant!: TestTenant;
  admin!: Actor;
  reader!: Actor;

  private constructor(readonly server: MailServer) {}

  static async start(environment: NodeJS.ProcessEnv = {}): Promise<MailFixture> {
    const fixture = new MailFixture(await MailServer.start());
    fixture.service = await TestService.start(
      {
        SMTP_URL: fixture.server.url(),
        MAIL_FROM,
        PUBLIC_URL,
        TIME_ZONE: 'Europe/Berlin',
        LOG_LEVEL: 'info',
        LOG_FORMAT: 'json',
        TRUSTED_PROXIES: '127.0.0.1',
        ...environment,
      },
      undefined,
      fixture.written,
    );
    return fixture;
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.server.stop();
  }

  get received() {
    return this.server.received;
  }

  /** The lines about notifications of each mail. */
  lines(): string[][] {
    return this.received.map(({ text }) => text.split('\n').filter((line) => line.startsWith('- ')));
  }

  /** A new tenant with an administrator, who causes notifications, and an editor, who gets them. */
  async reset(): Promise<void> {
    Object.assign(this.server, {
      recipientError: undefined,
      recipientStatus: 550,
      closesAfterMessage: false,
      delayMs: 0,
      connections: 0,
    });
    // A job of the test before may be waiting for its next attempt.
    await this.service.query(
      `DELETE FROM graphile_worker._private_jobs j USING graphile_worker._private_tasks t
        WHERE t.id = j.task_id AND t.identifier LIKE 'Send%Mail'`,
    );
    this.received.length = 0;
    this.written.length = 0;
    this.tenant = await this.service.tenant();
    this.admin = await this.tenant.as('administrator', 'Ada Admin');
    this.reader = await this.tenant.as('editor', 'Edda Editor');
  }

  async prefer(mail: object, language = 'en', actor = this.reader): Promise<void> {
    await actor.put('/notification-preferences', { language, mail }).expect(200);
  }

  /** The administrator closes a new file of the reader, which notifies the reader. */
  async closeFile(values: { number?: string; name?: string } = {}, owner = this.reader): Promise<string> {
    const { id } = await saveFile(this.tenant, owner, values);
    await this.admin.post(`/files/${id}/close`).expect(200);
    return id;
  }

  async reopenFile(id: string): Promise<void> {
    await this.admin.post(`/files/${id}/reopen`).expect(200);
  }

  /** Runs the jobs that are due, and those that they queue. */
  runDue(): Promise<void> {
    return this.service.runJobs();
  }

  /** Lets the time until the next run of all jobs of the tenant pass. */
  async runAll(): Promise<void> {
    await this.tenant.query(
      `UPDATE graphile_worker._private_jobs SET run_at = now() WHERE payload ->> 'tenantId' = $1`,
    );
    await this.runDue();
  }

  /** Moves everything that has happened into the past. */
  async pass(interval: string): Promise<void> {
    // Citus accepts only immutable functions of columns in UPDATE. Subtracting from a timestamptz is not: it depends on the time zone.
    const earlier = (column: string) =>
      `${column} = (${column} AT TIME ZONE 'UTC' - $2::interval) AT TIME ZONE 'UTC'`;
    for (const [table, ...columns] of [
      ['notification_preferences', 'last_mail_at', 'last_digest_at', 'created_at'],
      ['notification_mails', 'created_at'],
      ['notifications', 'created_at'],
      ['invitations', 'created_at'],
    ])
      await this.tenant.query(
        `UPDATE ${table} SET ${columns.map(earlier).join(', ')} WHERE tenant_id = $1`,
        interval,
      );
  }

  /** Times before which the jobs of the tenant do not run, by mode. */
  async runTimes(): Promise<{ mode: string; runAt: Date; isDue: boolean }[]> {
    return this.tenant.query(`SELECT payload ->> 'mode' AS mode, run_at AS "runAt", run_at <= now() AS "isDue"
         FROM graphile_worker._private_jobs WHERE payload ->> 'tenantId' = $1 AND is_available ORDER BY 1`);
  }

  async pendingMails(): Promise<{ mode: string; isClaimed: boolean }[]> {
    return this.tenant.query(`SELECT mode, claimed_at IS NOT NULL AS "isClaimed" FROM notification_mails
        WHERE tenant_id = $1 ORDER BY created_at, notification_id`);
  }

  logLines(message: string): Record<string, unknown>[] {
    return this.written
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg }) => msg === message);
  }
}
