import { describe, expect, it } from '@jest/globals';
import { decodeJwt, type JWTPayload } from 'jose';
import { TEST_AUDIENCE } from '../../support/servers/issuer.js';
import { issuer, now, rejectionReason, useIssuer, verifier } from './verifier-fixture.js';

useIssuer();

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
    expect(await rejectionReason(tokenVerifier.verify(forged))).toBe(
      'The signature of the access token is invalid.',
    );
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
  it.each<[string, JWTPayload & Record<string, unknown>, string]>([
    ['a token that has expired', { exp: now() - 3600 }, 'The access token has expired.'],
    ['a token without exp', { exp: undefined }, 'The access token has no valid expiry time.'],
    [
      'a token whose exp is not a number',
      { exp: 'never' as unknown as number },
      'The access token has no valid expiry time.',
    ],
    [
      'a token that is not valid yet',
      { nbf: now() + 3600, exp: now() + 7200 },
      'The access token is not valid yet.',
    ],
    ['a token for another audience', { aud: 'another' }, 'The access token is for another audience.'],
    [
      'a token for an audience with the same prefix',
      { aud: `${TEST_AUDIENCE}-2` },
      'The access token is for another audience.',
    ],
    ['a token without an audience', { aud: undefined }, 'The access token is for another audience.'],
    ['a token of another issuer', { iss: 'https://issuer.example' }, 'The access token has another issuer.'],
    ['a token without an issuer', { iss: undefined }, 'The access token has another issuer.'],
    ['a token without a subject', { sub: undefined }, 'The access token has no valid subject.'],
    ['a token with an empty subject', { sub: '' }, 'The access token has no valid subject.'],
    [
      'a token whose subject is a number',
      { sub: 7 as unknown as string },
      'The access token has no valid subject.',
    ],
    ['a token whose subject is too long', { sub: 'x'.repeat(256) }, 'The access token has no valid subject.'],
    [
      'a token whose subject contains NUL',
      { sub: 'some\u0000body' },
      'The access token has no valid subject.',
    ],
    [
      'a token whose subject contains half a surrogate pair',
      { sub: 'some\ud800body' },
      'The access token has no valid subject.',
    ],
  ])('%s', async (_what, claims, reason) => {
    expect(await rejectionReason(verifier().verify(await issuer.token(claims)))).toBe(reason);
  });

  it('a token whose issuer differs by a trailing slash', async () => {
    const token = await issuer.token({ iss: `${issuer.url}/` });
    expect(await rejectionReason(verifier().verify(token))).toBe('The access token has another issuer.');
  });

  it('an unsigned token', async () => {
    for (const alg of ['none', 'None', 'ES256']) {
      expect(await rejectionReason(verifier().verify(issuer.unsignedToken({}, alg)))).toMatch(
        /signed|signature/,
      );
    }
  });

  it('a token with an HMAC made from the public key', async () => {
    const token = await issuer.tokenSignedWithPublicKey();
    expect(await rejectionReason(verifier().verify(token))).toBe(
      'The signature algorithm of the access token is not allowed.',
    );
  });

  it('a token signed with another key under the kid of a published one', async () => {
    const token = await issuer.forgedToken();
    expect(await rejectionReason(verifier().verify(token))).toBe(
      'The signature of the access token is invalid.',
    );
  });

  it('a token signed with a key that the issuer does not publish', async () => {
    const token = await issuer.forgedToken({}, { kid: 'mine' });
    expect(await rejectionReason(verifier().verify(token))).toBe(
      'The access token is signed with a key that its issuer does not publish.',
    );
  });

  it('a token that contains its own key', async () => {
    const jwk = { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' };
    const token = await issuer.forgedToken({}, { jwk, jku: `${issuer.url}/mine`, kid: 'mine' });
    await rejectionReason(verifier().verify(token));
    expect(issuer.requestCount('/mine')).toBe(0);
  });

  it('a token whose claims were changed after signing', async () => {
    const [header, payload, signature] = (await issuer.token()).split('.');
    const claims = { ...decodeJwt(`${header}.${payload}.${signature}`), sub: 'administrator' };
    const forged = Buffer.from(JSON.stringify(claims)).toString('base64url');
    const token = `${header}.${forged}.${signature}`;
    expect(await rejectionReason(verifier().verify(token))).toBe(
      'The signature of the access token is invalid.',
    );
  });

  it.each(['', 'x', 'a.b.c', 'a.b.c.d.e', '..', '\u0000', 'e30.e30.e30', 'ä.ö.ü'])(
    'a string that is not a JWT: %j',
    async (token) => {
      expect(await rejectionReason(verifier().verify(token))).toBe('The access token is not a signed JWT.');
    },
  );

  it('a token longer than 16 KiB without decoding it', async () => {
    const token = await issuer.token({ groups: 'x'.repeat(16_384) });
    const tokenVerifier = verifier();
    expect(await rejectionReason(tokenVerifier.verify(token))).toBe('The access token is too long.');
    expect(tokenVerifier.cached(token)).toBeUndefined();
    expect(issuer.requests.size).toBe(0);
  });
});
