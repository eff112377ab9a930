import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import { pagePolicy } from '../../../common/html.js';
import { type Configuration } from '../../config/configuration.js';
import { type ProcessChannel } from '../../instances/process-channel.js';
import { type LogWriter, SILENT } from '../../logging/log.js';
import { EMBEDDED_ISSUER_PATH, embeddedIssuerUrl } from '../issuer-url.js';
import { answerInteraction, sendPage } from './embedded-issuer-login.js';
import { providerOptions, redirectUrisOf } from './embedded-issuer-options.js';
import { errorPage } from './embedded-issuer-pages.js';
import { loadIssuerSecrets, refuseInProduction } from './embedded-issuer-secrets.js';
import { sharedAdapter } from './shared-adapter.js';

/**
 * Creates an OpenID Connect issuer for demonstrations, so that "Authorize" in Swagger UI is a real
 * authorization-code login with PKCE. Uses the certified library oidc-provider with our own users, login page and
 * configuration.
 *
 * @returns its handler: mount it at `/oidc`, before any body parser. It works with and without the mount path in `req.url`
 * @throws ConfigurationError in production, or when its keys cannot be stored
 */
export async function createEmbeddedIssuer({
  configuration,
  log = SILENT,
  primary,
}: {
  configuration: Configuration;
  /** Stores pending logins when the service has several processes. */
  primary?: ProcessChannel | undefined;
  log?: Pick<LogWriter, 'warn'>;
}): Promise<(req: IncomingMessage, res: ServerResponse) => void> {
  refuseInProduction(configuration);
  const issuer = embeddedIssuerUrl(configuration);
  const { host: issuerHost, pathname: issuerPath } = new URL(issuer);
  const tls = issuer.startsWith('https:');
  const secrets = await loadIssuerSecrets(configuration.dataDirectory);
  const options = providerOptions(configuration, secrets, primary && sharedAdapter(primary));
  const provider = await createProvider(issuer, issuerPath, options);
  // An https PUBLIC_URL means that a proxy in front terminates TLS: this process serves plain HTTP.
  provider.proxy = tls;

  const report = (error: unknown) => log.warn({ err: error }, 'the embedded issuer failed');
  provider.on('server_error', (_ctx, error) => report(error));
  provider.app.on('error', report);

  const answer = provider.callback();
  const redirectUris = redirectUrisOf(configuration.publicUrl);
  // Forms post here and are redirected to the client: browsers check `form-action` on redirects too.
  const formTargets = new Set(["'self'", ...redirectUris.map((uri) => new URL(uri).origin)]);
  const policy = pagePolicy([...formTargets].join(' '));
  return (req: IncomingMessage & { originalUrl?: string }, res: ServerResponse): void => {
    res.setHeader('Cache-Control', 'no-store');
    res.setHeader('Content-Security-Policy', policy);
    res.setHeader('Referrer-Policy', 'no-referrer');
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.setHeader('X-Frame-Options', 'DENY');
    // Swagger UI opens the login in a new window, which needs `window.opener` to report the result.
    res.removeHeader('Cross-Origin-Opener-Policy');
    req.url = localUrl(req.url ?? '/');
    // The library builds its own URLs from this. A proxy in front may have removed the prefix.
    req.originalUrl = issuerPath + req.url;
    if (tls) {
      // The library builds its URLs from these headers, so overwrite values sent by clients.
      req.headers['x-forwarded-proto'] = 'https';
      req.headers['x-forwarded-host'] = issuerHost;
    }
    const isInteraction = req.url.startsWith('/interaction/');
    (isInteraction ? answerInteraction(provider, req, res) : answer(req, res)).catch((error: unknown) => {
      report(error);
      if (!res.headersSent)
        sendPage(res, 500, errorPage('Internal error of the issuer. See the log of the service.'));
    });
  };
}

/** Imports the library on demand: it is not needed when OIDC_ISSUER is set. */
async function createProvider(
  issuer: string,
  issuerPath: string,
  options: ReturnType<typeof providerOptions>,
): Promise<Provider> {
  const { default: Provider, interactionPolicy } = await import('oidc-provider');
  // Always show the login page, because demonstrations switch between users.
  const alwaysAsk = new interactionPolicy.Check(
    'choose_user',
    'the user must be chosen',
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
    // Swagger UI sends no scope when none is selected. The library needs at least one.
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
