import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { decodeJwt, type JWTPayload } from 'jose';
import { Problem } from '../../src/common/problem.js';
import { loadConfiguration } from '../../src/config/configuration.js';
import { InvalidToken } from '../../src/identity/invalid-token.js';
import { TokenVerifier, type VerifierTiming } from '../../src/identity/token-verifier.js';
import { startTestIssuer, TEST_AUDIENCE, type TestIssuer } from '../support/issuer.js';

let issuer: TestIssuer;

beforeEach(async () => {
  issuer = await startTestIssuer();
});

afterEach(async () => {
  jest.useRealTimers();
  await issuer.stop();
});

function verifier(environment: NodeJS.ProcessEnv = {}, timing: Partial<VerifierTiming> = {}): TokenVerifier {
  return new TokenVerifier(loadConfiguration({ OIDC_ISSUER: issuer.url, ...environment }), undefined, timing);
}

async function refusal(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => new Error('accepted'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof InvalidToken)) throw error;
  // RFC 6750, 3: what error_description may hold
  expect(error.reason).toMatch(/^[\x20\x21\x23-\x5B\x5D-\x7E]+$/);
  return error.reason;
}

async function outage(promise: Promise<unknown>): Promise<Problem> {
  const error = await promise.then(
    () => new Error('accepted'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof Problem)) throw error;
  expect(error.status).toBe(503);
  expect(Number(error.options.headers?.['Retry-After'])).toBeGreaterThan(0);
  return error;
}

