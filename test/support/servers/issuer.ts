import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  base64url,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type CryptoKey,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from 'jose';
import { listen } from './local-server.js';

export const TEST_AUDIENCE = 'filing-service';

/** Claims of a token. The value undefined removes a default claim. */
export type Claims = JWTPayload & Record<string, unknown>;

interface SigningKey {
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly jwk: JWK;
}

/**
 * An OpenID Connect issuer on a loopback port: discovery, key set, userinfo, and tokens for any user. The service uses it
 * without mocks: it sends HTTP requests and verifies signatures.
 */
export class TestIssuer {
  /** Number of requests by path. */
  readonly requests = new Map<string, number>();
  /** When set, it answers every request. */
  failure: ((res: ServerResponse) => void) | undefined;
  /** Answer of the userinfo endpoint for a bearer token. */
  userinfo: (token: string) => { status: number; body?: unknown } = () => ({ status: 401 });
  /** Members that replace those of the discovery document. */
  discovery: Record<string, unknown> = {};

  private keys = new Map<string, SigningKey>();
  /** Keys by algorithm, ready or in creation, so that concurrent callers share one key. */
  private pendingKeys = new Map<string, Promise<SigningKey>>();
  private retiredKeys: JWK[] = [];
  private generation = 0;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {
    server.on('request', (req, res) => this.answer(req, res));
  }

  static async start(): Promise<TestIssuer> {
    // Only clients close connections. Otherwise a request on a connection that the server just closes would fail.
    const server = createServer({ keepAliveTimeout: 0 });
    return new TestIssuer(server, await listen(server));
  }

  /** A signed access token (RFC 9068), valid for one hour. Claims and header override the defaults. */
  async token(claims: Claims = {}, header: Partial<JWTHeaderParameters> = {}): Promise<string> {
    const { privateKey, jwk } = await this.key(header.alg ?? 'ES256');
    return this.sign(claims, { alg: jwk.alg ?? 'ES256', typ: 'at+jwt', kid: jwk.kid, ...header }, privateKey);
  }

  /** A token without a signature (RFC 7519, 6). */
  unsignedToken(claims: Claims = {}, alg = 'none'): string {
    const parts = [{ alg, typ: 'at+jwt' }, this.claims(claims)].map((part) =>
      base64url.encode(JSON.stringify(part)),
    );
    return `${parts.join('.')}.`;
  }

  /** Algorithm confusion attack: an HMAC token whose secret is the published RSA key. */
  async tokenSignedWithPublicKey(claims: Claims = {}): Promise<string> {
    const { publicKey, jwk } = await this.key('RS256');
    const secret = new TextEncoder().encode(await exportSPKI(publicKey));
    return this.sign(claims, { alg: 'HS256', typ: 'at+jwt', kid: jwk.kid }, secret);
  }

  /** Signed with an unknown key, under the `kid` of a real key or of the header. */
  async forgedToken(claims: Claims = {}, header: Partial<JWTHeaderParameters> = {}): Promise<string> {
    const { jwk } = await this.key('ES256');
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    return this.sign(claims, { alg: 'ES256', typ: 'at+jwt', kid: jwk.kid, ...header }, privateKey);
  }

  /** An ID token, as a client receives it together with the access token. */
  async idToken(claims: Claims = {}): Promise<string> {
    return this.token({ aud: 'a-client', azp: 'a-client', nonce: 'n-0S6_WzA2Mj', ...claims }, { typ: 'JWT' });
  }

  /** Replaces the signing keys. `publishOld` keeps the old keys in the key set. */
  async rotateKeys({ publishOld = false } = {}): Promise<void> {
    const algorithms = [...this.keys.keys()];
    this.retiredKeys = publishOld ? [...this.keys.values()].map(({ jwk }) => jwk) : [];
    this.keys = new Map();
    this.pendingKeys = new Map();
    this.generation += 1;
    for (const algorithm of algorithms) await this.key(algorithm);
  }

  requestCount(path: string): number {
    return this.requests.get(path) ?? 0;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve)); // Also resolves when the server is already stopped.
  }

  private claims(claims: Claims): Claims {
    const now = Math.floor(Date.now() / 1000);
    const defaults = {
      iss: this.url,
      sub: 'somebody',
      aud: TEST_AUDIENCE,
      iat: now,
      exp: now + 3600,
      client_id: 'test',
    };
    return { ...defaults, ...claims };
  }

  private async sign(
    claims: Claims,
    header: JWTHeaderParameters,
    key: CryptoKey | Uint8Array,
  ): Promise<string> {
    return new SignJWT(this.claims(claims)).setProtectedHeader(header).sign(key);
  }

  private key(algorithm: string): Promise<SigningKey> {
    let key = this.pendingKeys.get(algorithm);
    if (!key) this.pendingKeys.set(algorithm, (key = this.makeKey(algorithm)));
    return key;
  }

  /** Adds the key to the key set before a token is signed with it. */
  private async makeKey(algorithm: string): Promise<SigningKey> {
    const { keys, generation } = this;
    const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
    const kid = `${algorithm}-${generation}`;
    const jwk = { ...(await exportJWK(publicKey)), kid, alg: algorithm, use: 'sig' };
    const key = { privateKey, publicKey, jwk };
    keys.set(algorithm, key);
    return key;
  }

  private answer(req: IncomingMessage, res: ServerResponse): void {
    const path = req.url ?? '/';
    this.requests.set(path, this.requestCount(path) + 1);
    if (this.failure) return this.failure(res);
    if (path === '/.well-known/openid-configuration') {
      return sendJson(res, 200, {
        issuer: this.url,
        jwks_uri: `${this.url}/keys`,
        userinfo_endpoint: `${this.url}/userinfo`,
        ...this.discovery,
      });
    }
    if (path === '/keys') {
      const current = [...this.keys.values()].map(({ jwk }) => jwk);
      return sendJson(res, 200, { keys: [...current, ...this.retiredKeys] });
    }
    if (path === '/userinfo') {
      const { status, body } = this.userinfo(req.headers.authorization?.replace(/^Bearer /, '') ?? '');
      return sendJson(res, status, body);
    }
    return sendJson(res, 404, {});
  }
}

/** `OIDC_ISSUER` must be its `url`. */
export function startTestIssuer(): Promise<TestIssuer> {
  return TestIssuer.start();
}

function sendJson(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? null));
}
