import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import express from 'express';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { ConfigurationError, loadConfiguration } from '../../src/config/configuration.js';
import { DEMO_PEOPLE, findPerson } from '../../src/identity/demo-people.js';
import { issueDemoToken } from '../../src/identity/demo-token.js';
import { createEmbeddedIssuer } from '../../src/identity/embedded-issuer.js';
import { loadIssuerSecrets } from '../../src/identity/embedded-issuer-secrets.js';
import { InvalidToken } from '../../src/identity/invalid-token.js';
import { TokenVerifier } from '../../src/identity/token-verifier.js';
import { Browser } from '../support/browser.js';

let dataDirectory: string;
let server: Server;
let publicUrl: string;
let console_: {
  info: jest.SpiedFunction<typeof console.info>;
  warn: jest.SpiedFunction<typeof console.warn>;
};

function configuration(environment: NodeJS.ProcessEnv = {}) {
  return loadConfiguration({ PUBLIC_URL: publicUrl, DATA_DIR: dataDirectory, ...environment });
}

beforeAll(async () => {
  console_ = { info: jest.spyOn(console, 'info'), warn: jest.spyOn(console, 'warn') };
  dataDirectory = await mkdtemp(path.join(tmpdir(), 'filing-issuer-'));
  const app = express();
  server = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { issuer, handler } = await createEmbeddedIssuer({ configuration: configuration() });
  expect(issuer).toBe(`${publicUrl}/oidc`);
  app.use('/oidc', handler);
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(dataDirectory, { recursive: true, force: true });
});

const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');

function authorizationUrl(changes: Record<string, string | undefined> = {}): string {
  const parameters: Record<string, string | undefined> = {
    client_id: 'swagger-ui',
    response_type: 'code',
    redirect_uri: `${publicUrl}/docs/oauth2-redirect.html`,
    scope: 'openid email profile',
    state: 'st4te',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...changes,
  };
  const given = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return `${publicUrl}/oidc/auth?${new URLSearchParams(given).toString()}`;
}

/** From the client's request to the login page and back to the client, as a browser would go. */
async function signIn(
  browser: Browser,
  person: string,
  changes: Record<string, string | undefined> = {},
): Promise<URL> {
  const page = await browser.open(authorizationUrl(changes));
  expect(page.status).toBe(200);
  const { location } = await browser.submit(page.url, { person });
  if (!location) throw new Error('The login page leads nowhere');
  return new URL(location);
}

function redeem(
  changes: Record<string, string | undefined>,
  headers: Record<string, string> = {},
): Promise<Response> {
  const parameters: Record<string, string | undefined> = {
    grant_type: 'authorization_code',
    client_id: 'swagger-ui',
    redirect_uri: `${publicUrl}/docs/oauth2-redirect.html`,
    code_verifier: verifier,
    ...changes,
  };
  const given = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return fetch(`${publicUrl}/oidc/token`, { method: 'POST', body: new URLSearchParams(given), headers });
}

interface Tokens {
  access_token: string;
  id_token: string;
  token_type: string;
  expires_in: number;
}

async function tokensOf(person: string, changes: Record<string, string | undefined> = {}): Promise<Tokens> {
  const back = await signIn(new Browser(), person, changes);
  const response = await redeem({ code: back.searchParams.get('code') ?? '' });
  expect(response.status).toBe(200);
  return (await response.json()) as Tokens;
}

