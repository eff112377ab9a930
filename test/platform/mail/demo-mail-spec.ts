import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Mailer } from '../../../src/platform/mail/mailer.js';
import { MailServer } from '../../support/servers/mail-server.js';
import { TestService } from '../../support/service/service.js';

const DEMO = 'Berta.Baumann@Demo.Example';
const OTHERS = ['bob@people.example', 'bob@demo.example.com', 'bob@other-demo.example'];

describe('Mail to people of the demo tenant', () => {
  let server: MailServer;
  beforeAll(async () => {
    server = await MailServer.start();
  });
  afterAll(() => server.stop());

  /** Sends one mail to each address. Returns the recipients that the mail server has received. */
  async function received(settings: NodeJS.ProcessEnv, addresses: readonly string[]): Promise<string[]> {
    const service = await TestService.start({
      SMTP_URL: server.url(),
      MAIL_FROM: 'filing@service.example',
      ...settings,
    });
    try {
      const mailer = service.app.get(Mailer);
      expect(mailer.isConfigured).toBe(true);
      const before = server.received.length;
      for (const to of addresses) await mailer.send({ to, subject: 'Test', text: 'Test' });
      return server.received.slice(before).flatMap(({ to }) => to);
    } finally {
      await service.stop();
    }
  }

  it('is not sent, other mail is', async () => {
    expect(await received({}, [DEMO, ...OTHERS])).toEqual(OTHERS);
  });

  it('is sent with MAIL_DEMO_USERS=true', async () => {
    expect((await received({ MAIL_DEMO_USERS: 'true' }, [DEMO])).map((to) => to.toLowerCase())).toEqual([
      DEMO.toLowerCase(),
    ]);
  });
});
