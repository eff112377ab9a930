import type { JWTHeaderParameters, JWTPayload } from 'jose';
import { parseEmailAddress } from '../../common/email-address.js';
import { hasControlCharacters, isWellFormed, normalizeText } from '../../common/text.js';
import type { Configuration } from '../config/configuration.js';
import { InvalidToken } from './invalid-token.js';

const MAX_SUBJECT_LENGTH = 255; // OpenID Connect Core 1.0, 2
const MAX_NAME_LENGTH = 200;

/** Of ID tokens (OpenID Connect Core 1.0, 2 and 3.3.2.11), logout tokens and other security events (RFC 8417). */
const NON_ACCESS_TOKEN_CLAIMS = ['nonce', 'at_hash', 'c_hash', 's_hash', 'events'];

/** That ID tokens do not have: RFC 9068 and Auth0, Entra, Okta, ADFS. */
const ACCESS_TOKEN_CLAIMS = ['scope', 'scp', 'client_id', 'cid', 'appid', 'idtyp'];

/**
 * Refuses a well signed JWT that is not an access token, above all an ID token: it is made to tell a client
 * who has logged in, lives in that client's logs and storage, and gives no right to call anybody.
 *
 * 1. The header says `at+jwt` (RFC 9068): an access token, whatever else is in it.
 * 2. The header says anything but `JWT` or nothing (`logout+jwt`, `secevent+jwt`, `dpop+jwt` …): not one.
 * 3. Keycloak says it in the claim `typ`: `Bearer` (or `DPoP`) is an access token, and before version 24 it
 *    may carry a `nonce`, so this comes first; `ID`, `Logout`, `Refresh` … are not. Cognito says `token_use`.
 * 4. A claim that only ID tokens or security events have.
 * 5. An ID token need not have any of these. Its audience is the client that asked for it, so it gets past
 *    the check of `aud` only where OIDC_AUDIENCE is the id of a client. Then it names that client as the
 *    authorised party as well and carries nothing that an access token has. (Where issuers leave `azp` out of
 *    ID tokens too, nothing tells them apart; give the API an audience of its own.)
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

/** The subject as it is: it is compared letter for letter and never cleaned. */
export function readSubject(claims: JWTPayload): string {
  const { sub } = claims;
  if (typeof sub !== 'string' || sub === '' || sub.length > MAX_SUBJECT_LENGTH) {
    throw new InvalidToken('The access token has no usable subject.');
  }
  if (hasControlCharacters(sub) || !isWellFormed(sub)) {
    throw new InvalidToken('The access token has no usable subject.');
  }
  return sub;
}

interface EmailClaims {
  readonly email: string | null;
  readonly emailVerified: boolean;
}

/**
 * The address of a token or of a userinfo answer. `email_verified` speaks of `email`: for another claim it
 * counts only if no different `email` stands beside it, or somebody could verify one address and be taken for
 * the owner of another.
 */
export function readEmail(
  claims: JWTPayload,
  { oidcEmailClaim, oidcTrustEmail }: Pick<Configuration, 'oidcEmailClaim' | 'oidcTrustEmail'>,
): EmailClaims {
  const claim = Object.hasOwn(claims, oidcEmailClaim) ? claims[oidcEmailClaim] : undefined;
  // Azure AD B2C sends `emails`, a list.
  const value: unknown = Array.isArray(claim) ? claim[0] : claim;
  const email = parseEmailAddress(value);
  if (email === null) return { email, emailVerified: false };
  const verified = claims.email_verified === true || claims.email_verified === 'true';
  const refersToValue = claims.email === undefined || claims.email === value;
  return { email, emailVerified: oidcTrustEmail || (verified && refersToValue) };
}

/** `name`, else `preferred_username`: without control characters, in NFC, at most 200 code points. */
export function readDisplayName(claims: JWTPayload): string | null {
  return cleanName(claims.name) ?? cleanName(claims.preferred_username);
}

function cleanName(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const name = normalizeText(value.toWellFormed().replace(/\p{Cc}+/gu, ' '));
  return [...name].slice(0, MAX_NAME_LENGTH).join('').trim() || null;
}
