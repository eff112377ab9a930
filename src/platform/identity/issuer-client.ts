import {
  createLocalJWKSet,
  errors,
  type CryptoKey,
  type JSONWebKeySet,
  type JWSHeaderParameters,
} from 'jose';
import { type Problem, unavailable } from '../../common/problem.js';
import { readUrl } from '../../common/url.js';
import { type LogWriter } from '../logging/log.js';

type Claims = Record<string, unknown>;
export type KeySet = (header: JWSHeaderParameters) => Promise<CryptoKey>;

/** Keys, userinfo and availability of an issuer, for the token verifier. */
export interface IssuerKeys {
  key(header: JWSHeaderParameters): Promise<CryptoKey>;
  userinfo(token: string): Promise<Claims>;
  state(): Promise<IssuerState>;
}

export interface IssuerState {
  /** Whether the keys were fetched at least once since the start. */
  readonly hasAnswered: boolean;
  /** Why the last request failed; undefined when it succeeded. */
  readonly failure: string | undefined;
}

/** All values in milliseconds. */
export interface IssuerTiming {
  /** A key set older than this is refreshed in the background. */
  readonly refreshKeysAfter: number;
  /** A key set older than this is not used. If a newer one cannot be fetched, requests get a 503. */
  readonly discardKeysAfter: number;
  /** Minimum time between two attempts to fetch keys, for an unknown `kid` or after a failure. */
  readonly cooldown: number;
  readonly requestTimeout: number;
}

/** Statuses of a userinfo endpoint that rejects the token (RFC 6750, 3.1). */
const REFUSALS = [400, 401, 403];

interface Metadata {
  readonly keysUrl: string;
  readonly userinfoUrl: string | undefined;
}

/**
 * Fetches the discovery document (OpenID Connect Discovery 1.0), the key set (RFC 7517) and userinfo of the issuer.
 * While the issuer is unavailable, the service starts and serves the operations that need no token.
 *
 * jose's remote key set is not used: it has a cooldown only after successful requests. While the issuer is
 * unavailable, every request would wait for its own timeout.
 */
export class IssuerClient implements IssuerKeys {
  private metadata: Metadata | undefined;
  private keySet: KeySet | undefined;
  private fetchedAt = -Infinity;
  private attemptedAt = -Infinity;
  private failure: unknown;
  private refreshing: Promise<KeySet> | undefined;

  constructor(
    private readonly issuer: string,
    private readonly timing: IssuerTiming,
    private readonly log: Pick<LogWriter, 'warn'>,
  ) {}

  /**
   * The public key for the header of a token.
   * @throws errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys; Problem (503) when the issuer is unavailable
   */
  async key(header: JWSHeaderParameters): Promise<CryptoKey> {
    const keySet = await this.currentKeySet();
    try {
      return await keySet(header);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      // The issuer may have a new key. The cooldown applies here too: otherwise clients could make the service send
      // a request to the issuer for every token with an invented `kid`.
      if (this.coolingDown()) throw this.failure === undefined ? error : this.unavailable(error);
      return (await this.refresh())(header);
    }
  }

  /**
   * Claims of the userinfo endpoint (OpenID Connect Core 1.0, 5.3). Empty if the issuer has no such endpoint, or if
   * the endpoint rejects the token (usual for machine clients).
   * @throws Problem (503) when it is unavailable: an outage must not remove the address of a user
   */
  async userinfo(token: string): Promise<Claims> {
    const url = this.metadata?.userinfoUrl;
    if (!url) return {};
    try {
      const response = await this.get(url, { authorization: `Bearer ${token}` });
      if (REFUSALS.includes(response.status)) return {};
      return await readObject(response, url);
    } catch (error) {
      this.log.warn({ err: error, issuer: this.issuer }, 'the userinfo request failed');
      throw this.unavailable(error);
    }
  }

