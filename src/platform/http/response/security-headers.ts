import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { type Request, type Response } from 'express';
import helmet, { strictTransportSecurity } from 'helmet';
import { type Configuration } from '../../config/configuration.js';

/**
 * Header fields of every response, including problem documents and unknown routes. They forbid browsers to load
 * resources for the response, to frame it, to sniff its type, to give other windows access to it, and to send its
 * address as referrer. HTML pages override the Content-Security-Policy.
 *
 * Header fields of helmet that only obsolete browsers support are disabled.
 */
const forEveryAnswer = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      // The fallback of all fetch directives. The three directives below have no fallback.
      defaultSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  crossOriginOpenerPolicy: { policy: 'same-origin' },
  // Does not affect CORS requests; it applies to no-cors requests of other pages, such as images and scripts.
  crossOriginResourcePolicy: { policy: 'same-origin' },
  originAgentCluster: false,
  referrerPolicy: { policy: 'no-referrer' },
  // Set separately, because it depends on the request; see `securityHeaders`.
  strictTransportSecurity: false,
  xContentTypeOptions: true,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xFrameOptions: { action: 'deny' },
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

/** One year. Not for subdomains: their owners could not undo it for that long. */
const overTls = strictTransportSecurity({ maxAge: 31_536_000, includeSubDomains: false });

/**
 * Returns the header fields that a helmet middleware sets. They are the same for every response, so they are read
 * once.
 */
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

/** Security header fields of every response, also of the 400 to a malformed request. */
export const SECURITY_HEADERS = headersOf(forEveryAnswer);

const HEADERS_OVER_TLS = headersOf(overTls);

/**
 * Sets the security header fields, and Strict-Transport-Security (RFC 6797) if clients use https: according to
 * PUBLIC_URL or to a trusted proxy.
 */
export function securityHeaders({ publicUrl }: Pick<Configuration, 'publicUrl'>) {
  const isPublicOverTls = publicUrl.startsWith('https:');
  return (request: Request, response: Response): void => {
    for (const [name, value] of SECURITY_HEADERS) response.setHeader(name, value);
    if (isPublicOverTls || request.secure)
      for (const [name, value] of HEADERS_OVER_TLS) response.setHeader(name, value);
  };
}
