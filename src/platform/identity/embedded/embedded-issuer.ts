import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import { pagePolicy } from '../../../common/html.js';
import { type LogWriter, SILENT } from '../../logging/log.js';
import { EMBEDDED_ISSUER_PATH, embeddedIssuerUrl } from '../issuer-url.js';
import { answerInteraction, sendPage } from './embedded-issuer-login.js';
import {
  type EmbeddedIssuerConfiguration,
  providerOptions,
  redirectUrisOf,
} from './embedded-issuer-options.js';
import { errorPage } from './embedded-issuer-pages.js';
import { loadIssuerSecrets, refuseInProduction } from './embedded-issuer-secrets.js';

interface EmbeddedIssuer {
  readonly issuer: string;
  /** To be mounted at `/oidc`, in front of whatever reads bodies; the path may be cut off (Express) or not. */
  readonly handler: (req: IncomingMessage, res: ServerResponse) => void;
}

/**
 * An OpenID Connect issuer for a machine without one, so that Swagger UI's Authorize is a real
 * authorization-code login with PKCE. It is the certified library oidc-provider; ours are the people, the
 * page and the configuration.
 *
 * @throws ConfigurationError in production, or when its keys cannot be kept
 */
export async function createEmbeddedIssuer({
  configuration,
  log = SILENT,
}: {
  configuration: EmbeddedIssuerConfiguration;
  log?: Pick<LogWriter, 'warn'>;
}): Promise<EmbeddedIssuer> {
  refuseInProduction(configuration);
  const issuer = embeddedIssuerUrl(configuration);
  const { host: issuerHost, pathname: issuerPath } = new URL(issuer);
  const tls = issuer.startsWith('https:');
  const secrets = await loadIssuerSecrets(configuration.dataDirectory);
  const provider = await createProvider(issuer, issuerPath, providerOptions(configuration, secrets));
  // Behind something that ends TLS, or PUBLIC_URL would not be what it is.
  provider.proxy = tls;

  const report = (error: unknown) => log.warn({ err: error }, 'the embedded issuer failed');
  provider.on('server_error', (_ctx, error) => report(error));
  provider.app.on('error', report);

  const answer = provider.callback();
  const redirectUris = redirectUrisOf(configuration.publicUrl);
  // Forms post here and are redirected to the client: browsers check `form-action` on redirects too.
  const formTargets = new Set(["'self'", ...redirectUris.map((uri) => new URL(uri).origin)]);
  const policy = pagePolicy([...formTargets].join(' '));
  const handler = (req: IncomingMessage & { originalUrl?: string }, res: ServerResponse): void => {
    res.setHeader('Cache-Control', 'no-store');
    res.setHeader('Content-Security-Policy', policy);
    res.setHeader('Referrer-Policy', 'no-referrer');
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.setHeader('X-Frame-Options', 'DENY');
    // The login is a window of the page that asks for it, which could not be told its end otherwise.
    res.removeHeader('Cross-Origin-Opener-Policy');
    req.url = localUrl(req.url ?? '/');
    // The library makes its own addresses from this, whatever a proxy in front has cut off.
    req.originalUrl = issuerPath + req.url;
    if (tls) {
      // By configuration, whoever sends these: the library would take its own address from them.
      req.headers['x-forwarded-proto'] = 'https';
      req.headers['x-forwarded-host'] = issuerHost;
    }
    const isInteraction = req.url.startsWith('/interaction/');
    (isInteraction ? answerInteraction(provider, req, res) : answer(req, res)).catch((error: unknown) => {
      report(error);
      if (!res.headersSent) sendPage(res, 500, errorPage('The issuer failed; its log says why.'));
    });
  };
  return { issuer, handler };
}

/** The library is loaded only here: with an issuer configured, nobody needs it. */
async function createProvider(
  issuer: string,
  issuerPath: string,
  options: ReturnType<typeof providerOptions>,
): Promise<Provider> {
  const { default: Provider, interactionPolicy } = await import('oidc-provider');
  // A demonstration is about being several people in turn: ask every time who it is.
  const alwaysAsk = new interactionPolicy.Check(
    'choose_person',
    'a person has to be chosen',
    'login_required',
    (ctx) => !ctx.oidc.result?.login,
  );
  const policy = interactionPolicy.base();
  policy.get('login')?.checks.add(alwaysAsk);
  const provider = new Provider(issuer, {
    ...options,
    interactions: { policy, url: (_ctx, interaction) => `${issuerPath}/interaction/${interaction.uid}` },
  });
  provider.use(async (ctx, next) => {
    // Swagger UI sends no scope when none is ticked, and then there would be nothing to grant.
    if (ctx.path === '/auth' && !ctx.query.scope) ctx.query = { ...ctx.query, scope: 'openid' };
    await next();
  });
  return provider;
}

function localUrl(url: string): string {
  const { length } = EMBEDDED_ISSUER_PATH;
  const mounted = url.startsWith(EMBEDDED_ISSUER_PATH) && ['', '/', '?'].includes(url.charAt(length));
  const local = mounted ? url.slice(length) : url;
  return local.startsWith('/') ? local : `/${local}`;
}
