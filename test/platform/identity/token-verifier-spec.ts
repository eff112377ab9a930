import { describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { type Claims, TEST_AUDIENCE } from '../../support/servers/issuer.js';
import { issuer, now, reasonFor, rejectionReason, useIssuer, verifier } from './verifier-fixture.js';

useIssuer();

const NO_EXPIRY = 'The access token has no valid expiry time.';
const NO_SUBJECT = 'The access token has no valid subject.';
const NO_SIGNATURE = 'The signature of the access token is invalid.';
const OTHER_AUDIENCE = 'The access token is for another audience.';
const OTHER_ISSUER = 'The access token has another issuer.';

describe('TokenVerifier', () => {
  it('returns the identity in the token', async () => {
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
      displayName: 'Zoë Ünal',
      expiresAt: exp,
    });
  });

  it('returns neither an e-mail address nor a name for a machine', async () => {
    const identity = await verifier().verify(await issuer.token({ sub: 'nightly-import' }));
    expect(identity).toMatchObject({
      subject: 'nightly-import',
      email: null,
      emailVerified: false,
      displayName: null,
    });
  });

  it.each(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'])(
    'accepts a token signed with %s',
    async (alg) => {
      expect(await verifier().verify(await issuer.token({}, { alg }))).toMatchObject({ subject: 'somebody' });
    },
  );

  it('accepts a token with several audiences', async () => {
    const token = await issuer.token({ aud: ['another', TEST_AUDIENCE] });
    expect(await verifier().verify(token)).toMatchObject({ subject: 'somebody' });
  });

  it('tries every suitable key for a token without kid', async () => {
    const old = await issuer.token({ sub: 'old' }, { kid: undefined });
    await issuer.rotateKeys({ publishOld: true });
    const young = await issuer.token({ sub: 'young' }, { kid: undefined });
    const tokenVerifier = verifier();
    expect(await tokenVerifier.verify(old)).toMatchObject({ subject: 'old' });
    expect(await tokenVerifier.verify(young)).toMatchObject({ subject: 'young' });
    const forged = await issuer.forgedToken({}, { kid: undefined });
    expect(await rejectionReason(tokenVerifier.verify(forged))).toBe(NO_SIGNATURE);
    const expired = await issuer.token({ exp: now() - 60 }, { kid: undefined });
    expect(await rejectionReason(tokenVerifier.verify(expired))).toBe('The access token has expired.');
  });

  it('verifies a token once for concurrent calls', async () => {
    const tokenVerifier = verifier({ OIDC_USERINFO: 'true' });
    issuer.userinfo = () => ({ status: 200, body: { sub: 'somebody', email: 'somebody@example.com' } });
    const token = await issuer.token();
    const identities = await Promise.all(Array.from({ length: 20 }, () => tokenVerifier.verify(token)));
    expect(new Set(identities).size).toBe(1);
    expect(issuer.requestCount('/userinfo')).toBe(1);
    expect(issuer.requestCount('/keys')).toBe(1);
    expect(issuer.requestCount('/.well-known/openid-configuration')).toBe(1);
  });
});

describe('TokenVerifier rejects', () => {
  it.each<[string, Claims, string]>([
    ['a token that has expired', { exp: now() - 3600 }, 'The access token has expired.'],
    ['a token without exp', { exp: undefined }, NO_EXPIRY],
    ['a token whose exp is not a number', { exp: 'never' as never }, NO_EXPIRY],
    ['a token that is not valid yet', { nbf: now() + 3600 }, 'The access token is not valid yet.'],
    ['a token for another audience', { aud: 'another' }, OTHER_AUDIENCE],
    ['a token for an audience with the same prefix', { aud: `${TEST_AUDIENCE}-2` }, OTHER_AUDIENCE],
    ['a token without an audience', { aud: undefined }, OTHER_AUDIENCE],
    ['a token of another issuer', { iss: 'https://issuer.example' }, OTHER_ISSUER],
    ['a token without an issuer', { iss: undefined }, OTHER_ISSUER],
    ['a token without a subject', { sub: undefined }, NO_SUBJECT],
    ['a token with an empty subject', { sub: '' }, NO_SUBJECT],
    ['a token whose subject is a number', { sub: 7 as never }, NO_SUBJECT],
    ['a token whose subject is too long', { sub: 'x'.repeat(256) }, NO_SUBJECT],
    ['a token whose subject contains NUL', { sub: 'some\u0000body' }, NO_SUBJECT],
    ['a token whose subject contains half a surrogate pair', { sub: 'some\ud800body' }, NO_SUBJECT],
  ])('%s', async (_what, claims, reason) => {
    expect(await reasonFor(await issuer.token(claims))).toBe(reason);
  });

  it('a token whose issuer differs by a trailing slash', async () => {
    expect(await reasonFor(await issuer.token({ iss: `${issuer.url}/` }))).toBe(OTHER_ISSUER);
  });

  it('an unsigned token', async () => {
    for (const alg of ['none', 'None', 'ES256'])
      expect(await reasonFor(issuer.unsignedToken({}, alg))).toMatch(/signed|signature/);
  });

  it('a token with an HMAC made from the public key', async () => {
    expect(await reasonFor(await issuer.tokenSignedWithPublicKey())).toBe(
      'The signature algorithm of the access token is not allowed.',
    );
  });

  it('a token signed with another key under the kid of a published one', async () => {
    expect(await reasonFor(await issuer.forgedToken())).toBe(NO_SIGNATURE);
  });

  it('a token signed with a key that the issuer does not publish', async () => {
    expect(await reasonFor(await issuer.forgedToken({}, { kid: 'mine' }))).toBe(
      'The access token is signed with a key that its issuer does not publish.',
    );
  });

  it('a token that contains its own key', async () => {
    const jwk = { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' };
    const token = await issuer.forgedToken({}, { jwk, jku: `${issuer.url}/mine`, kid: 'mine' });
    await reasonFor(token);
    expect(issuer.requestCount('/mine')).toBe(0);
  });

  it('a token whose claims were changed after signing', async () => {
    const [header, payload, signature] = (await issuer.token()).split('.');
    const claims = { ...decodeJwt(`${header}.${payload}.${signature}`), sub: 'administrator' };
    const forged = Buffer.from(JSON.stringify(claims)).toString('base64url');
    expect(await reasonFor(`${header}.${forged}.${signature}`)).toBe(NO_SIGNATURE);
  });

  it.each(['', 'x', 'a.b.c', 'a.b.c.d.e', '..', '\u0000', 'e30.e30.e30', 'ä.ö.ü'])(
    'a string that is not a JWT: %j',
    async (token) => expect(await reasonFor(token)).toBe('The access token is not a signed JWT.'),
  );

  it('a token longer than 16 KiB without decoding it', async () => {
    const token = await issuer.token({ groups: 'x'.repeat(16_384) });
    const tokenVerifier = verifier();
    expect(await rejectionReason(tokenVerifier.verify(token))).toBe('The access token is too long.');
    expect(tokenVerifier.cached(token)).toBeUndefined();
    expect(issuer.requests.size).toBe(0);
  });
});
