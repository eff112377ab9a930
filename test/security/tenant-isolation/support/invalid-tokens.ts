import { type TestIssuer } from '../../../support/servers/issuer.js';
import { type Actor } from '../../../support/actor.js';

/** Invalid tokens by what is wrong with them. All have the claims of the given user. */
export async function invalidTokens(
  issuer: TestIssuer,
  { subject: sub, email, name, token }: Actor,
): Promise<Record<string, string | null>> {
  const claims = { sub, email, email_verified: true, name };
  const now = Math.floor(Date.now() / 1000);
  const [header, payload, signature = ''] = token.split('.');
  return {
    'no token': null,
    'text that is not a token': 'broken',
    'a broken signature': [header, payload, [...signature].reverse().join('')].join('.'),
    'no signature': [header, payload, ''].join('.'),
    'an expired token': await issuer.token({ ...claims, iat: now - 7200, exp: now - 3600 }),
    'a token that is not valid yet': await issuer.token({ ...claims, nbf: now + 3600 }),
    'a token for another audience': await issuer.token({ ...claims, aud: 'another-service' }),
    'a token of another issuer': await issuer.token({ ...claims, iss: 'https://issuer.example' }),
    'alg: none': issuer.unsignedToken(claims),
    'HS256 with the public key': await issuer.tokenSignedWithPublicKey(claims),
    'a key that the issuer does not have': await issuer.forgedToken(claims),
    'an ID token': await issuer.idToken(claims),
    'an ID token with the service as audience': await issuer.token(
      { ...claims, nonce: 'n-0S6' },
      { typ: 'JWT' },
    ),
  };
}
