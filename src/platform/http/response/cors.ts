import { type NextFunction, type Request, type Response } from 'express';
import { type RouteFinder } from '../pipeline/route-finder.js';
import { RESPONSE_HEADERS } from './response-headers.js';

/** Request header fields of the API that browsers ask for in a preflight. */
const REQUEST_HEADERS = [
  'Accept-Language',
  'Authorization',
  'Content-Disposition',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'If-Range',
  'Last-Event-ID',
  'Prefer',
  'Range',
  'Traceparent',
  'Tracestate',
  'X-Request-Id',
].join(', ');

/** Response header fields that scripts may read: those of all operations, and `Allow` of a 405. */
const EXPOSED_HEADERS = [...Object.keys(RESPONSE_HEADERS), 'Allow', 'Preference-Applied'].sort().join(', ');

/** How long browsers may cache the response to a preflight, in seconds: the maximum of Chromium. */
const MAX_AGE = '7200';

/**
 * Lets scripts of the configured origins use the API (https://fetch.spec.whatwg.org/#http-cors-protocol). The API has
 * no cookies, so `Access-Control-Allow-Credentials` is not sent. A script needs an access token in any case; CORS
 * only decides whether the browser shows it the response. Therefore `*` is safe.
 *
 * A preflight needs no token and does not count against rate limits. An origin that is not allowed gets the normal
 * response to OPTIONS, and the browser does not send the request.
 *
 * @param origins origins as browsers send them (`https://app.example`), or only `*`
 */
export function cors(origins: readonly string[], routes: Pick<RouteFinder, 'methodsAt'>) {
  const allowed = new Set(origins);
  const anyone = allowed.has('*');
  return (request: Request, response: Response, next: NextFunction): void => {
    const { origin } = request.headers;
    // Also for a missing or rejected origin: a cache must not return this response to another origin.
    if (!anyone) response.vary('Origin');
    if (origin !== undefined && (anyone || allowed.has(origin))) {
      response.setHeader('Access-Control-Allow-Origin', anyone ? '*' : origin);
      const isPreflight =
        request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
      // Empty for an unknown path, which then gets the usual 404.
      const methods = isPreflight ? routes.methodsAt(request.url) : [];
      if (!isPreflight) response.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS);
      else if (methods.length > 0) {
        response.setHeader('Access-Control-Allow-Methods', methods.join(', '));
        response.setHeader('Access-Control-Allow-Headers', REQUEST_HEADERS);
        response.setHeader('Access-Control-Max-Age', MAX_AGE);
      }
    }
    next();
  };
}