describe('the authorization code flow with PKCE', () => {
  it('gives an access token that is accepted and tells who it is', async () => {
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
      issuer: `${publicUrl}/oidc`,
      subject: 'demo-editor',
      email: 'editor@demo.example',
      emailVerified: true,
      displayName: 'Emma Editor',
    });
  });

  it('knows every person of the demo tenant', async () => {
    const verifies = new TokenVerifier(configuration());
    for (const person of DEMO_PEOPLE) {
      const { access_token: token } = await tokensOf(person.email);
      expect(await verifies.verify(token)).toMatchObject({
        subject: person.subject,
        displayName: person.name,
      });
    }
  });

  it('makes a person of any address, the same one every time', async () => {
    const verifies = new TokenVerifier(configuration());
    for (const typed of ['alice@example.com', ' Alice@Example.COM ']) {
      const { access_token: token } = await tokensOf(typed);
      expect(await verifies.verify(token)).toMatchObject({
        subject: 'alice@example.com',
        email: 'alice@example.com',
        emailVerified: true,
      });
    }
  });

  it('asks every time who it is, and takes another answer', async () => {
    const browser = new Browser();
    for (const subject of ['demo-editor', 'demo-viewer', 'demo-viewer', 'alice@example.com']) {
      const back = await signIn(browser, subject);
      const response = await redeem({ code: back.searchParams.get('code') ?? '' });
      expect(decodeJwt(((await response.json()) as Tokens).access_token).sub).toBe(subject);
    }
  });

  it('works without any scope, as Swagger UI may ask, and with a prompt for consent', async () => {
    expect(decodeJwt((await tokensOf('demo-guest', { scope: undefined })).access_token).sub).toBe(
      'demo-guest',
    );
    expect(decodeJwt((await tokensOf('demo-guest', { prompt: 'consent' })).access_token).sub).toBe(
      'demo-guest',
    );
  });

  it('gives an ID token that is no access token', async () => {
    const { id_token: idToken } = await tokensOf('demo-editor', { nonce: 'n0nce' });
    expect(decodeJwt(idToken)).toMatchObject({ aud: 'swagger-ui', nonce: 'n0nce', sub: 'demo-editor' });
    await expect(new TokenVerifier(configuration()).verify(idToken)).rejects.toBeInstanceOf(InvalidToken);
    const careless = new TokenVerifier(configuration({ OIDC_AUDIENCE: 'swagger-ui' }));
    await expect(careless.verify(idToken)).rejects.toMatchObject({
      reason: 'The token is not an access token.',
    });
  });

  it('refuses another verifier, a missing one, and a code used twice', async () => {
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
    ['for a token in the address', { response_type: 'token' }],
  ])('refuses a request %s', async (_what, changes) => {
    const { status, location } = await new Browser().get(authorizationUrl(changes));
    expect(status).toBe(303);
    expect(new URL(location ?? '').searchParams.get('error') ?? location).toMatch(
      /invalid_request|unsupported/,
    );
  });

  it.each([
    ['for another client', { client_id: 'another' }],
    ['back to another place', { redirect_uri: 'https://mallory.example/' }],
    ['back to another path', { redirect_uri: undefined }],
  ])('refuses a request %s with a page', async (_what, changes) => {
    const { status, headers, text } = await new Browser().get(authorizationUrl(changes), {
      accept: 'text/html',
    });
    expect(status).toBe(400);
    expect(headers.get('content-type')).toMatch(/^text\/html/);
    expect(text).toContain('This sign-in cannot go on');
  });

  it('lets the documentation under either name of the loopback redeem its code, and no other page', async () => {
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

  it('make the demo machine a user without an e-mail address', async () => {
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

  it('need the secret', async () => {
    expect((await machine('guess')).status).toBe(401);
  });
});

describe('the login page', () => {
  it('needs neither scripts nor anything from elsewhere, and says so to the browser', async () => {
    const { headers, text } = await new Browser().open(authorizationUrl());
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    const style = /<style>([\s\S]*?)<\/style>/.exec(text)?.[1] ?? '';
    expect(policy).toContain(createHash('sha256').update(style).digest('base64'));
    expect(text).not.toMatch(/<script|<link|<img|\bon[a-z]+=|style="|https?:/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('lets the browser go on to where the client waits', async () => {
    const { headers } = await new Browser().open(authorizationUrl());
    const localhost = publicUrl.replace('127.0.0.1', 'localhost');
    expect(headers.get('content-security-policy')).toContain(`form-action 'self' ${publicUrl} ${localhost}`);
  });

  it('names every demo person on a button and labels its field', async () => {
    const { text } = await new Browser().open(authorizationUrl());
    for (const { subject, name } of DEMO_PEOPLE) {
      expect(text).toContain(`<button name="person" value="${subject}">${name}`);
    }
    expect(text).toContain('<html lang="en">');
    expect(text).toMatch(/<label for="email">[\s\S]*<input\s[^>]*id="email"/);
  });

  it('asks again for what is no address, and shows it without taking it for markup', async () => {
    const browser = new Browser();
    const page = await browser.open(authorizationUrl());
    const { status, text } = await browser.submit(page.url, { person: '"><b>nobody' });
    expect(status).toBe(422);
    expect(text).toContain('role="alert"');
    expect(text).toContain('value="&quot;&gt;&lt;b&gt;nobody"');
    expect((await browser.submit(page.url, { person: 'demo-viewer' })).location).toContain('code=');
  });

  it('fills in what the client suggests', async () => {
    const { text } = await new Browser().open(authorizationUrl({ login_hint: 'bob@example.com' }));
    expect(text).toContain('value="bob@example.com"');
  });

  it('can be left again', async () => {
    const browser = new Browser();
    const page = await browser.open(authorizationUrl());
    const { location } = await browser.submit(page.url, { cancel: 'true' });
    expect(new URL(location ?? '').searchParams.get('error')).toBe('access_denied');
  });

  it('works only with the cookie of the sign-in', async () => {
    const page = await new Browser().open(authorizationUrl());
    const { status, text } = await new Browser().submit(page.url, { person: 'demo-administrator' });
    expect(status).toBe(400);
    expect(text).toContain('It has expired.');
  });

  it('takes no other method and no huge form', async () => {
    const browser = new Browser();
    const page = await browser.open(authorizationUrl());
    expect((await browser.request(page.url, { method: 'PUT' })).headers.get('allow')).toBe('GET, HEAD, POST');
    expect((await browser.submit(page.url, { person: 'x'.repeat(10_000) })).status).toBe(413);
  });

  it('keeps its cookies to itself', async () => {
    const browser = new Browser();
    await browser.open(authorizationUrl());
    expect(browser.setCookies.length).toBeGreaterThan(0);
    for (const cookie of browser.setCookies) {
      expect(cookie).toMatch(/; path=\/oidc/);
      expect(cookie).toMatch(/; samesite=lax/i);
      expect(cookie).toMatch(/; httponly/i);
    }
  });
});

describe('the keys', () => {
  it('are made once and readable by their owner only', async () => {
    const folder = path.join(dataDirectory, 'issuer');
    expect(await readdir(folder)).toEqual(['secrets.json']);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(path.join(folder, 'secrets.json'))).mode & 0o777).toBe(0o600);
  });

  it('outlive a restart, and so do tokens', async () => {
    const { access_token: token } = await tokensOf('demo-editor');
    const { handler } = await createEmbeddedIssuer({ configuration: configuration() });
    const restarted = createServer(handler).listen(0, '127.0.0.1');
    await new Promise((resolve) => restarted.once('listening', resolve));
    const url = `http://127.0.0.1:${(restarted.address() as AddressInfo).port}/oidc/jwks`;
    const { keys } = (await (await fetch(url)).json()) as { keys: Record<string, unknown>[] };
    restarted.closeAllConnections();
    await new Promise((resolve) => restarted.close(resolve));
    expect(keys.map((key) => key.kid)).toEqual([decodeProtectedHeader(token).kid]);
    expect(keys[0]).not.toHaveProperty('d');
  });

  it('are the same for all who want them at once', async () => {
    const fresh = await mkdtemp(path.join(tmpdir(), 'filing-issuer-'));
    const secrets = await Promise.all(Array.from({ length: 5 }, () => loadIssuerSecrets(fresh)));
    expect(new Set(secrets.map(({ signingKey }) => signingKey.kid)).size).toBe(1);
    expect(await readdir(path.join(fresh, 'issuer'))).toEqual(['secrets.json']);
    await rm(fresh, { recursive: true });
  });

  it('that are damaged are not silently replaced', async () => {
    const fresh = await mkdtemp(path.join(tmpdir(), 'filing-issuer-'));
    await loadIssuerSecrets(fresh);
    for (const text of ['{', '{}', 'null']) {
      await writeFile(path.join(fresh, 'issuer', 'secrets.json'), text);
      await expect(loadIssuerSecrets(fresh)).rejects.toBeInstanceOf(ConfigurationError);
    }
    await rm(fresh, { recursive: true });
  });
});

describe('a token from the command line', () => {
  it('is accepted like one from the login page', async () => {
    const verifies = new TokenVerifier(configuration());
    const person = findPerson('records_manager');
    if (!person) throw new Error('There is no records manager');
    const token = await issueDemoToken({ configuration: configuration(), person });
    const shape = (jwt: string) => ({
      header: decodeProtectedHeader(jwt),
      claims: Object.keys(decodeJwt(jwt)),
    });
    const { access_token: other } = await tokensOf('demo-records_manager');
    expect(shape(token).header).toEqual(shape(other).header);
    expect(shape(other).claims).toEqual(expect.arrayContaining(shape(token).claims));
    const { expiresAt, ...identity } = await verifies.verify(token);
    expect(await verifies.verify(other)).toMatchObject(identity);
    expect(expiresAt - Date.now() / 1000).toBeCloseTo(12 * 3600, -1);
  });
});

describe('in production', () => {
  const production = () => configuration({ NODE_ENV: 'production', OIDC_ISSUER: 'https://issuer.example' });

  it('it does not start', async () => {
    await expect(createEmbeddedIssuer({ configuration: production() })).rejects.toBeInstanceOf(
      ConfigurationError,
    );
  });

  it('it signs nothing', async () => {
    const [person] = DEMO_PEOPLE;
    if (!person) throw new Error('There are no demo people');
    await expect(issueDemoToken({ configuration: production(), person })).rejects.toBeInstanceOf(
      ConfigurationError,
    );
  });
});

it('says nothing to the console', () => {
  expect(console_.info).not.toHaveBeenCalled();
  expect(console_.warn).not.toHaveBeenCalled();
});
