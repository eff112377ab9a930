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

/** What a verifier asks its issuer. */
export interface IssuerKeys {
  /** The public key that a token's header names. */
  key(header: JWSHeaderParameters): Promise<CryptoKey>;
  /** What the issuer says about the bearer of a token. */
  userinfo(token: string): Promise<Claims>;
  state(): Promise<IssuerState>;
}

export interface IssuerState {
  /** Whether its keys have ever been had since the start. */
  readonly hasAnswered: boolean;
  /** Why it did not answer when it was last asked; undefined when it did. */
  readonly failure: string | undefined;
}

/** All in milliseconds. */
export interface IssuerTiming {
  /** A key set older than this is fetched anew, behind the back of the request that finds it so. */
  readonly refreshKeysAfter: number;
  /** A key set older than this is not used any more: without a newer one, requests are answered 503. */
  readonly discardKeysAfter: number;
  /** Between two attempts to fetch keys, be it for an unknown `kid` or after a failure. */
  readonly cooldown: number;
  readonly requestTimeout: number;
}

/** With which a userinfo endpoint says that a token is not for it (RFC 6750, 3.1). */
const REFUSALS = [400, 401, 403];

interface Metadata {
  readonly keysUrl: string;
  readonly userinfoUrl: string | undefined;
}

/**
 * Talks to the issuer: OpenID Connect Discovery 1.0, its key set (RFC 7517) and its userinfo endpoint.
 * The service starts, and serves what needs no token, while its issuer is away.
 *
 * jose's own remote key set is not used because it waits only after successes: with the issuer away, every
 * request would wait for a timeout of its own.
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
   * The public key that a token's header names.
   * @throws errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys; Problem (503) when the issuer is away
   */
  async key(header: JWSHeaderParameters): Promise<CryptoKey> {
    const keySet = await this.currentKeySet();
    try {
      return await keySet(header);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      // The issuer may have a new key. An unknown one asks at most once in a while, or anybody could make
      // this service hammer the issuer.
      if (this.coolingDown()) throw this.failure === undefined ? error : this.unavailable(error);
      return (await this.refresh())(header);
    }
  }

  /**
   * What the userinfo endpoint says about the bearer of a token (OpenID Connect Core 1.0, 5.3); empty when
   * there is none, or when it does not answer this token, as is so for machine clients.
   * @throws Problem (503) when it is away: an address must not be forgotten because of an outage
   */
  async userinfo(token: string): Promise<Claims> {
    const url = this.metadata?.userinfoUrl;
    if (!url) return {};
    try {
      const response = await this.get(url, { authorization: `Bearer ${token}` });
      if (REFUSALS.includes(response.status)) return {};
      return await readObject(response, url);
    } catch (error) {
      this.log.warn({ err: error, issuer: this.issuer }, 'the userinfo endpoint does not answer');
      throw this.unavailable(error);
    }
  }

  /** Asks it again in the background where the keys are not fresh; the first time, the answer is waited for. */
  async state(): Promise<IssuerState> {
    const isFresh = performance.now() - this.fetchedAt < this.timing.refreshKeysAfter;
    if (!isFresh && !this.coolingDown()) {
      const isFirst = this.attemptedAt === -Infinity && this.keySet === undefined;
      const refreshed = this.refresh().catch(() => undefined);
      if (isFirst) await refreshed;
      // The first token may name a newer key, and is not to wait.
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
      // Failures are logged where they happen; until they last too long, the known keys do.
      if (age >= this.timing.refreshKeysAfter && !this.coolingDown()) this.refresh().catch(() => undefined);
      return this.keySet;
    }
    if (this.failure !== undefined && this.coolingDown()) throw this.unavailable(undefined);
    return this.refresh();
  }

  private coolingDown(): boolean {
    return !this.refreshing && performance.now() - this.attemptedAt < this.timing.cooldown;
  }

  /** However many ask, one fetch is under way. */
  private refresh(): Promise<KeySet> {
    this.refreshing ??= this.fetchKeySet().finally(() => {
      this.refreshing = undefined;
    });
    return this.refreshing;
  }

  private async fetchKeySet(): Promise<KeySet> {
    const startedAt = performance.now();
    try {
      // After a failure its addresses may be what is wrong.
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
    // OpenID Connect Discovery 1.0, 4.3: exactly, a slash at the end included; `iss` is compared the same way.
    if (document.issuer !== this.issuer) {
      throw new Error(`The discovery document of ${this.issuer} is one of ${String(document.issuer)}`);
    }
    return {
      keysUrl: this.endpoint(document.jwks_uri),
      userinfoUrl:
        document.userinfo_endpoint === undefined ? undefined : this.endpoint(document.userinfo_endpoint),
    };
  }

  /** An issuer on https must not send us (and people's tokens) to http. */
  private endpoint(value: unknown): string {
    const protocols = this.issuer.startsWith('https:') ? ['https:'] : ['https:', 'http:'];
    if (typeof value !== 'string' || !protocols.includes(readUrl(value)?.protocol ?? '')) {
      throw new Error(`The discovery document of ${this.issuer} names an endpoint that cannot be used`);
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

/** `fetch` says the reason in the cause of its error. */
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
