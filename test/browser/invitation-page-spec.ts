import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { type Browser, type BrowserContext, type Page } from 'playwright-core';
import { ExternalIssuer } from '../platform/identity/external-issuer.js';
import { DemoService } from '../support/service/demo-service.js';
import { TestService } from '../support/service/service.js';
import { WAIT_TIMEOUT_MS, launchBrowser } from './launch-browser.js';

jest.setTimeout(900_000);

/** Folder for screenshots. If it is not set, none are saved. */
const SCREENSHOTS = process.env['SCREENSHOTS'];

class InvitationPage {
  readonly consoleErrors: string[] = [];
  readonly requestedUrls: string[] = [];

  private constructor(
    readonly context: BrowserContext,
    readonly tab: Page,
  ) {
    tab.on('pageerror', ({ message }) => this.consoleErrors.push(message));
    tab.on('console', (message) => {
      // Chromium also logs every error status. The tests expect some.
      const isErrorStatus = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isErrorStatus) this.consoleErrors.push(message.text());
    });
    tab.on('request', (request) => this.requestedUrls.push(request.url()));
  }

  static async open(browser: Browser, url: string, locale = 'en-GB'): Promise<InvitationPage> {
    const context = await browser.newContext({ locale, viewport: { width: 800, height: 600 } });
    context.setDefaultTimeout(WAIT_TIMEOUT_MS);
    const page = new InvitationPage(context, await context.newPage());
    await page.tab.goto(url);
    return page;
  }

  press(action: 'log-in' | 'other-account' | 'accept' | 'decline'): Promise<void> {
    return this.tab.locator(`section:not([hidden]) [data-action="${action}"]`).click();
  }

  async text(section: string): Promise<string> {
    const shown = this.tab.locator(`#${section}`);
    await shown.waitFor({ state: 'visible' });
    return shown.innerText();
  }

  /** Logs in on the page of the embedded issuer. */
  async logInAs(email: string, action: 'log-in' | 'other-account' = 'log-in'): Promise<void> {
    await this.press(action);
    await this.tab.fill('#email', email);
    await this.tab.getByRole('button', { name: 'Continue with this address' }).click();
    await this.tab.waitForURL(/\/invitation/);
  }

  storage(): Promise<{ session: number; local: number; address: string; cookies: string }> {
    return this.tab.evaluate(
      '({ session: sessionStorage.length, local: localStorage.length, address: location.href, cookies: document.cookie })',
    );
  }

  async saveScreenshot(name: string): Promise<void> {
    if (!SCREENSHOTS) return;
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [800, 390]) {
        await this.tab.emulateMedia({ colorScheme });
        await this.tab.setViewportSize({ width, height: 600 });
        await this.tab.screenshot({ path: `${SCREENSHOTS}/${name}-${colorScheme}-${width}.png` });
      }
  }
}

