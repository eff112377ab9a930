import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { DEMO_USERS } from '../../../src/platform/identity/embedded/demo-users.js';
import { loadIssuerSecrets } from '../../../src/platform/identity/embedded/embedded-issuer-secrets.js';
import { InvalidToken } from '../../../src/platform/identity/token-claims.js';
import { TokenVerifier } from '../../../src/platform/identity/token-verifier.js';
import { Browser } from './browser.js';
import {
  type Tokens,
  authorizationUrl,
  configuration,
  dataDirectory,
  publicUrl,
  redeem,
  signIn,
  tokensOf,
  useEmbeddedIssuer,
} from './embedded-issuer.js';

useEmbeddedIssuer();

describe('the authorization code flow with PKCE', () => {
  it('returns an access token that identifies the user', async () => {
    const back = await signIn(new Browser(), 'demo-editor');
    expect(back.origin + back.pathname).toBe(`${publicUrl}/docs/oauth2-redirect.html`);
    expect(back.searchParams.get('state')).toBe('st4te');
    expect(back.searchParams.get('iss')).toBe(`${publicUrl}/oidc`);

    const response = await redeem({ code: back.searchParams.get('code') ?? '' });
    expect(response.headers.get('cache-control')).toBe('no-store');
    const tokens = (await response.json()) as Tokens;
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 12 * 3600 });
    expect(decodeProtectedHeader(tokens.access_token)).toMatchObject({ alg: 'RS256', typ: 'at+jwt' });

    const identity = await new TokenVerifier(configuration()).verify(tokens.access_token);
    expect(identity).toMatchObject({
      issuer: 'urn:filing-service:embedded-issuer',
      subject: 'demo-editor',
      email: 'editor@demo.example',
      emailVerified: true,
      displayName: 'Emma Editor',
    });
  });

  it('logs in every user of the demo tenant', async () => {
    const tokenVerifier = new TokenVerifier(configuration());
    for (const user of DEMO_USERS) {
      const { access_token: token } = await tokensOf(user.email);
      expect(await tokenVerifier.verify(token)).toMatchObject({
        subject: user.subject,
        displayName: user.name,
      });
    }
  });

  it('creates a user for any e-mail address, and the same one each time', async () => {
    const tokenVerifier = new TokenVerifier(configuration());
    for (const typed of ['alice@example.com', ' Alice@Example.COM ']) {
      const { access_token: token } = await tokensOf(typed);
      expect(await tokenVerifier.verify(token)).toMatchObject({
        subject: 'alice@example.com',
        email: 'alice@example.com',
        emailVerified: true,
      });
    }
  });

  it('shows the login page each time, so that another user can log in', async () => {
    const browser = new Browser();
    for (const subject of ['demo-editor', 'demo-viewer', 'demo-viewer', 'alice@example.com']) {
      const back = await signIn(browser, subject);
      const response = await redeem({ code: back.searchParams.get('code') ?? '' });
      expect(decodeJwt(((await response.json()) as Tokens).access_token).sub).toBe(subject);
    }
  });

  it('works without a scope (as Swagger UI may send it) and with prompt=consent', async () => {
    expect(decodeJwt((await tokensOf('demo-guest', { scope: undefined })).access_token).sub).toBe(
      'demo-guest',
    );
    expect(decodeJwt((await tokensOf('demo-guest', { prompt: 'consent' })).access_token).sub).toBe(
      'demo-guest',
    );
  });

  it('returns an ID token that is rejected as an access token', async () => {
    const { id_token: idToken } = await tokensOf('demo-editor', { nonce: 'n0nce' });
    expect(decodeJwt(idToken)).toMatchObject({ aud: 'swagger-ui', nonce: 'n0nce', sub: 'demo-editor' });
    await expect(new TokenVerifier(configuration()).verify(idToken)).rejects.toBeInstanceOf(InvalidToken);
    const careless = new TokenVerifier(configuration({ OIDC_AUDIENCE: 'swagger-ui' }));
    await expect(careless.verify(idToken)).rejects.toMatchObject({
      reason: 'The token is not an access token.',
    });
  });

  it('rejects a wrong code verifier, a missing one, and a code that was used', async () => {
    const browser = new Browser();
    const code = async () => (await signIn(browser, 'demo-editor')).searchParams.get('code') ?? '';
    const other = await redeem({ code: await code(), code_verifier: randomBytes(32).toString('base64url') });
    expect([other.status, await other.json()]).toMatchObject([400, { error: 'invalid_grant' }]);
    const none = await redeem({ code: await code(), code_verifier: undefined });
    expect([none.status, await none.json()]).toMatchObject([400, { error: 'invalid_grant' }]);
    const once = await code();
    expect((await redeem({ code: once })).status).toBe(200);
    expect((await redeem({ code: once })).status).toBe(400);
  });

  it.each([
    ['without PKCE', { code_challenge: undefined, code_challenge_method: undefined }],
    ['with plain PKCE', { code_challenge_method: 'plain' }],
    ['for the implicit flow', { response_type: 'token' }],
  ])('rejects a request %s', async (_what, changes) => {
    const { status, location } = await new Browser().get(authorizationUrl(changes));
    expect(status).toBe(303);
    expect(new URL(location ?? '').searchParams.get('error') ?? location).toMatch(
      /invalid_request|unsupported/,
    );
  });

  it.each([
    ['of an unknown client', { client_id: 'another' }],
    ['with another redirect URI', { redirect_uri: 'https://mallory.example/' }],
    ['without a redirect URI', { redirect_uri: undefined }],
  ])('shows an error page for a request %s', async (_what, changes) => {
    const { status, headers, text } = await new Browser().get(authorizationUrl(changes), {
      accept: 'text/html',
    });
    expect(status).toBe(400);
    expect(headers.get('content-type')).toMatch(/^text\/html/);
    expect(text).toContain('The login failed');
  });

  it('allows only the origins localhost and 127.0.0.1 to exchange the code', async () => {
    const localhost = publicUrl.replace('127.0.0.1', 'localhost');
    const redirectUri = `${localhost}/docs/oauth2-redirect.html`;
    const back = await signIn(new Browser(), 'demo-viewer', { redirect_uri: redirectUri });
    const code = back.searchParams.get('code') ?? '';
    expect(back.origin).toBe(localhost);
    const preflight = await fetch(`${publicUrl}/oidc/token`, {
      method: 'OPTIONS',
      headers: {
        origin: localhost,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-requested-with',
      },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBe(localhost);
    expect(preflight.headers.get('access-control-allow-headers')).toBe('x-requested-with');
    const stranger = await redeem({ code, redirect_uri: redirectUri }, { origin: 'https://mallory.example' });
    expect(stranger.headers.get('access-control-allow-origin')).toBeNull();
    expect(stranger.status).toBe(400);
    const own = await redeem({ code, redirect_uri: redirectUri }, { origin: localhost });
    expect(own.headers.get('access-control-allow-origin')).toBe(localhost);
    expect(own.status).toBe(200);
  });
});

describe('client credentials', () => {
  function machine(secret: string): Promise<Response> {
    return fetch(`${publicUrl}/oidc/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
      headers: { authorization: `Basic ${Buffer.from(`demo-machine:${secret}`).toString('base64')}` },
    });
  }

  it('return a token of the demo machine, a user without an e-mail address', async () => {
    const { demoMachineSecret } = await loadIssuerSecrets(dataDirectory);
    const response = await machine(demoMachineSecret);
    expect(response.status).toBe(200);
    const { access_token: token } = (await response.json()) as Tokens;
    expect(await new TokenVerifier(configuration()).verify(token)).toMatchObject({
      subject: 'demo-machine',
      email: null,
      emailVerified: false,
      displayName: 'Demo machine',
    });
  });

  it('are rejected with a wrong secret', async () => {
    expect((await machine('guess')).status).toBe(401);
  });
});
