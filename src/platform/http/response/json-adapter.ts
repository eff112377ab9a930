import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { entityTag, matchesIfNoneMatch } from '../../../common/entity-tag.js';
import { BytesInFlight } from '../body/bytes-in-flight.js';
import { parseQuery } from '../input/query-string.js';
import { type FilingRequest, ownerOf } from '../pipeline/request-state.js';
import { RouteFinder, type RouteMethod } from '../pipeline/route-finder.js';
import { createExpressServer } from '../server/express-server.js';
import { onClose } from '../server/on-close.js';
import { createdPath, nextPageUrl } from './next-page.js';

/** Length from which a body counts as large, in characters. Node sends the head and body of a smaller one together. */
const LARGE_BODY_LENGTH = 64 * 1024;

/** Maximum bytes of large responses that are still being sent. They are outside of V8's heap. */
const RESPONSE_BYTES = 64 * 1024 * 1024;

/**
 * Arguments with which Nest registers a handler. The path is always present, although Nest's types make it optional.
 */
type RouteArguments = [pathOrHandler: unknown, handler?: unknown];

/**
 * Writes all responses but streams: serializes the body once and hashes that text for the entity tag. Express's
 * `json` would process the body several more times (entity tag, charset, freshness check).
 */
export class JsonAdapter extends ExpressAdapter {
  readonly routes = new RouteFinder();
  private hasRoutes = false;
  private readonly publicPath: string;
  private readonly responses = new BytesInFlight(RESPONSE_BYTES);

  /** @param idleTimeoutMs the connection is closed when the client reads nothing of a large response for this long */
  constructor(
    trustedProxies: readonly string[],
    private readonly publicUrl: string,
    private readonly idleTimeoutMs: number,
  ) {
    const app = express();
    // Must be set before the first route.
    app.set('case sensitive routing', true);
    app.set('strict routing', true);
    app.set('etag', false);
    app.set('x-powered-by', false);
    app.set('query parser', parseQuery);
    app.set('trust proxy', trustedProxies.length > 0 ? [...trustedProxies] : false);
    super(app);
    this.publicPath = new URL(publicUrl).pathname.replace(/\/$/, '');
  }

  override initHttpServer(): void {
    this.httpServer = createExpressServer(this.getInstance());
  }

  override get(...route: RouteArguments): void {
    this.route('GET', route);
  }

  override post(...route: RouteArguments): void {
    this.route('POST', route);
  }

  override put(...route: RouteArguments): void {
    this.route('PUT', route);
  }

  override patch(...route: RouteArguments): void {
    this.route('PATCH', route);
  }

  override delete(...route: RouteArguments): void {
    this.route('DELETE', route);
  }

  private route(method: RouteMethod, [path, handler]: RouteArguments): void {
    if (typeof path !== 'string') throw new Error('A handler is registered without a path');
    // After the handlers of the application, which it adds before the routes.
    if (!this.hasRoutes) this.use(this.routes.dispatch);
    this.hasRoutes = true;
    this.routes.add(method, path, handler as RequestHandler);
  }

  /** Runs the handler of another path of this service for the request, with all guards. */
  forward(url: string, request: Request, response: Response, next: NextFunction): void {
    request.url = url;
    this.routes.dispatch(request, response, next);
  }

  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (body instanceof StreamableFile) return super.reply(response, body, statusCode) as unknown;
    if (statusCode !== undefined) response.statusCode = statusCode;
    if (body === undefined || body === null) {
      return response.end();
    }
    const text = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const request = response.req as FilingRequest;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const next = nextCursorOf(body);
    if (next !== null && isRead) {
      response.setHeader('Link', `<${nextPageUrl(this.publicUrl, request.originalUrl, next)}>; rel="next"`);
    }
    const endpoint = request.state?.endpoint;
    if (
      (endpoint?.success === 201 || endpoint?.success === 202) &&
      response.statusCode === endpoint.success
    ) {
      const id = (body as Record<string, unknown>)[endpoint.createdId ?? 'id'];
      const path = createdPath(this.publicPath, request.originalUrl, String(id), endpoint.createdIn);
      response.setHeader('Location', path);
    }
    const option = endpoint?.entityTag;
    if (option && response.statusCode < 300) {
      const tag = typeof option === 'function' ? option(body) : entityTag(text);
      response.setHeader('ETag', tag);
      const known = request.headers['if-none-match'];
      if (known !== undefined && isRead && matchesIfNoneMatch(known, tag)) {
        response.statusCode = 304;
        return response.end();
      }
    }
    const mediaType = endpoint?.produces ?? 'application/json';
    if (!response.hasHeader('Content-Type'))
      response.setHeader(
        'Content-Type',
        mediaType.startsWith('image/') ? mediaType : `${mediaType}; charset=utf-8`,
      );
    const bytes = text.length < LARGE_BODY_LENGTH ? text : this.countedBytes(response, request, text);
    response.setHeader('Content-Length', Buffer.byteLength(bytes));
    return response.end(bytes);
  }

  /**
   * Encodes a large body. Its bytes are outside of V8's heap, and count for the caller until the client has read
   * them. Only reads can be rejected because of the limit: a change that has been committed is always answered.
   */
  private countedBytes(response: Response, request: FilingRequest, text: string | Buffer): Buffer {
    const bytes = typeof text === 'string' ? Buffer.from(text) : text;
    const reservation = this.responses.reserve(ownerOf(request));
    if (request.method === 'GET' || request.state.endpoint?.readOnly) reservation.grow(bytes.length);
    else reservation.add(bytes.length);
    onClose(response, () => reservation.release());
    request.state.bytePrice?.cover(bytes.length);
    response.setTimeout(this.idleTimeoutMs, () => response.destroy());
    return bytes;
  }
}

/** The cursor of a page; null for the last page, for an empty page of events, and for other bodies. */
function nextCursorOf(body: unknown): string | null {
  const { nextCursor, items } = body as { nextCursor?: unknown; items?: unknown[] };
  return typeof nextCursor === 'string' && items?.length !== 0 ? nextCursor : null;
}
