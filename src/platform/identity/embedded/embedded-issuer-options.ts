import type { Configuration as ProviderOptions } from 'oidc-provider';
import type { Configuration } from '../../config/configuration.js';
import { embeddedIssuerUrl } from '../issuer-url.js';
import { findIssuerUser } from './demo-users.js';
import { DEMO_TOKEN_LIFETIME, userClaims } from './demo-token.js';
import { errorPage } from './embedded-issuer-pages.js';
import { type IssuerSecrets, SIGNING_ALGORITHM } from './embedded-issuer-secrets.js';
import { MemoryAdapter } from './memory-adapter.js';

/** Public client (without a secret); uses PKCE. */
const SWAGGER_UI_CLIENT = 'swagger-ui';
/** Confidential client for client credentials. Its secret is in `<DATA_DIR>/issuer/secrets.json`. */
const DEMO_MACHINE_CLIENT = 'demo-machine';

const SCOPES = ['openid', 'email', 'profile'];

/** Paths of the pages that log in: Swagger UI, and the page that accepts an invitation. */
const PAGES = ['docs/oauth2-redirect.html', 'invitation'];

/** Allowed redirect URIs. `localhost` and `127.0.0.1` are both listed, because browsers treat them as two origins. */
export function redirectUrisOf(publicUrl: string): string[] {
  const uris = PAGES.flatMap((page) => {
    const own = new URL(`${publicUrl}/${page}`);
    const alias = new URL(own);
    if (own.hostname === '127.0.0.1') alias.hostname = 'localhost';
    if (own.hostname === 'localhost') alias.hostname = '127.0.0.1';
    return [own.href, alias.href];
  });
  return [...new Set(uris)];
}

/** Configuration of oidc-provider: two clients, demo users as accounts, JWT access tokens for the API. */
export function providerOptions(
  configuration: Configuration,
  secrets: IssuerSecrets,
  adapter: ProviderOptions['adapter'] = MemoryAdapter,
): ProviderOptions {
  const issuerPath = new URL(embeddedIssuerUrl(configuration)).pathname;
  const redirectUris = redirectUrisOf(configuration.publicUrl);
  const origins = redirectUris.map((uri) => new URL(uri).origin);
  // RFC 8707 requires an absolute URI as resource. `aud` in the tokens is OIDC_AUDIENCE instead (see below).
  const resource = `${configuration.publicUrl}/api`;
  return {
    adapter,
    jwks: { keys: [secrets.signingKey] },
    cookies: {
      keys: [...secrets.cookieKeys],
      // Distinct names and path: other programs on this host share the cookies, because cookies ignore the port.
      names: {
        session: 'filing_oidc_session',
        interaction: 'filing_oidc_interaction',
        resume: 'filing_oidc_resume',
      },
      long: { httpOnly: true, sameSite: 'lax', signed: true, path: issuerPath },
      short: { httpOnly: true, sameSite: 'lax', signed: true },
    },
    clients: [
      {
        client_id: SWAGGER_UI_CLIENT,
        client_name: 'API documentation',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code'],
        response_types: ['code'],
        redirect_uris: redirectUris,
      },
      {
        client_id: DEMO_MACHINE_CLIENT,
        client_name: 'Demo machine',
        client_secret: secrets.demoMachineSecret,
        grant_types: ['client_credentials'],
        response_types: [],
        redirect_uris: [],
      },
    ],
    clientBasedCORS: (_ctx, origin) => origins.includes(origin),
    responseTypes: ['code'],
    scopes: SCOPES,
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    pkce: { methods: ['S256'], required: () => true },
    findAccount: (_ctx, subject) => {
      const user = findIssuerUser(subject);
      return user ? { accountId: subject, claims: () => ({ sub: subject, ...userClaims(user) }) } : undefined;
    },
    extraTokenClaims: (_ctx, token) => {
      const user = token.kind === 'AccessToken' ? findIssuerUser(token.accountId) : null;
      return user ? userClaims(user) : { name: 'Demo machine' };
    },
    // Skips the consent page: creates the grant when the library looks it up.
    loadExistingGrant: async (ctx) => {
      const { client, session, provider } = ctx.oidc;
      const grant = new provider.Grant({ clientId: client?.clientId, accountId: session?.accountId });
      grant.addOIDCScope(SCOPES.join(' '));
      grant.addResourceScope(resource, SCOPES.join(' '));
      await grant.save();
      return grant;
    },
    expiresWithSession: () => false,
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      // All access tokens are for the API. The ID token contains the claims of the user.
      userinfo: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: SCOPES.join(' '),
          audience: configuration.oidcAudience,
          accessTokenFormat: 'jwt',
          accessTokenTTL: DEMO_TOKEN_LIFETIME,
          jwt: { sign: { alg: SIGNING_ALGORITHM } },
        }),
      },
    },
    ttl: {
      AccessToken: DEMO_TOKEN_LIFETIME,
      ClientCredentials: DEMO_TOKEN_LIFETIME,
      AuthorizationCode: 60,
      Grant: DEMO_TOKEN_LIFETIME,
      IdToken: 3_600,
      Interaction: 600,
      Session: 600,
    },
    renderError: (ctx, out) => {
      ctx.type = 'html';
      ctx.body = errorPage(`${out.error_description ?? out.error}.`);
    },
  };
}
