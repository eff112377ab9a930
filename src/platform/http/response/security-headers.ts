import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { type NextFunction, type Request, type Response } from 'express';
import helmet, { strictTransportSecurity } from 'helmet';
import { type Configuration } from '../../config/configuration.js';

/**
 * What every answer tells browsers, problem documents and those without a route included: nothing is loaded from it,
 * framed, guessed at, or shown to who opened it or is linked from it. Pages put their own policy in place of this one.
 *
 * Of helmet's header fields those are left out that only browsers knew which are gone.
 */
const forEveryAnswer = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      // `object-src` and all the others follow this one; these three do not.
      defaultSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  crossOriginOpenerPolicy: { policy: 'same-origin' },
  // Not in the way of CORS, which asks differently: it is about scripts, images and the like on somebody's page.
  crossOriginResourcePolicy: { policy: 'same-origin' },
  originAgentCluster: false,
  referrerPolicy: { policy: 'no-referrer' },
  // See below.
  strictTransportSecurity: false,
  xContentTypeOptions: true,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xFrameOptions: { action: 'deny' },
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

/** A year. Subdomains are left to who has them: what is said here they could not take back for that long. */
const overTls = strictTransportSecurity({ maxAge: 31_536_000, includeSubDomains: false });

/** What a middleware of helmet's sets: the same for every answer, so it is asked once. */
function headersOf(middleware: ReturnType<typeof helmet>): readonly (readonly [string, string])[] {
  const headers: [string, string][] = [];
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  response.setHeader = (name, value) => {
    headers.push([name, String(value)]);
    return response;
  };
  middleware(response.req, response, (error) => {
    if (error) throw error as Error;
  });
  return headers;
}

/** The security header fields of every answer, also of that to what is no request. */
export const SECURITY_HEADERS = headersOf(forEveryAnswer);

const HEADERS_OVER_TLS = headersOf(overTls);

/**
 * Sets them, and Strict-Transport-Security (RFC 6797) where clients come by https: by configuration (PUBLIC_URL), or
 * because a trusted proxy says so.
 */
export function securityHeaders({ publicUrl }: Pick<Configuration, 'publicUrl'>) {
  const isPublicOverTls = publicUrl.startsWith('https:');
  return (request: Request, response: Response, next: NextFunction): void => {
    for (const [name, value] of SECURITY_HEADERS) response.setHeader(name, value);
    if (isPublicOverTls || request.secure)
      for (const [name, value] of HEADERS_OVER_TLS) response.setHeader(name, value);
    next();
  };
}
