import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { jest } from '@jest/globals';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import Provider, { type Configuration } from 'oidc-provider';
import { TEST_AUDIENCE } from '../../support/servers/issuer.js';
import { listen } from '../../support/servers/local-server.js';
import { Browser } from './browser.js';

const RESOURCE = 'https://filing.office.example/api';
const SCOPES = 'openid email profile';
const ALGORITHM = 'ES256';

/** Client of a machine. */
export const SCANNER = { id: 'scanner-17', secret: 'the-secret-of-the-scanner' };

export interface Tokens {
  readonly access_token: string;
  readonly id_token?: string;
}

/** Settings that a client needs for a login. The service publishes all of them. */
export interface LoginSettings {
  readonly clientId: string;
  readonly discoveryUrl: string;
  readonly redirectUri: string;
}

/**
 * Simulates the OpenID Connect issuer of an organisation. It has its own keys, users and pages, and knows only the
 * client of the documentation and an audience. It uses the same library as the embedded issuer, with another
 * configuration, but the service reaches it only over HTTP.
 */
export class ExternalIssuer {
  /** Additional claims in access tokens, by subject. */
  readonly users = new Map<string, Record<string, unknown>>();

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** Reserves its URL. It answers requests after {@link register}. */
  static async start(): Promise<ExternalIssuer> {
    // The client closes idle connections. If the server did, it could close one that a new request is just using.
    const server = createServer({ keepAliveTimeout: 0 });
    return new ExternalIssuer(server, await listen(server));
  }

  /** Adds the public client of the documentation and starts to answer requests. */
  async register(client: { id: string; redirectUri: string }): Promise<void> {
    const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
    const key = { ...(await exportJWK(privateKey)), kid: 'office-1', alg: ALGORITHM, use: 'sig' };
    // The library warns that its login page and memory store are not for production.
    const warning = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const provider = new Provider(this.url, this.options(client, key));
    warning.mockRestore();
    const answer = provider.callback();
    this.server.on('request', (req, res) => void answer(req, res));
  }

  /** Logs in as a browser and a client do, from the discovery document to the tokens. */
  async signIn(subject: string, { clientId, discoveryUrl, redirectUri }: LoginSettings): Promise<Tokens> {
    const metadata = (await (await fetch(discoveryUrl)).json()) as Record<string, string>;
    const verifier = randomBytes(32).toString('base64url');
    const authorization = new URL(metadata.authorization_endpoint ?? '');
    authorization.search = new URLSearchParams({
      client_id: clientId,
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: SCOPES,
      state: 'st4te',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }).toString();
    const browser = new Browser();
    const page = await browser.open(authorization.href);
    const back = await browser.submit(page.url, { prompt: 'login', login: subject, password: 'x' });
    const code = new URL(back.location ?? 'about:blank').searchParams.get('code');
    if (!code) throw new Error(`The login ended with ${back.status}: ${back.text}`);
    return this.redeem(metadata.token_endpoint ?? '', {
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: redirectUri,
      code,
      code_verifier: verifier,
    });
  }

  machineToken(): Promise<Tokens> {
    return this.redeem(`${this.url}/token`, {
      grant_type: 'client_credentials',
      client_id: SCANNER.id,
      client_secret: SCANNER.secret,
      resource: RESOURCE,
    });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async redeem(endpoint: string, parameters: Record<string, string>): Promise<Tokens> {
    const response = await fetch(endpoint, { method: 'POST', body: new URLSearchParams(parameters) });
    const body = await response.text();
    if (response.status !== 200) throw new Error(`${endpoint} answered ${response.status}: ${body}`);
    return JSON.parse(body) as Tokens;
  }

  private options(client: { id: string; redirectUri: string }, key: JWK): Configuration {
    return {
      jwks: { keys: [key] },
      cookies: { keys: [randomBytes(16).toString('hex')] },
      clients: [
        {
          client_id: client.id,
          token_endpoint_auth_method: 'none',
          grant_types: ['authorization_code'],
          response_types: ['code'],
          redirect_uris: [client.redirectUri],
          id_token_signed_response_alg: ALGORITHM,
        },
        {
          client_id: SCANNER.id,
          client_secret: SCANNER.secret,
          token_endpoint_auth_method: 'client_secret_post',
          grant_types: ['client_credentials'],
          response_types: [],
          redirect_uris: [],
          id_token_signed_response_alg: ALGORITHM,
        },
      ],
      clientBasedCORS: () => true,
      ttl: {
        AccessToken: 600,
        ClientCredentials: 600,
        Grant: 600,
        IdToken: 600,
        Interaction: 600,
        Session: 600,
      },
      pkce: { required: () => true },
      findAccount: (_context, subject) => ({ accountId: subject, claims: () => ({ sub: subject }) }),
      extraTokenClaims: (_context, token) =>
        'accountId' in token ? this.users.get(token.accountId ?? '') : undefined,
      loadExistingGrant: async ({ oidc: { client: asking, session, provider } }) => {
        const grant = new provider.Grant({ clientId: asking?.clientId, accountId: session?.accountId });
        grant.addOIDCScope(SCOPES);
        grant.addResourceScope(RESOURCE, SCOPES);
        await grant.save();
        return grant;
      },
      features: {
        clientCredentials: { enabled: true },
        resourceIndicators: {
          enabled: true,
          defaultResource: () => RESOURCE,
          useGrantedResource: () => true,
          getResourceServerInfo: () => ({
            scope: SCOPES,
            audience: TEST_AUDIENCE,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: ALGORITHM } },
          }),
        },
      },
    };
  }
}
