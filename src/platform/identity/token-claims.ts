import type { JWTHeaderParameters, JWTPayload } from 'jose';
import { parseEmailAddress } from '../../common/email-address.js';
import { hasControlCharacters, hasVisibleCharacters, normalizeName } from '../../common/text.js';
import type { Configuration } from '../config/configuration.js';

const MAX_SUBJECT_LENGTH = 255; // OpenID Connect Core 1.0, 2
const MAX_NAME_LENGTH = 200;

/**
 * A rejected token. The reason is a fixed sentence that never quotes the token. It has only the characters that
 * RFC 6750 allows in `error_description`: printable ASCII without `"` and `\`.
 */
export class InvalidToken extends Error {
  constructor(readonly reason: string) {
    super(reason);
    this.name = 'InvalidToken';
  }
}

/** Claims of ID tokens (OpenID Connect Core 1.0, 2 and 3.3.2.11), logout tokens and security events (RFC 8417). */
const NON_ACCESS_TOKEN_CLAIMS = ['nonce', 'at_hash', 'c_hash', 's_hash', 'events'];

/** Claims that ID tokens do not have (RFC 9068; Auth0, Entra, Okta, ADFS). */
const ACCESS_TOKEN_CLAIMS = ['scope', 'scp', 'client_id', 'cid', 'appid', 'idtyp'];

/**
 * Rejects a correctly signed JWT that is not an access token, above all an ID token. An ID token tells a client who
 * has logged in, is stored and logged by that client, and does not authorize calls. Checks, in this order:
 *
 * 1. Header `typ` is `at+jwt` (RFC 9068): access token, whatever the claims are.
 * 2. Header `typ` is present and not `JWT` (`logout+jwt`, `secevent+jwt`, `dpop+jwt` …): rejected.
 * 3. Claim `typ` (Keycloak) or `token_use` (Cognito): `Bearer`, `DPoP` and `access` are access tokens; `ID`, `Logout`,
 *    `Refresh` … are rejected. This comes before 4, because access tokens of Keycloak before 24 may have a `nonce`.
 * 4. A claim that only ID tokens or security events have: rejected.
 * 5. An ID token may have none of these claims. Its audience is the client that requested it, so it passes the check
 *    of `aud` only if OIDC_AUDIENCE is the id of a client. Such a token is rejected if `azp` is that client too and no
 *    claim of access tokens is present. An ID token without `azp` cannot be recognised; use an OIDC_AUDIENCE that is
 *    not the id of a client.
 */
export function requireAccessToken(header: JWTHeaderParameters, claims: JWTPayload): void {
  const type = header.typ?.toLowerCase().replace(/^application\//, '');
  if (type === 'at+jwt') return;
  if (type !== undefined && type !== 'jwt') throw notAnAccessToken();
  const kind = claims.typ ?? claims.token_use;
  if (typeof kind === 'string') {
    if (/^(?:bearer|dpop|access)$/i.test(kind)) return;
    throw notAnAccessToken();
  }
  if (NON_ACCESS_TOKEN_CLAIMS.some((claim) => claims[claim] !== undefined)) throw notAnAccessToken();
  const audiences = [claims.aud].flat();
  const hasOwnClientAsAudience = audiences.length === 1 && audiences[0] === claims.azp;
  if (hasOwnClientAsAudience && ACCESS_TOKEN_CLAIMS.every((claim) => claims[claim] === undefined)) {
    throw notAnAccessToken();
  }
}

function notAnAccessToken(): InvalidToken {
  return new InvalidToken('The token is not an access token.');
}

/** The unchanged subject: subjects are compared exactly, so it is not normalised. */
export function readSubject(claims: JWTPayload): string {
  const { sub } = claims;
  const isValid = typeof sub === 'string' && sub !== '' && sub.length <= MAX_SUBJECT_LENGTH;
  if (!isValid || hasControlCharacters(sub) || !sub.isWellFormed())
    throw new InvalidToken('The access token has no valid subject.');
  return sub;
}

interface EmailClaims {
  readonly email: string | null;
  readonly emailVerified: boolean;
}

/**
 * Reads the e-mail address from a token or a userinfo answer. `email_verified` refers to the claim `email`. For an
 * address from another claim it counts only if `email` is absent or the same. Otherwise a user could verify one
 * address and be treated as the owner of another.
 */
export function readEmail(
  claims: JWTPayload,
  { oidcEmailClaim, oidcTrustEmail }: Pick<Configuration, 'oidcEmailClaim' | 'oidcTrustEmail'>,
): EmailClaims {
  const claim = Object.hasOwn(claims, oidcEmailClaim) ? claims[oidcEmailClaim] : undefined;
  // Azure AD B2C sends a list (`emails`).
  const value: unknown = Array.isArray(claim) ? claim[0] : claim;
  const email = parseEmailAddress(value);
  if (email === null) return { email, emailVerified: false };
  const verified = claims.email_verified === true || claims.email_verified === 'true';
  const refersToValue = claims.email === undefined || claims.email === value;
  return { email, emailVerified: oidcTrustEmail || (verified && refersToValue) };
}

/** From `name` or else `preferred_username`, without control characters, in NFC, at most 200 code points. */
export function readDisplayName(claims: JWTPayload): string | null {
  return cleanName(claims.name) ?? cleanName(claims.preferred_username);
}

function cleanName(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const name = [...normalizeName(value.toWellFormed().replace(/\p{Cc}+/gu, ' '))]
    .slice(0, MAX_NAME_LENGTH)
    .join('')
    .trim();
  return hasVisibleCharacters(name) ? name : null;
}
