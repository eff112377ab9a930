import { hash } from 'node:crypto';
import { errors, jwtVerify, type JWTVerifyOptions, type JWTVerifyResult } from 'jose';
import { LRUCache } from 'lru-cache';
import { Problem, unavailable } from '../../common/problem.js';
import type { Configuration } from '../config/configuration.js';
import { type LogWriter, SILENT } from '../logging/log.js';
import { EmbeddedIssuerKeys } from './embedded/embedded-issuer-keys.js';
import { IssuerClient, type IssuerKeys, type IssuerState, type IssuerTiming } from './issuer-client.js';
import { issuerIdentity, issuerUrl } from './issuer-url.js';
import { InvalidToken, readDisplayName, readEmail, readSubject, requireAccessToken } from './token-claims.js';

/** Identity from a verified token. `(issuer, subject)` identifies a user of the service. */
export interface VerifiedIdentity {
  /** Stored form of the issuer (see `issuerIdentity`). */
  readonly issuer: string;
  readonly subject: string;
  /** Null for machine clients, and when the issuer sends no address. */
  readonly email: string | null;
  readonly emailVerified: boolean;
  readonly displayName: string | null;
  /** Epoch seconds. */
  readonly expiresAt: number;
}

export interface VerifierTiming extends IssuerTiming {
  /** Milliseconds for which a verified token is cached. */
  readonly cacheFor: number;
  /** Allowed difference between the clocks of issuer and service, in seconds. */
  readonly clockTolerance: number;
}

/**
 * These values limit how long a key works after the issuer has withdrawn it: on a busy instance for
 * `refreshKeysAfter` + `cacheFor` (3 minutes); on an idle instance, or while the issuer is unavailable, for at most
 * `discardKeysAfter` + `cacheFor` (11 minutes). A longer `cacheFor` would save almost nothing: one verification a
 * minute costs less than one request.
 */
const DEFAULT_TIMING: VerifierTiming = {
  refreshKeysAfter: 120_000,
  discardKeysAfter: 600_000,
  cooldown: 5_000,
  requestTimeout: 5_000,
  cacheFor: 60_000,
  clockTolerance: 10,
};

/** Without `none` and symmetric algorithms: with HS256 an attacker could use the public key as the secret. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

const MAX_TOKEN_LENGTH = 16_384;
const MAX_CACHED = 10_000;

interface CacheEntry {
  readonly identity: VerifiedIdentity;
  /** Epoch milliseconds. */
  readonly until: number;
}

/**
 * Verifies access tokens of the configured issuer and caches the results until at most `exp`. The cache key is the
 * hash of the token, so that a memory dump does not contain usable tokens.
 */
export class TokenVerifier {
  private readonly issuer: string;
  private readonly keys: IssuerKeys;
  private readonly timing: VerifierTiming;
  private readonly options: JWTVerifyOptions;
  private readonly identities = new LRUCache<string, CacheEntry>({ max: MAX_CACHED });
  /** Userinfo is requested once for each token, because issuers limit the rate of requests. */
  private readonly userinfoAnswers = new LRUCache<string, Record<string, unknown>>({ max: MAX_CACHED });
  private readonly pending = new Map<string, Promise<VerifiedIdentity>>();

  constructor(
    private readonly configuration: Configuration,
    private readonly log: Pick<LogWriter, 'warn'> = SILENT,
    timing: Partial<VerifierTiming> = {},
  ) {
    this.issuer = issuerUrl(configuration);
    this.timing = { ...DEFAULT_TIMING, ...timing };
    this.keys = configuration.embeddedIssuer
      ? new EmbeddedIssuerKeys(configuration.dataDirectory)
      : new IssuerClient(this.issuer, this.timing, log);
    this.options = {
      algorithms: ALGORITHMS,
      issuer: this.issuer,
      audience: configuration.oidcAudience,
      requiredClaims: ['exp', 'sub'],
      clockTolerance: this.timing.clockTolerance,
    };
  }

  /** The cached identity of a token, without a promise. If undefined, call `verify`. */
  cached(token: string): VerifiedIdentity | undefined {
    return token.length > MAX_TOKEN_LENGTH ? undefined : this.findCached(digest(token));
  }

  /** @throws InvalidToken (401); Problem `service.unavailable` (503) while the issuer is unavailable */
  async verify(token: string): Promise<VerifiedIdentity> {
    if (token.length > MAX_TOKEN_LENGTH) throw new InvalidToken('The access token is too long.');
    const key = digest(token);
    const known = this.findCached(key);
    if (known) return known;
    let verification = this.pending.get(key);
    if (!verification) {
      verification = this.verifyUncached(token, key).finally(() => this.pending.delete(key));
      this.pending.set(key, verification);
    }
    return verification;
  }