describe('The invitation page', () => {
  let service: DemoService;
  let browser: Browser;
  let owner: pg.Client;
  let administrator: string;
  let pages: InvitationPage[];
  beforeAll(async () => {
    service = await DemoService.start();
    browser = await launchBrowser();
    administrator = await service.token('administrator');
    owner = new pg.Client({ connectionString: service.database.ownerUrl });
    await owner.connect();
  });
  afterAll(async () => {
    await owner?.end();
    await browser?.close();
    await service?.stop();
  });
  beforeEach(() => {
    pages = [];
  });
  afterEach(async () => {
    for (const { consoleErrors, context } of pages) {
      expect(consoleErrors).toEqual([]);
      await context.close();
    }
  });

  async function open(url: string, locale?: string): Promise<InvitationPage> {
    const page = await InvitationPage.open(browser, url, locale);
    pages.push(page);
    return page;
  }

  async function call<T>(path: string, body?: object): Promise<T> {
    const response = await fetch(`${service.url}/api/v1/t/demo${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${administrator}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await response.json()) as T;
  }

  async function invite(email: string, message?: string): Promise<{ id: string; acceptUrl: string }> {
    const roles = await call<{ items: { id: string; key: string }[] }>('/roles');
    const roleId = roles.items.find(({ key }) => key === 'viewer')?.id;
    return call('/invitations', { email, roleId, message });
  }

  const statusOf = async (id: string) => (await call<{ status: string }>(`/invitations/${id}`)).status;

  it('accepts an invitation after a login, and shows later that it is already accepted', async () => {
    const { id, acceptUrl } = await invite('ina@people.example', 'Welcome!\n<b>See you</b>');
    const page = await open(acceptUrl);
    expect((await page.text('log-in')).split('\n').filter(Boolean)).toEqual([
      'Log in with the e-mail address that the invitation was sent to, then accept or decline it.',
      ...['Tenant', 'Stadtverwaltung Musterstadt', 'Role', 'Viewer', 'Invited by', 'Alice Administrator'],
      ...['Welcome!', '<b>See you</b>', 'Log in'],
    ]);
    await page.saveScreenshot('invitation-1');

    await page.logInAs('ina@people.example');
    expect(await page.text('answer')).toMatch(/^Logged in as ina@people\.example\./);
    await page.saveScreenshot('invitation-2');

    await page.press('accept');
    expect(await page.text('accepted')).toMatch(
      /^Accepted\. You are now a member of .+, with the role Viewer\.\s+Next, open the application/,
    );
    expect((await page.storage()).address).toBe(`${service.url}/invitation`);
    await page.saveScreenshot('invitation-3');
    expect(await statusOf(id)).toBe('Accepted');

    const reopened = await open(acceptUrl);
    // Before the login, the page does not show whether the invitation was accepted.
    expect(await reopened.text('ended')).toMatch(/^There is no open invitation with this link\./);
    await reopened.logInAs('ina@people.example');
    expect(await reopened.text('already-accepted')).toMatch(/^Already accepted\. You are a member of/);
  });

  it('leaves no token or secret in a URL or in browser storage', async () => {
    const { acceptUrl } = await invite('ines@people.example');
    const secret = new URLSearchParams(new URL(acceptUrl).hash.slice(1)).get('secret') ?? '';
    const page = await open(acceptUrl);
    await page.logInAs('ines@people.example');
    await page.text('answer');
    expect(await page.storage()).toEqual({ session: 0, local: 0, address: acceptUrl, cookies: '' });
    await page.press('accept');
    await page.text('accepted');
    expect(page.requestedUrls.filter((url) => /ey[\w-]+\.ey/.test(url) || url.includes(secret))).toEqual([]);
    expect(page.requestedUrls.filter((url) => !url.startsWith(service.url))).toEqual([]);
  });

  it('declines an invitation after a login', async () => {
    const { id, acceptUrl } = await invite('ida@people.example');
    const page = await open(acceptUrl);
    await page.logInAs('ida@people.example');
    await page.press('decline');
    expect(await page.text('declined')).toBe('Declined. You can close this page.');
    expect(await statusOf(id)).toBe('Declined');

    const reopened = await open(acceptUrl);
    await reopened.logInAs('ida@people.example');
    await reopened.press('accept');
    expect(await reopened.text('problem')).toMatch(/^Not found/);
  });

  it('shows "Not found" to a user with another e-mail address, and allows a login with another account', async () => {
    const { id, acceptUrl } = await invite('iris@people.example');
    const page = await open(acceptUrl);
    await page.logInAs('other@people.example');
    await page.press('accept');
    expect(await page.text('problem')).toMatch(
      /^Not found[^]*There is no open invitation with this link for the e-mail address of this account\./,
    );
    expect(await statusOf(id)).toBe('Pending');
    await page.logInAs('iris@people.example', 'other-account');
    await page.press('accept');
    await page.text('accepted');
  });

  it('shows the same text for an expired and an unknown invitation', async () => {
    const { id, acceptUrl } = await invite('ivy@people.example');
    await owner.query(`UPDATE invitations SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
    const texts: string[] = [];
    for (const url of [
      acceptUrl,
      acceptUrl.replace(/secret=.*/, 'secret=unknown'),
      acceptUrl.replace('=demo', '=nosuch'),
    ]) {
      const page = await open(url);
      texts.push(await page.text('ended'));
      await page.logInAs('ivy@people.example');
      await page.text('answer');
      await page.press('decline');
      texts.push(await page.text('problem'));
    }
    expect(new Set(texts).size).toBe(2);
  });

  it('shows German texts to a German browser', async () => {
    const { acceptUrl } = await invite('ilse@people.example');
    const page = await open(acceptUrl, 'de-AT');
    expect(await page.text('log-in')).toMatch(
      /^Zum Annehmen oder Ablehnen[^]*Rolle\s+Einsicht[^]*Eingeladen von/,
    );
    await page.logInAs('other@people.example');
    await page.press('accept');
    expect(await page.text('problem')).toMatch(/^Nicht gefunden[^]*keine offene Einladung/);
    await page.logInAs('ilse@people.example', 'other-account');
    await page.press('accept');
    expect(await page.text('accepted')).toContain('mit der Rolle Einsicht.');
  });

  it('allows a new login after a cancelled login', async () => {
    const { acceptUrl } = await invite('inge@people.example');
    const page = await open(acceptUrl);
    await page.press('log-in');
    await page.tab.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.text('login-failed')).toMatch(
      /^The login was not completed\. The sign-in was cancelled\./,
    );
    await page.logInAs('inge@people.example');
    await page.text('answer');
  });

  it('ignores the response to a login that it did not start', async () => {
    const { acceptUrl } = await invite('irma@people.example');
    const page = await open(`${service.url}/invitation?code=stolen&state=forged`);
    expect(await page.text('incomplete')).toMatch(/^This link is not complete\./);
    expect(page.requestedUrls.filter((url) => url.includes('/oidc/'))).toEqual([]);
    await page.tab.goto(acceptUrl);
    await page.text('log-in');
  });

  it.each(['', '#', '#tenant=acme', '#secret=x', '#tenant=&secret='])(
    'shows no buttons for the incomplete link %j',
    async (fragment) => {
      const page = await open(`${service.url}/invitation${fragment}`);
      expect(await page.text('incomplete')).toMatch(/^This link is not complete\./);
      expect(await page.tab.locator('button:visible').count()).toBe(0);
    },
  );

  it('calls only the operations for invitations, even with a manipulated URL fragment', async () => {
    const page = await open(`${service.url}/invitation#tenant=..%2F..%2Foidc%2F<img src=x>&secret=x`);
    await page.logInAs('isa@people.example');
    await page.press('accept');
    await page.text('problem');
    expect(page.requestedUrls.filter((url) => url.endsWith('/accept'))).toEqual([
      `${service.url}/api/v1/t/${encodeURIComponent('../../oidc/<img src=x>')}/invitations/accept`,
    ]);
  });
});