/** Only the clocks are replaced; sockets and their timers go on as they are. */
function holdClocks(): void {
  jest.useFakeTimers({
    doNotFake: [
      ...(['hrtime', 'nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const),
      ...(['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const),
    ],
  });
}

function later(milliseconds: number): void {
  jest.advanceTimersByTime(milliseconds);
}

const now = () => Math.floor(Date.now() / 1000);

describe('an access token', () => {
  it('tells who calls', async () => {
    const exp = now() + 600;
    const token = await issuer.token({
      sub: 'auth0|42',
      exp,
      email: ' Zoe\u0308@Example.com ',
      email_verified: true,
      name: 'Zoë  \u0007Ünal',
    });
    expect(await verifier().verify(token)).toEqual({
      issuer: issuer.url,
      subject: 'auth0|42',
      email: 'Zoë@Example.com',
      emailVerified: true,
      displayName: 'Zoë   Ünal',
      expiresAt: exp,
    });
  });

  it('of a machine has no e-mail address and no name', async () => {
    const identity = await verifier().verify(await issuer.token({ sub: 'nightly-import' }));
    expect(identity).toMatchObject({
      subject: 'nightly-import',
      email: null,
      emailVerified: false,
      displayName: null,
    });
  });

  it.each(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'])(
    'signed with %s is accepted',
    async (alg) => {
      expect(await verifier().verify(await issuer.token({}, { alg }))).toMatchObject({ subject: 'somebody' });
    },
  );

  it('may name several audiences', async () => {
    const token = await issuer.token({ aud: ['another', TEST_AUDIENCE] });
    expect(await verifier().verify(token)).toMatchObject({ subject: 'somebody' });
  });

  it('without kid is tried with every key that fits', async () => {
    const old = await issuer.token({ sub: 'old' }, { kid: undefined });
    await issuer.rotateKeys({ publishOld: true });
    const young = await issuer.token({ sub: 'young' }, { kid: undefined });
    const verifies = verifier();
    expect(await verifies.verify(old)).toMatchObject({ subject: 'old' });
    expect(await verifies.verify(young)).toMatchObject({ subject: 'young' });
    const forged = await issuer.forgedToken({}, { kid: undefined });
    expect(await refusal(verifies.verify(forged))).toBe('The signature of the access token is wrong.');
    const expired = await issuer.token({ exp: now() - 60 }, { kid: undefined });
    expect(await refusal(verifies.verify(expired))).toBe('The access token has expired.');
  });

  it('is verified once, however many ask at the same time', async () => {
    const verifies = verifier({ OIDC_USERINFO: 'true' });
    issuer.userinfo = () => ({ status: 200, body: { sub: 'somebody', email: 'somebody@example.com' } });
    const token = await issuer.token();
    const identities = await Promise.all(Array.from({ length: 20 }, () => verifies.verify(token)));
    expect(new Set(identities).size).toBe(1);
    expect(issuer.count('/userinfo')).toBe(1);
    expect(issuer.count('/keys')).toBe(1);
    expect(issuer.count('/.well-known/openid-configuration')).toBe(1);
  });
});

describe('a token is refused', () => {
  it.each<[string, JWTPayload & Record<string, unknown>, string]>([
    ['that has expired', { exp: now() - 3600 }, 'The access token has expired.'],
    ['that does not expire', { exp: undefined }, 'The access token does not say when it expires.'],
    [
      'that expires at no number',
      { exp: 'never' as unknown as number },
      'The access token does not say when it expires.',
    ],
    ['that is not valid yet', { nbf: now() + 3600, exp: now() + 7200 }, 'The access token is not valid yet.'],
    ['for another audience', { aud: 'another' }, 'The access token is meant for another audience.'],
    [
      'for an audience that only begins alike',
      { aud: `${TEST_AUDIENCE}-2` },
      'The access token is meant for another audience.',
    ],
    ['for no audience', { aud: undefined }, 'The access token is meant for another audience.'],
    ['of another issuer', { iss: 'https://issuer.example' }, 'The access token is of another issuer.'],
    ['of no issuer', { iss: undefined }, 'The access token is of another issuer.'],
    ['without a subject', { sub: undefined }, 'The access token has no usable subject.'],
    ['with an empty subject', { sub: '' }, 'The access token has no usable subject.'],
    ['whose subject is a number', { sub: 7 as unknown as string }, 'The access token has no usable subject.'],
    ['whose subject is too long', { sub: 'x'.repeat(256) }, 'The access token has no usable subject.'],
    ['whose subject has a NUL', { sub: 'some\u0000body' }, 'The access token has no usable subject.'],
    [
      'whose subject has half a character',
      { sub: 'some\ud800body' },
      'The access token has no usable subject.',
    ],
  ])('%s', async (_what, claims, reason) => {
    expect(await refusal(verifier().verify(await issuer.token(claims)))).toBe(reason);
  });

  it('whose issuer differs by a slash at the end', async () => {
    const token = await issuer.token({ iss: `${issuer.url}/` });
    expect(await refusal(verifier().verify(token))).toBe('The access token is of another issuer.');
  });

  it('that nobody signed', async () => {
    for (const alg of ['none', 'None', 'ES256']) {
      expect(await refusal(verifier().verify(issuer.unsignedToken({}, alg)))).toMatch(/signed|signature/);
    }
  });

  it('whose MAC was made with the published key', async () => {
    const token = await issuer.tokenSignedWithPublicKey();
    expect(await refusal(verifier().verify(token))).toBe(
      'The access token is signed in a way that is not accepted.',
    );
  });

  it('signed with another key under the kid of a real one', async () => {
    const token = await issuer.forgedToken();
    expect(await refusal(verifier().verify(token))).toBe('The signature of the access token is wrong.');
  });

  it('signed with a key that the issuer does not publish', async () => {
    const token = await issuer.forgedToken({}, { kid: 'mine' });
    expect(await refusal(verifier().verify(token))).toBe(
      'The access token is signed with a key unknown to its issuer.',
    );
  });

  it('that brings its own key', async () => {
    const jwk = { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' };
    const token = await issuer.forgedToken({}, { jwk, jku: `${issuer.url}/mine`, kid: 'mine' });
    await refusal(verifier().verify(token));
    expect(issuer.count('/mine')).toBe(0);
  });

  it('whose claims were changed after it was signed', async () => {
    const [header, payload, signature] = (await issuer.token()).split('.');
    const claims = { ...decodeJwt(`${header}.${payload}.${signature}`), sub: 'administrator' };
    const forged = Buffer.from(JSON.stringify(claims)).toString('base64url');
    const token = `${header}.${forged}.${signature}`;
    expect(await refusal(verifier().verify(token))).toBe('The signature of the access token is wrong.');
  });

  it.each(['', 'x', 'a.b.c', 'a.b.c.d.e', '..', '\u0000', 'e30.e30.e30', 'ä.ö.ü'])(
    'that is no JWT: %j',
    async (token) => {
      expect(await refusal(verifier().verify(token))).toBe('The access token is not a signed JWT.');
    },
  );

  it('longer than 16 KiB, before anything is done with it', async () => {
    const token = await issuer.token({ groups: 'x'.repeat(16_384) });
    const verifies = verifier();
    expect(await refusal(verifies.verify(token))).toBe('The access token is too long.');
    expect(verifies.remembered(token)).toBeUndefined();
    expect(issuer.requests.size).toBe(0);
  });
});

describe('a token that is not an access token', () => {
  const refused = 'The token is not an access token.';

  it.each<[string, Record<string, unknown>, string | undefined]>([
    ['has a nonce', { nonce: 'x' }, 'JWT'],
    ['has at_hash', { at_hash: 'x' }, undefined],
    ['has c_hash', { c_hash: 'x' }, 'JWT'],
    ['is Keycloak’s ID token', { typ: 'ID', azp: 'web' }, 'JWT'],
    ['is Keycloak’s refresh token', { typ: 'Refresh' }, 'JWT'],
    ['is Cognito’s ID token', { token_use: 'id' }, undefined],
    ['is a logout token', { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } }, 'JWT'],
    ['is a logout token by its header', {}, 'logout+jwt'],
    ['is a DPoP proof', {}, 'dpop+jwt'],
    ['is made for the client that asked for it', { client_id: undefined, azp: TEST_AUDIENCE }, 'JWT'],
  ])('is refused when it %s', async (_what, claims, typ) => {
    expect(await refusal(verifier().verify(await issuer.token(claims, { typ })))).toBe(refused);
  });

  it('is refused as an ID token for its audience alone', async () => {
    expect(await refusal(verifier().verify(await issuer.idToken()))).toMatch(/audience/);
    expect(await refusal(verifier().verify(await issuer.idToken({ aud: TEST_AUDIENCE })))).toBe(refused);
  });

  it.each<[string, Record<string, unknown>, string | undefined]>([
    ['RFC 9068', {}, 'application/at+jwt'],
    ['RFC 9068 in capitals', {}, 'AT+JWT'],
    ['Auth0', { azp: 'web', scope: 'openid', client_id: undefined }, 'JWT'],
    ['Entra', { azp: TEST_AUDIENCE, scp: 'Files.Read', client_id: undefined }, 'JWT'],
    ['Okta', { cid: 'web', scp: ['openid'], client_id: undefined }, undefined],
    ['Keycloak', { typ: 'Bearer', azp: 'web' }, 'JWT'],
    ['Keycloak before 24', { typ: 'Bearer', nonce: 'x' }, 'JWT'],
    ['the bare minimum', { client_id: undefined }, undefined],
  ])('is not mistaken for one in the manner of %s', async (_what, claims, typ) => {
    expect(await verifier().verify(await issuer.token(claims, { typ }))).toMatchObject({
      subject: 'somebody',
    });
  });
});

describe('the e-mail address', () => {
  async function emailOf(claims: Record<string, unknown>, environment: NodeJS.ProcessEnv = {}) {
    const { email, emailVerified } = await verifier(environment).verify(await issuer.token(claims));
    return [email, emailVerified];
  }

  it('is verified only when the issuer says so, or is trusted to', async () => {
    const email = 'a@example.com';
    expect(await emailOf({ email, email_verified: true })).toEqual([email, true]);
    expect(await emailOf({ email, email_verified: 'true' })).toEqual([email, true]);
    expect(await emailOf({ email, email_verified: false })).toEqual([email, false]);
    expect(await emailOf({ email, email_verified: 1 })).toEqual([email, false]);
    expect(await emailOf({ email })).toEqual([email, false]);
    expect(await emailOf({ email }, { OIDC_TRUST_EMAIL: 'true' })).toEqual([email, true]);
  });

  it('is none when it does not look like one', async () => {
    for (const email of [
      '',
      'nobody',
      'a@',
      '@b',
      'a b@c.de',
      'a@b@c',
      'a@b..c',
      'a\u0000@b.c',
      'a@b.c\ud800',
      7,
      null,
      {},
    ]) {
      expect(await emailOf({ email, email_verified: true }, { OIDC_TRUST_EMAIL: 'true' })).toEqual([
        null,
        false,
      ]);
    }
  });

  it('comes from the configured claim', async () => {
    const environment = { OIDC_EMAIL_CLAIM: 'https://example.com/mail' };
    expect(
      await emailOf({ 'https://example.com/mail': 'a@example.com', email_verified: true }, environment),
    ).toEqual(['a@example.com', true]);
    expect(await emailOf({ emails: ['a@example.com'] }, { OIDC_EMAIL_CLAIM: 'emails' })).toEqual([
      'a@example.com',
      false,
    ]);
    expect(await emailOf({}, { OIDC_EMAIL_CLAIM: 'constructor' })).toEqual([null, false]);
  });

  it('is not verified by an email_verified that speaks of another', async () => {
    const claims = { upn: 'admin@example.com', email: 'mallory@example.com', email_verified: true };
    expect(await emailOf(claims, { OIDC_EMAIL_CLAIM: 'upn' })).toEqual(['admin@example.com', false]);
  });
});

describe('the display name', () => {
  async function nameOf(claims: Record<string, unknown>) {
    return (await verifier().verify(await issuer.token(claims))).displayName;
  }

  it('is the name, else the preferred user name, else none', async () => {
    expect(await nameOf({ name: 'Zoe', preferred_username: 'zoe' })).toBe('Zoe');
    expect(await nameOf({ name: ' \u0000 ', preferred_username: 'zoe' })).toBe('zoe');
    expect(await nameOf({ name: 7 })).toBeNull();
  });

  it('is cut to 200 code points, in NFC', async () => {
    expect(await nameOf({ name: '😀'.repeat(300) })).toBe('😀'.repeat(200));
    expect(await nameOf({ name: 'Zoe\u0308' })).toBe('Zoë');
    expect(await nameOf({ name: 'Z\ud800oe' })).toBe('Z\ufffdoe');
  });
});

describe('the userinfo endpoint', () => {
  it('is asked once in the life of a token that has no e-mail address', async () => {
    holdClocks();
    const token = await issuer.token();
    issuer.userinfo = (bearer) =>
      bearer === token
        ? { status: 200, body: { sub: 'somebody', email: 'a@example.com', email_verified: true, name: 'A' } }
        : { status: 401 };
    const verifies = verifier({ OIDC_USERINFO: 'true' });
    const told = { email: 'a@example.com', emailVerified: true, displayName: 'A' };
    expect(await verifies.verify(token)).toMatchObject(told);
    later(90_000);
    expect(verifies.remembered(token)).toBeUndefined();
    expect(await verifies.verify(token)).toMatchObject(told);
    expect(issuer.count('/userinfo')).toBe(1);
  });

  it('is not asked when the token has one, or when it is not wanted', async () => {
    await verifier({ OIDC_USERINFO: 'true' }).verify(await issuer.token({ email: 'a@example.com' }));
    await verifier().verify(await issuer.token());
    expect(issuer.count('/userinfo')).toBe(0);
  });

  it('may not know a machine', async () => {
    issuer.userinfo = () => ({ status: 403 });
    const identity = await verifier({ OIDC_USERINFO: 'true' }).verify(await issuer.token());
    expect(identity.email).toBeNull();
  });

  it('must speak of the same subject', async () => {
    issuer.userinfo = () => ({ status: 200, body: { sub: 'another', email: 'a@example.com' } });
    const verifies = verifier({ OIDC_USERINFO: 'true' });
    expect(await refusal(verifies.verify(await issuer.token()))).toBe(
      'The userinfo endpoint speaks of another subject.',
    );
  });

  it('that fails is no reason to forget an address', async () => {
    issuer.userinfo = () => ({ status: 500 });
    await outage(verifier({ OIDC_USERINFO: 'true' }).verify(await issuer.token()));
  });
});

describe('a verified token is remembered', () => {
  it('and then known without a promise', async () => {
    const verifies = verifier();
    const token = await issuer.token();
    expect(verifies.remembered(token)).toBeUndefined();
    const identity = await verifies.verify(token);
    expect(verifies.remembered(token)).toBe(identity);
    expect(verifies.remembered(`${token} `)).toBeUndefined();
  });

  it('not past its end', async () => {
    holdClocks();
    const verifies = verifier({}, { clockTolerance: 0 });
    const token = await issuer.token({ exp: now() + 30 });
    await verifies.verify(token);
    later(28_000);
    expect(verifies.remembered(token)).toBeDefined();
    later(3_000);
    expect(verifies.remembered(token)).toBeUndefined();
    expect(await refusal(verifies.verify(token))).toBe('The access token has expired.');
  });

  it('not longer than a minute', async () => {
    holdClocks();
    const verifies = verifier();
    const token = await issuer.token();
    await verifies.verify(token);
    later(59_000);
    expect(verifies.remembered(token)).toBeDefined();
    later(2_000);
    expect(verifies.remembered(token)).toBeUndefined();
  });

  it('and a refused one is not', async () => {
    const verifies = verifier();
    const token = await issuer.token({ aud: 'another' });
    await refusal(verifies.verify(token));
    expect(verifies.remembered(token)).toBeUndefined();
  });
});

describe('the keys of the issuer', () => {
  it('are not fetched before the first token', async () => {
    verifier();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(issuer.requests.size).toBe(0);
  });

  it('are fetched anew for a kid that is unknown, but not for every one', async () => {
    holdClocks();
    const verifies = verifier();
    await verifies.verify(await issuer.token());
    await issuer.rotateKeys();
    later(6_000);
    expect(await verifies.verify(await issuer.token({ sub: 'after' }))).toMatchObject({ subject: 'after' });
    expect(issuer.count('/keys')).toBe(2);
    for (let i = 0; i < 5; i += 1)
      await refusal(verifies.verify(await issuer.forgedToken({}, { kid: `mine-${i}` })));
    expect(issuer.count('/keys')).toBe(2);
  });

  it('once withdrawn stop working within minutes', async () => {
    holdClocks();
    const verifies = verifier();
    const token = await issuer.token();
    await verifies.verify(token);
    await issuer.rotateKeys();
    // Two minutes pass with a request each minute; the second has the keys fetched behind its back.
    later(61_000);
    await verifies.verify(token);
    later(61_000);
    await verifies.verify(token);
    await waitUntil(() => issuer.count('/keys') === 2);
    await new Promise((resolve) => setTimeout(resolve, 200)); // the answer travels, too
    expect(verifies.remembered(token)).toBeDefined();
    later(61_000);
    expect(await refusal(verifies.verify(token))).toBe(
      'The access token is signed with a key unknown to its issuer.',
    );
  });

  it('known already outlast a short outage, not a long one', async () => {
    holdClocks();
    const verifies = verifier();
    const token = await issuer.token();
    await verifies.verify(token);
    issuer.fault = (res) => res.destroy();
    later(5 * 60_000);
    expect(await verifies.verify(token)).toMatchObject({ subject: 'somebody' });
    later(6 * 60_000);
    await outage(verifies.verify(token));
    issuer.fault = undefined;
    later(6_000);
    expect(await verifies.verify(token)).toMatchObject({ subject: 'somebody' });
  });
});

describe('an issuer that is away', () => {
  it('is an outage, not a bad token', async () => {
    const token = await issuer.token();
    await issuer.stop();
    await outage(verifier().verify(token));
  });

  it('is not asked again at once', async () => {
    holdClocks();
    issuer.fault = (res) => res.writeHead(500).end();
    const verifies = verifier();
    for (let i = 0; i < 5; i += 1) await outage(verifies.verify(await issuer.token({ jti: String(i) })));
    expect(issuer.count('/.well-known/openid-configuration')).toBe(1);
    issuer.fault = undefined;
    later(6_000);
    expect(await verifies.verify(await issuer.token())).toMatchObject({ subject: 'somebody' });
  });

  it('is given up on after a while', async () => {
    issuer.fault = () => undefined; // never answers
    const startedAt = performance.now();
    await outage(verifier({}, { requestTimeout: 200 }).verify(await issuer.token()));
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });

  it.each<[string, Record<string, unknown>]>([
    ['names itself otherwise', { issuer: 'https://issuer.example' }],
    ['has no key set', { jwks_uri: undefined }],
    ['has its keys in a file', { jwks_uri: 'file:///etc/passwd' }],
  ])('is as good as one that %s', async (_what, discovery) => {
    issuer.discovery = discovery;
    await outage(verifier().verify(await issuer.token()));
  });
});

async function waitUntil(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 200; i += 1) {
    if (condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('It did not happen within two seconds');
}
