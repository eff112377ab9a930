import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Browser, type BrowserContext } from 'playwright-core';
import { ExternalIssuer } from '../platform/identity/external-issuer.js';
import { TestService } from '../support/service/service.js';
import { type TestTenant } from '../support/tenant.js';
import { DocumentationPage } from './documentation-page.js';
import { WAIT_TIMEOUT_MS, launchBrowser } from './launch-browser.js';

jest.setTimeout(900_000);

const CLIENT = 'filing-documentation';

describe('Swagger UI with an external issuer', () => {
  let issuer: ExternalIssuer;
  let service: TestService;
  let tenant: TestTenant;
  let browser: Browser;
  let context: BrowserContext;
  beforeAll(async () => {
    issuer = await ExternalIssuer.start();
    service = await TestService.start({ OIDC_ISSUER: issuer.url, DOCS_CLIENT_ID: CLIENT });
    await issuer.register({ id: CLIENT, redirectUri: `${service.url}/docs/oauth2-redirect.html` });
    tenant = await service.tenant();
    browser = await launchBrowser();
    context = await browser.newContext({ viewport: { width: 1280, height: 1400 } });
    context.setDefaultTimeout(WAIT_TIMEOUT_MS);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await issuer?.stop();
  });

  it('finds the issuer by discovery, logs in with PKCE and calls the API with the token', async () => {
    issuer.users.set('0fa1-ada', { email: 'ada@office.example', email_verified: true });
    await service.query(
      `INSERT INTO expected_members (tenant_id, email_key, email, role_id)
       SELECT $1, $2, $2, id FROM roles WHERE tenant_id = $1 AND key = 'administrator'`,
      [tenant.id, 'ada@office.example'],
    );
    const page = await DocumentationPage.open(context, `${service.url}/docs`);
    expect(await page.logins()).toEqual([
      expect.stringMatching(/^openIdConnect\b.*authorization_code/),
      expect.stringMatching(/^bearer\b/),
    ]);
    await page.logInAtIssuer('0fa1-ada');
    const me = await page.operation('Me', 'GetTenantMe');
    await me.fill('tenant', tenant.slug);
    const { status, body } = await me.send();
    expect({ status, body }).toEqual({ status: 200, body: expect.stringContaining('ada@office.example') });
    expect(page.consoleErrors).toEqual([]);
  });
});
