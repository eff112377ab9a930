import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type RequestHandler, type Response } from 'express';
import { entityTag, matchesIfNoneMatch } from '../../../common/entity-tag.js';
import { BytesInFlight } from '../body/bytes-in-flight.js';
import { parseQuery } from '../input/query-string.js';
import { type FilingRequest, ownerOf } from '../pipeline/request-state.js';
import { RouteFinder, type RouteMethod } from '../pipeline/route-finder.js';
import { createExpressServer } from '../server/express-server.js';
import { onClose } from '../server/on-close.js';
import { createdPath, nextPageUrl } from './next-page.js';

/** Characters of an answer from which on its bytes are made apart: of a smaller one, Node sends head and text at once. */
const LARGE = 64 * 1024;

/** Bytes of an answer that one request of the caller's rate limit pays for. */
const BYTES_PER_REQUEST = 256 * 1024;

/** Bytes of large answers, outside of V8's heap, that clients have not taken yet. */
const ANSWER_BYTES = 64 * 1024 * 1024;

/** What Nest registers a handler with: always a path first, though its types allow for none. */
type RouteArguments = [pathOrHandler: unknown, handler?: unknown];

/**
 * How answers are written, in one place: JSON made once, with the entity tag taken from that very text. Express's own
 * `json` would go through the body several times more (its tag, its charset, its freshness check).
 */
export class JsonAdapter extends ExpressAdapter {
  private routes: RouteFinder | undefined;
  private readonly publicPath: string;
  private readonly answers = new BytesInFlight(ANSWER_BYTES);

  /** @param idleTimeoutMs after which a client that takes nothing of a large answer is disconnected */
  constructor(
    trustedProxies: readonly string[],
    private readonly publicUrl: string,
    private readonly idleTimeoutMs: number,
  ) {
    const app = express();
    // Paths are case-sensitive and take no trailing slash; these must be set before the first route.
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
    if (!this.routes) {
      this.routes = new RouteFinder();
      this.use(this.routes.dispatch);
    }
    this.routes.add(method, path, handler as RequestHandler);
  }

  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (body instanceof StreamableFile) return super.reply(response, body, statusCode) as unknown;
    if (statusCode !== undefined) response.statusCode = statusCode;
    if (body === undefined || body === null) {
      return response.end();
    }
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const request = response.req as FilingRequest;
    const next = nextCursorOf(body);
    if (next !== null && (request.method === 'GET' || request.method === 'HEAD')) {
      response.setHeader('Link', `<${nextPageUrl(this.publicUrl, request.originalUrl, next)}>; rel="next"`);
    }
    const endpoint = request.state?.endpoint;
    if (endpoint?.success === 201 && response.statusCode === 201) {
      const id = (body as Record<string, unknown>)[endpoint.createdId ?? 'id'];
      response.setHeader('Location', createdPath(this.publicPath, request.originalUrl, String(id)));
    }
    const tagged = endpoint?.tagged;
    if (tagged && response.statusCode < 300) {
      const tag = typeof tagged === 'function' ? tagged(body) : entityTag(text);
      response.setHeader('ETag', tag);
      const known = request.headers['if-none-match'];
      if (
        known !== undefined &&
        (request.method === 'GET' || request.method === 'HEAD') &&
        matchesIfNoneMatch(known, tag)
      ) {
        response.statusCode = 304;
        return response.end();
      }
    }
    if (!response.hasHeader('Content-Type'))
      response.setHeader('Content-Type', 'application/json; charset=utf-8');
    const bytes = text.length < LARGE ? text : this.held(response, request, text);
    response.setHeader('Content-Length', Buffer.byteLength(bytes));
    return response.end(bytes);
  }

  /**
   * A large answer is held once, outside of V8's heap, while its client takes it, and counted as the caller's. What
   * has changed something is always answered.
   */
  private held(response: Response, request: FilingRequest, text: string): Buffer {
    const bytes = Buffer.from(text);
    const reservation = this.answers.reserve(ownerOf(request));
    if (request.method === 'GET' || request.state.endpoint?.readOnly) reservation.grow(bytes.length);
    else reservation.add(bytes.length);
    onClose(response, () => reservation.release());
    request.state.debit?.(Math.floor(bytes.length / BYTES_PER_REQUEST));
    response.setTimeout(this.idleTimeoutMs, () => response.destroy());
    return bytes;
  }
}

/** Of a page that is not the last one. */
function nextCursorOf(body: unknown): string | null {
  const { nextCursor } = body as { nextCursor?: unknown };
  return typeof nextCursor === 'string' ? nextCursor : null;
}
