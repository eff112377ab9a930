import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type OpenAPIObject } from '@nestjs/swagger';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { TestService } from '../../support/service/service.js';
import { TestTenant } from '../../support/tenant.js';
import { ExternalIssuer, type LoginSettings, SCANNER } from './external-issuer.js';

const PUBLIC_URL = 'https://filing.office.example';
const CLIENT = 'filing-documentation';

interface Me {
  readonly user: { readonly id: string };
}

describe('An external issuer', () => {
  let issuer: ExternalIssuer;
  let service: TestService;
  let tenant: TestTenant;
  let outsider: Actor;
  beforeAll(async () => {
    issuer = await ExternalIssuer.start();
    await issuer.register({ id: CLIENT, redirectUri: `${PUBLIC_URL}/docs/oauth2-redirect.html` });
    service = await TestService.start({ PUBLIC_URL, OIDC_ISSUER: issuer.url, DOCS_CLIENT_ID: CLIENT });
    tenant = await service.tenant();
    outsider = await tenant.nonMember();
  });
  afterAll(async () => {
    await service?.stop();
    await issuer?.stop();
  });

  /** The login settings that Swagger UI reads from the documentation. */
  async function login(): Promise<LoginSettings> {
    const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenAPIObject;
    const scheme = document.components?.securitySchemes?.openIdConnect as { openIdConnectUrl: string };
    const initializer = await (await fetch(`${service.url}/docs/initializer.js`)).text();
    const { clientId } = JSON.parse(/initOAuth\((.*)\);/.exec(initializer)?.[1] ?? '') as LoginSettings;
    // Swagger UI resolves the path against the URL of the page, which is below PUBLIC_URL.
    expect(initializer).toContain(`new URL('docs/oauth2-redirect.html', window.location.href)`);
    return {
      clientId,
      discoveryUrl: scheme.openIdConnectUrl,
      redirectUri: new URL('docs/oauth2-redirect.html', `${PUBLIC_URL}/docs`).href,
    };
  }

  async function signIn(subject: string, claims: Record<string, unknown>): Promise<Actor> {
    issuer.users.set(subject, claims);
    return outsider.withToken((await issuer.signIn(subject, await login())).access_token);
  }

  /** Adds an expected administrator with the address, as `npm run tenant -- create --admin` does. */
  async function expected(email: string): Promise<void> {
    await service.query(
      `INSERT INTO expected_members (tenant_id, email_key, email, role_id)
       SELECT $1, $2, $2, id FROM roles WHERE tenant_id = $1 AND key = 'administrator'`,
      [tenant.id, email],
    );
  }

  it('logs in a user through the documentation and gives the role of the expected member', async () => {
    await expected('ada@office.example');
    const ada = await signIn('0fa1-ada', {
      email: 'ada@office.example',
      email_verified: true,
      name: 'Ada Archivarin',
    });
    const me = (await ada.get('/me').expect(200)).body as Me;
    expect(me).toMatchObject({
      user: { email: 'ada@office.example', displayName: 'Ada Archivarin' },
      role: { key: 'administrator' },
    });
    const [user] = await service.query('SELECT issuer, subject FROM users WHERE id = $1', [me.user.id]);
    expect(user).toEqual({ issuer: issuer.url, subject: '0fa1-ada' });
  });

  it('does not make a user with an unverified address a member', async () => {
    await expected('eve@office.example');
    const eve = await signIn('0fa1-eve', { email: 'eve@office.example', email_verified: false });
    expectProblem(await eve.get('/me'), 'resource.not-found');
  });

  it('lets only the user with the invited address accept an invitation', async () => {
    await expected('boss@office.example');
    const boss = await signIn('0fa1-boss', { email: 'boss@office.example', email_verified: true });
    await boss.get('/me').expect(200);
    const roleId = await tenant.roleId('editor');
    const invited = await boss.post('/invitations', { email: 'ben@office.example', roleId }).expect(201);
    const { secret } = invited.body as { secret: string };
    const other = await signIn('0fa1-mia', { email: 'mia@office.example', email_verified: true });
    expectProblem(await other.post('/invitations/accept', { secret }), 'resource.not-found');
    const ben = await signIn('0fa1-ben', { email: 'ben@office.example', email_verified: true });
    const accepted = await ben.post('/invitations/accept', { secret }).expect(200);
    expect(accepted.body).toMatchObject({ role: { key: 'editor' } });
  });

  it('takes the address from OIDC_EMAIL_CLAIM, and trusts it with OIDC_TRUST_EMAIL', async () => {
    const trustingService = await TestService.start(
      { PUBLIC_URL, OIDC_ISSUER: issuer.url, OIDC_EMAIL_CLAIM: 'upn', OIDC_TRUST_EMAIL: 'true' },
      service,
    );
    try {
      await expected('uwe@office.example');
      const there = new TestTenant(trustingService, tenant.id, tenant.slug);
      const uwe = await signIn('0fa1-uwe', { upn: 'uwe@office.example', preferred_username: 'uwe' });
      expectProblem(await uwe.get('/me'), 'resource.not-found');
      const me = (await uwe.inTenant(there).get('/me').expect(200)).body as Me;
      expect(me).toMatchObject({
        user: { email: 'uwe@office.example', displayName: 'uwe' },
        role: { key: 'administrator' },
      });
    } finally {
      await trustingService.stop();
    }
  });

  it('gives access to a machine client that was added by issuer and subject', async () => {
    const scanner = outsider.withToken((await issuer.machineToken()).access_token);
    expectProblem(await scanner.get('/me'), 'resource.not-found');
    await expected('chief@office.example');
    const chief = await signIn('0fa1-chief', { email: 'chief@office.example', email_verified: true });
    const roleId = await tenant.roleId('viewer');
    await chief.post('/members', { issuer: issuer.url, subject: SCANNER.id, roleId }).expect(201);
    const me = (await scanner.get('/me').expect(200)).body as Me;
    expect(me).toMatchObject({ user: { email: null }, role: { key: 'viewer' } });
  });

  it('returns 401 for ID tokens', async () => {
    const { id_token: idToken = '' } = await issuer.signIn('0fa1-ida', await login());
    expect(idToken.split('.')).toHaveLength(3);
    expectProblem(await outsider.withToken(idToken).get('/me'), 'authentication.required');
  });

  it('returns 401 for a token of another issuer, whatever its claims are', async () => {
    const claims = { sub: '0fa1-ada', email: 'ada@office.example', email_verified: true };
    for (const iss of [service.issuer.url, issuer.url]) {
      const token = await service.issuer.token({ ...claims, iss });
      expectProblem(await outsider.withToken(token).get('/me'), 'authentication.required');
    }
  });
});
