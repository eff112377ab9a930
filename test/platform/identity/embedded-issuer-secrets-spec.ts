import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { ConfigurationError } from '../../../src/platform/config/configuration.js';
import { demoUser } from '../../../src/platform/identity/embedded/demo-users.js';
import { issueDemoToken } from '../../../src/platform/identity/embedded/demo-token.js';
import { createEmbeddedIssuer } from '../../../src/platform/identity/embedded/embedded-issuer.js';
import { loadIssuerSecrets } from '../../../src/platform/identity/embedded/embedded-issuer-secrets.js';
import { TokenVerifier } from '../../../src/platform/identity/token-verifier.js';
import { listen } from '../../support/servers/local-server.js';
import { configuration, dataDirectory, tokensOf, useEmbeddedIssuer } from './embedded-issuer.js';

useEmbeddedIssuer();

describe('createEmbeddedIssuer', () => {
  // Must be the first test: oidc-provider prints most of its warnings only once per process.
  it('prints nothing to the console, at its start or a login', async () => {
    const spies = (['info', 'warn', 'error'] as const).map((level) => jest.spyOn(console, level));
    await createEmbeddedIssuer({ configuration: configuration() });
    await tokensOf('demo-editor');
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
    jest.restoreAllMocks();
  });
});

describe('the secrets of the embedded issuer', () => {
  it('are stored in one file that only its owner can read', async () => {
    const folder = path.join(dataDirectory, 'issuer');
    expect(await readdir(folder)).toEqual(['secrets.json']);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(path.join(folder, 'secrets.json'))).mode & 0o777).toBe(0o600);
  });

  it('are kept after a restart, so that tokens remain valid', async () => {
    const { access_token: token } = await tokensOf('demo-editor');
    const handler = await createEmbeddedIssuer({ configuration: configuration() });
    const restarted = createServer(handler);
    const url = `${await listen(restarted)}/oidc/jwks`;
    const { keys } = (await (await fetch(url)).json()) as { keys: Record<string, unknown>[] };
    restarted.closeAllConnections();
    await new Promise((resolve) => restarted.close(resolve));
    expect(keys.map((key) => key.kid)).toEqual([decodeProtectedHeader(token).kid]);
    // The private key is not published.
    expect(keys[0]).not.toHaveProperty('d');
  });

  it('are the same for concurrent calls on an empty data directory', async () => {
    const fresh = await mkdtemp(path.join(tmpdir(), 'filing-issuer-'));
    const secrets = await Promise.all(Array.from({ length: 5 }, () => loadIssuerSecrets(fresh)));
    expect(new Set(secrets.map(({ signingKey }) => signingKey.kid)).size).toBe(1);
    expect(await readdir(path.join(fresh, 'issuer'))).toEqual(['secrets.json']);
    await rm(fresh, { recursive: true });
  });

  it('cause a ConfigurationError when the file is invalid', async () => {
    const fresh = await mkdtemp(path.join(tmpdir(), 'filing-issuer-'));
    await loadIssuerSecrets(fresh);
    for (const text of ['{', '{}', 'null']) {
      await writeFile(path.join(fresh, 'issuer', 'secrets.json'), text);
      await expect(loadIssuerSecrets(fresh)).rejects.toBeInstanceOf(ConfigurationError);
    }
    await rm(fresh, { recursive: true });
  });
});

describe('issueDemoToken', () => {
  it('returns a token equivalent to one from the login page', async () => {
    const tokenVerifier = new TokenVerifier(configuration());
    const user = demoUser('records_manager');
    const before = Date.now() / 1000;
    const token = await issueDemoToken({ configuration: configuration(), user });
    const after = Date.now() / 1000;
    const claimNames = (jwt: string) => Object.keys(decodeJwt(jwt));
    const { access_token: loginToken } = await tokensOf('demo-records_manager');
    expect(decodeProtectedHeader(token)).toEqual(decodeProtectedHeader(loginToken));
    expect(claimNames(loginToken)).toEqual(expect.arrayContaining(claimNames(token)));
    const { expiresAt, ...identity } = await tokenVerifier.verify(token);
    expect(await tokenVerifier.verify(loginToken)).toMatchObject(identity);
    // `iat` is rounded down to a whole second.
    expect(expiresAt - 12 * 3600).toBeGreaterThan(before - 1);
    expect(expiresAt - 12 * 3600).toBeLessThanOrEqual(after);
  });
});

describe('the embedded issuer in production', () => {
  const production = () => configuration({ NODE_ENV: 'production', OIDC_ISSUER: 'https://issuer.example' });

  it('does not start', async () => {
    await expect(createEmbeddedIssuer({ configuration: production() })).rejects.toBeInstanceOf(
      ConfigurationError,
    );
  });

  it('issues no token', async () => {
    const user = demoUser('viewer');
    await expect(issueDemoToken({ configuration: production(), user })).rejects.toBeInstanceOf(
      ConfigurationError,
    );
  });
});
