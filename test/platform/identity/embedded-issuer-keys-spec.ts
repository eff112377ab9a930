import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { ConfigurationError } from '../../../src/platform/config/configuration.js';
import { DEMO_USERS, findIssuerUser } from '../../../src/platform/identity/embedded/demo-users.js';
import { issueDemoToken } from '../../../src/platform/identity/embedded/demo-token.js';
import { createEmbeddedIssuer } from '../../../src/platform/identity/embedded/embedded-issuer.js';
import { loadIssuerSecrets } from '../../../src/platform/identity/embedded/embedded-issuer-secrets.js';
import { TokenVerifier } from '../../../src/platform/identity/token-verifier.js';
import { configuration, dataDirectory, tokensOf, useEmbeddedIssuer } from './embedded-issuer.js';

useEmbeddedIssuer();

describe('the console', () => {
  // First in this file: the library says most of its things once in a process.
  it('hears nothing of a start and a sign-in', async () => {
    const spies = (['info', 'warn', 'error'] as const).map((level) => jest.spyOn(console, level));
    await createEmbeddedIssuer({ configuration: configuration() });
    await tokensOf('demo-editor');
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
    jest.restoreAllMocks();
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
    const tokenVerifier = new TokenVerifier(configuration());
    const person = findIssuerUser('records_manager');
    if (!person) throw new Error('There is no records manager');
    const begin = Date.now() / 1000;
    const token = await issueDemoToken({ configuration: configuration(), person });
    const end = Date.now() / 1000;
    const shape = (jwt: string) => ({
      header: decodeProtectedHeader(jwt),
      claims: Object.keys(decodeJwt(jwt)),
    });
    const { access_token: other } = await tokensOf('demo-records_manager');
    expect(shape(token).header).toEqual(shape(other).header);
    expect(shape(other).claims).toEqual(expect.arrayContaining(shape(token).claims));
    const { expiresAt, ...identity } = await tokenVerifier.verify(token);
    expect(await tokenVerifier.verify(other)).toMatchObject(identity);
    // It begins with a whole second.
    expect(expiresAt - 12 * 3600).toBeGreaterThan(begin - 1);
    expect(expiresAt - 12 * 3600).toBeLessThanOrEqual(end);
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
    const [person] = DEMO_USERS;
    if (!person) throw new Error('There are no demo people');
    await expect(issueDemoToken({ configuration: production(), person })).rejects.toBeInstanceOf(
      ConfigurationError,
    );
  });
});