describe('The invitation page with an external issuer', () => {
  const CLIENT = 'filing-documentation';
  let issuer: ExternalIssuer;
  let service: TestService;
  let browser: Browser;
  beforeAll(async () => {
    issuer = await ExternalIssuer.start();
    service = await TestService.start({
      OIDC_ISSUER: issuer.url,
      DOCS_CLIENT_ID: CLIENT,
      APP_URL: 'https://app.example/?a=1&b="2"',
    });
    await issuer.register({ id: CLIENT, redirectUri: `${service.url}/invitation` });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await issuer?.stop();
  });

  it('finds the issuer by discovery, logs in and accepts an invitation', async () => {
    issuer.users.set('0fa1-ada', { email: 'ada@office.example', email_verified: true });
    issuer.users.set('0fa1-boss', { email: 'boss@office.example', email_verified: true });
    const tenant = await service.tenant();
    await service.query(
      `INSERT INTO expected_members (tenant_id, email_key, email, role_id)
       SELECT $1, $2, $2, id FROM roles WHERE tenant_id = $1 AND key = 'administrator'`,
      [tenant.id, 'boss@office.example'],
    );
    const { access_token: token } = await issuer.signIn('0fa1-boss', {
      clientId: CLIENT,
      discoveryUrl: `${issuer.url}/.well-known/openid-configuration`,
      redirectUri: `${service.url}/invitation`,
    });
    const invited = await fetch(`${service.url}/api/v1/t/${tenant.slug}/invitations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ada@office.example', roleId: await tenant.roleId('editor') }),
    });
    expect(invited.status).toBe(201);
    const { acceptUrl } = (await invited.json()) as { acceptUrl: string };
    const page = await InvitationPage.open(
      browser,
      acceptUrl.replace(service.configuration.publicUrl, service.url),
    );
    await page.press('log-in');
    await page.tab.fill('input[name="login"]', '0fa1-ada');
    await page.tab.fill('input[name="password"]', 'x');
    await page.tab.click('button[type="submit"]');
    expect(await page.text('answer')).toContain('boss@office.example');
    await page.press('accept');
    expect(await page.text('accepted')).toMatch(/with the role Editor\.\s+Open the application$/);
    expect(await page.tab.locator('#accepted a').getAttribute('href')).toBe('https://app.example/?a=1&b="2"');
    expect(page.consoleErrors).toEqual([]);
  });
});