  issuerState(): Promise<IssuerState> {
    return this.keys.state();
  }

  private findCached(key: string): VerifiedIdentity | undefined {
    const entry = this.identities.get(key);
    return entry && Date.now() < entry.until ? entry.identity : undefined;
  }

  private async verifyUncached(token: string, key: string): Promise<VerifiedIdentity> {
    const { protectedHeader, payload } = await this.verifySignature(token);
    requireAccessToken(protectedHeader, payload);
    const subject = readSubject(payload);
    const expiresAt = Math.floor(payload.exp ?? 0);
    if (!Number.isSafeInteger(expiresAt)) throw new InvalidToken(CLAIM_REASONS.exp);

    let profile: Record<string, unknown> = payload;
    let { email, emailVerified } = readEmail(payload, this.configuration);
    if (email === null && this.configuration.oidcUserinfo) {
      profile = await this.fetchUserinfo(token, key, subject);
      ({ email, emailVerified } = readEmail(profile, this.configuration));
    }
    const displayName = readDisplayName(payload) ?? readDisplayName(profile);

    const identity = Object.freeze({
      issuer: issuerIdentity(this.configuration, this.issuer),
      subject,
      email,
      emailVerified,
      displayName,
      expiresAt,
    });
    const until = Math.min(Date.now() + this.timing.cacheFor, expiresAt * 1000);
    this.identities.set(key, { identity, until });
    return identity;
  }

  private async fetchUserinfo(token: string, key: string, subject: string): Promise<Record<string, unknown>> {
    const known = this.userinfoAnswers.get(key);
    if (known) return known;
    const claims = await this.keys.userinfo(token);
    // OpenID Connect Core 1.0, 5.3.2: an answer with another `sub` must not be used.
    if (Object.keys(claims).length > 0 && claims.sub !== subject) {
      throw new InvalidToken('The userinfo endpoint returned another subject.');
    }
    this.userinfoAnswers.set(key, claims);
    return claims;
  }

  private async verifySignature(token: string): Promise<JWTVerifyResult> {
    try {
      return await jwtVerify(token, (header) => this.keys.key(header), this.options);
    } catch (error) {
      if (error instanceof errors.JWKSMultipleMatchingKeys) return this.verifyWithAnyOf(error, token);
      throw this.toRejection(error);
    }
  }

  /** For a token that matches several keys of the issuer: without `kid`, or with a `kid` that several keys have. */
  private async verifyWithAnyOf(
    keys: errors.JWKSMultipleMatchingKeys,
    token: string,
  ): Promise<JWTVerifyResult> {
    for await (const key of keys) {
      try {
        return await jwtVerify(token, key, this.options);
      } catch (error) {
        if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw this.toRejection(error);
      }
    }
    throw this.toRejection(new errors.JWSSignatureVerificationFailed());
  }

  private toRejection(error: unknown): Error {
    if (error instanceof Problem) return error;
    const reason = reasonFor(error);
    if (reason) return new InvalidToken(reason);
    // The token may be valid: a key of the issuer cannot be used (for example an RSA key below 2048 bits).
    this.log.warn({ err: error, issuer: this.issuer }, 'a key of the issuer cannot be used');
    return unavailable(60, { cause: error });
  }
}

function digest(token: string): string {
  return hash('sha256', token, 'base64');
}

const CLAIM_REASONS = {
  iss: 'The access token has another issuer.',
  aud: 'The access token is for another audience.',
  exp: 'The access token has no valid expiry time.',
  nbf: 'The access token is not valid yet.',
  sub: 'The access token has no valid subject.',
};

const NOT_A_JWT = [errors.JWSInvalid, errors.JWTInvalid, errors.JOSENotSupported];

function reasonFor(error: unknown): string | undefined {
  if (error instanceof errors.JWTExpired) return 'The access token has expired.';
  if (error instanceof errors.JWTClaimValidationFailed)
    return (
      CLAIM_REASONS[error.claim as keyof typeof CLAIM_REASONS] ?? 'The access token has an invalid claim.'
    );
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return 'The signature of the access token is invalid.';
  if (error instanceof errors.JOSEAlgNotAllowed)
    return 'The signature algorithm of the access token is not allowed.';
  if (error instanceof errors.JWKSNoMatchingKey)
    return 'The access token is signed with a key that its issuer does not publish.';
  if (NOT_A_JWT.some((kind) => error instanceof kind)) return 'The access token is not a signed JWT.';
  return undefined;
}