  /** Refreshes old keys in the background. The first call waits for the answer of the issuer. */
  async state(): Promise<IssuerState> {
    const isFresh = performance.now() - this.fetchedAt < this.timing.refreshKeysAfter;
    if (!isFresh && !this.coolingDown()) {
      const isFirst = this.attemptedAt === -Infinity && this.keySet === undefined;
      const refreshed = this.refresh().catch(() => undefined);
      if (isFirst) await refreshed;
      // No cooldown after a successful first fetch: the first token may need a newer key.
      if (isFirst && this.failure === undefined) this.attemptedAt = -Infinity;
    }
    const { failure } = this;
    return {
      hasAnswered: this.keySet !== undefined,
      failure: failure === undefined ? undefined : reasonOf(failure),
    };
  }

  private async currentKeySet(): Promise<KeySet> {
    const age = performance.now() - this.fetchedAt;
    if (this.keySet && age < this.timing.discardKeysAfter) {
      // Failures are logged in fetchKeySet. The present keys remain usable until discardKeysAfter.
      if (age >= this.timing.refreshKeysAfter && !this.coolingDown()) this.refresh().catch(() => undefined);
      return this.keySet;
    }
    if (this.failure !== undefined && this.coolingDown()) throw this.unavailable(undefined);
    return this.refresh();
  }

  private coolingDown(): boolean {
    return !this.refreshing && performance.now() - this.attemptedAt < this.timing.cooldown;
  }

  /** Concurrent calls share one fetch. */
  private refresh(): Promise<KeySet> {
    this.refreshing ??= this.fetchKeySet().finally(() => {
      this.refreshing = undefined;
    });
    return this.refreshing;
  }

  private async fetchKeySet(): Promise<KeySet> {
    const startedAt = performance.now();
    try {
      // After a failure, fetch the discovery document again: the URLs may have changed.
      if (!this.metadata || this.failure !== undefined) this.metadata = await this.discover();
      const document = await readObject(await this.get(this.metadata.keysUrl), this.metadata.keysUrl);
      this.keySet = createLocalJWKSet(document as unknown as JSONWebKeySet);
      this.fetchedAt = startedAt;
      this.failure = undefined;
      return this.keySet;
    } catch (error) {
      this.failure = error;
      this.log.warn({ err: error, issuer: this.issuer }, 'the keys of the issuer cannot be fetched');
      throw this.unavailable(error);
    } finally {
      this.attemptedAt = performance.now();
    }
  }

  private async discover(): Promise<Metadata> {
    const url = `${this.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const document = await readObject(await this.get(url), url);
    // OpenID Connect Discovery 1.0, 4.3: must be identical, including a trailing slash, as for `iss`.
    if (document.issuer !== this.issuer) {
      throw new Error(`The discovery document of ${this.issuer} names the issuer ${String(document.issuer)}`);
    }
    return {
      keysUrl: this.endpoint(document.jwks_uri),
      userinfoUrl:
        document.userinfo_endpoint === undefined ? undefined : this.endpoint(document.userinfo_endpoint),
    };
  }

  /** An https issuer must not name http endpoints: the userinfo request sends the user's token. */
  private endpoint(value: unknown): string {
    const protocols = this.issuer.startsWith('https:') ? ['https:'] : ['https:', 'http:'];
    if (typeof value !== 'string' || !protocols.includes(readUrl(value)?.protocol ?? '')) {
      throw new Error(`The discovery document of ${this.issuer} names an endpoint with an invalid URL`);
    }
    return value;
  }

  private get(url: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(url, {
      headers: { accept: 'application/json', ...headers },
      redirect: 'error',
      signal: AbortSignal.timeout(this.timing.requestTimeout),
    });
  }

  private unavailable(cause: unknown): Problem {
    const seconds = Math.max(1, Math.ceil(this.timing.cooldown / 1000));
    return unavailable(seconds, { cause });
  }
}

/** The errors of `fetch` have the reason in `cause`. */
function reasonOf(failure: unknown): string {
  const { message, cause } = failure as Error & { cause?: NodeJS.ErrnoException };
  return cause?.code ?? cause?.message ?? message;
}

async function readObject(response: Response, url: string): Promise<Claims> {
  if (response.status !== 200) throw new Error(`${url} answers ${response.status}`);
  const body: unknown = await response.json();
  if (typeof body !== 'object' || body === null) throw new Error(`${url} does not answer with an object`);
  return body as Claims;
}
