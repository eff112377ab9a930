import { type NextFunction, type Request, type Response } from 'express';
import { type RouteTable } from '../pipeline/route-table.js';
import { RESPONSE_HEADERS } from './response-headers.js';

/** What requests may carry: all that the API understands, besides what browsers send without asking. */
const REQUEST_HEADERS = [
  'Accept-Language',
  'Authorization',
  'Content-Disposition',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'If-Range',
  'Prefer',
  'Range',
  'Traceparent',
  'Tracestate',
  'X-Request-Id',
].join(', ');

/** What scripts may read: the header fields of every operation, and of a 405. */
const EXPOSED_HEADERS = [...Object.keys(RESPONSE_HEADERS), 'Allow', 'Preference-Applied'].sort().join(', ');

/** How long browsers may remember the answer to a preflight, in seconds: as long as Chromium does at most. */
const MAX_AGE = '7200';

/**
 * Lets scripts of other origins use the API (https://fetch.spec.whatwg.org/#http-cors-protocol), where it is configured.
 * There are no cookies, so none are let in (`Access-Control-Allow-Credentials`): a script has to have a token anyway,
 * and what is decided here is only whether its browser shows it the answer. That is also why `*` can be allowed.
 *
 * A preflight is answered before anybody asks for a token, and counts as nothing. One of an origin that is not allowed
 * gets the answer to any OPTIONS, and the browser stops there.
 *
 * @param origins as browsers write them (`https://app.example`), or `*` alone
 */
export function cors(origins: readonly string[], routes: RouteTable) {
  const allowed = new Set(origins);
  const anyone = allowed.has('*');
  return (request: Request, response: Response, next: NextFunction): void => {
    const { origin } = request.headers;
    // Also where it is refused or missing: whoever keeps answers must not hand this one to another origin.
    if (!anyone) response.vary('Origin');
    if (origin !== undefined && (anyone || allowed.has(origin))) {
      response.setHeader('Access-Control-Allow-Origin', anyone ? '*' : origin);
      const isPreflight =
        request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
      if (isPreflight) allowRequest(response, routes.methodsAt(request.path));
      else response.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS);
    }
    next();
  };
}

/** @param methods none where there is nothing at the path: that is answered by what answers it otherwise */
function allowRequest(response: Response, methods: readonly string[]): void {
  if (methods.length === 0) return;
  response.setHeader('Access-Control-Allow-Methods', methods.join(', '));
  response.setHeader('Access-Control-Allow-Headers', REQUEST_HEADERS);
  response.setHeader('Access-Control-Max-Age', MAX_AGE);
}
