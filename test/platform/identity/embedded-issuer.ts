import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import express from 'express';
import { type Configuration, loadConfiguration } from '../../../src/platform/config/configuration.js';
import { createEmbeddedIssuer } from '../../../src/platform/identity/embedded/embedded-issuer.js';
import { listen } from '../../support/servers/local-server.js';
import { Browser, type Page } from './browser.js';

type Parameters = Record<string, string | undefined>;

export interface Tokens {
  access_token: string;
  id_token: string;
  token_type: string;
  expires_in: number;
}

export let dataDirectory: string;
export let publicUrl: string;
let server: Server;

/** Starts an embedded issuer in Express, as the service does, for the tests of a spec. Call it once per spec. */
export function useEmbeddedIssuer(): void {
  beforeAll(async () => {
    dataDirectory = await mkdtemp(path.join(tmpdir(), 'filing-issuer-'));
    const app = express();
    // The client closes idle connections. If the server did, it could close one that a new request is just using.
    server = createServer({ keepAliveTimeout: 0 }, app);
    publicUrl = await listen(server);
    app.use('/oidc', await createEmbeddedIssuer({ configuration: configuration() }));
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(dataDirectory, { recursive: true, force: true });
  });
}

export function configuration(environment: NodeJS.ProcessEnv = {}): Configuration {
  return loadConfiguration({ PUBLIC_URL: publicUrl, DATA_DIR: dataDirectory, ...environment });
}

const codeVerifier = randomBytes(32).toString('base64url');

/** The authorization request of Swagger UI with changed parameters; undefined omits a parameter. */
export function authorizationUrl(changes: Parameters = {}): string {
  const parameters = given({
    client_id: 'swagger-ui',
    response_type: 'code',
    redirect_uri: `${publicUrl}/docs/oauth2-redirect.html`,
    scope: 'openid email profile',
    state: 'st4te',
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...changes,
  });
  return `${publicUrl}/oidc/auth?${parameters.toString()}`;
}

export async function openLoginPage(browser: Browser, changes: Parameters = {}): Promise<Page> {
  const page = await browser.open(authorizationUrl(changes));
  expect(page.status).toBe(200);
  return page;
}

/** Logs in as a browser does. Returns the URL of the redirect back to the client. */
export async function signIn(browser: Browser, user: string, changes: Parameters = {}): Promise<URL> {
  const page = await openLoginPage(browser, changes);
  const { location } = await browser.submit(page.url, { person: user });
  if (!location) throw new Error('The login page does not redirect');
  return new URL(location);
}

export function redeem(changes: Parameters, headers: Record<string, string> = {}): Promise<Response> {
  const body = given({
    grant_type: 'authorization_code',
    client_id: 'swagger-ui',
    redirect_uri: `${publicUrl}/docs/oauth2-redirect.html`,
    code_verifier: codeVerifier,
    ...changes,
  });
  return fetch(`${publicUrl}/oidc/token`, { method: 'POST', body, headers });
}

export async function tokensOf(user: string, changes: Parameters = {}): Promise<Tokens> {
  const back = await signIn(new Browser(), user, changes);
  const response = await redeem({ code: back.searchParams.get('code') ?? '' });
  expect(response.status).toBe(200);
  return (await response.json()) as Tokens;
}

function given(parameters: Parameters): URLSearchParams {
  return new URLSearchParams(
    Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
