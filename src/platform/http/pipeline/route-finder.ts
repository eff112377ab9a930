import { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import findMyWay from 'find-my-way';
import { Problem } from '../../../common/problem.js';
import { type FilingRequest } from './request-state.js';

const METHODS = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'] as const;
export type RouteMethod = (typeof METHODS)[number];

/** Longer than any path that Node accepts, so the router never rejects an id. Handlers validate ids. */
const MAX_PARAMETER_LENGTH = 65_536;

interface Route {
  /** With `:name` parameters. */
  readonly path: string;
  readonly segments: readonly string[];
  readonly handler: RequestHandler;
  /** Values of a parameter that are literals in the path of another route: `search` for `/documents/:documentId`. */
  readonly literals: { readonly parameter: string; readonly value: string }[];
}

/**
 * Finds the handler of a request in a radix tree. Express would try the patterns of about ninety routes one by one
 * (docs/adr/0029). Paths are case-sensitive, without trailing slash. HEAD uses the GET route.
 *
 * OPTIONS is answered with the methods that the path supports (RFC 9110, 9.3.7); another method that it does not support
 * is a 405. For an unknown path the next handler runs, which answers 404.
 */
export class RouteFinder {
  private readonly tree = findMyWay({ maxParamLength: MAX_PARAMETER_LENGTH });
  private readonly routes: Route[] = [];

  add(method: RouteMethod, path: string, handler: RequestHandler): void {
    const route: Route = { path, segments: path.split('/'), handler, literals: [] };
    for (const other of this.routes) {
      addLiteral(route, other);
      addLiteral(other, route);
    }
    this.routes.push(route);
    // The route is kept as `store`; find-my-way's own dispatch is not used.
    this.tree.on(method, path, () => undefined, route);
  }

  readonly dispatch = (request: Request, response: Response, next: NextFunction): void => {
    const { method, url } = request;
    const found = this.find(method, url);
    // The tree of each method is separate, so `GET /documents/search` would be a document with the id "search".
    if (found && !isLiteral(found.route, found.params)) {
      const { route, params } = found;
      request.params = params;
      (request as FilingRequest).state.route = route.path;
      // As Express does: pass on a rejected promise. Otherwise an unhandled rejection would end the process.
      Promise.resolve(route.handler(request, response, next)).catch(next);
      return;
    }
    const allowed = this.methodsAt(url).join(', ');
    if (allowed === '') next();
    else if (method === 'OPTIONS') response.writeHead(204, { Allow: allowed }).end();
    else next(new Problem('route.method-not-allowed', { headers: { Allow: allowed } }));
  };

  /**
   * The methods that a path supports, sorted; empty for an unknown path or one that cannot be decoded. For
   * `/documents/search`, only the methods of the literal route count, not those of `/documents/:documentId`.
   */
  methodsAt(url: string): string[] {
    const found = METHODS.flatMap((method) => {
      const params = this.find(method, url)?.params;
      return params ? [{ method, parameters: Object.keys(params).length }] : [];
    });
    const fewest = Math.min(...found.map(({ parameters }) => parameters));
    const methods: string[] = found.flatMap(({ method, parameters }) =>
      parameters === fewest ? method : [],
    );
    if (methods.includes('GET')) methods.push('HEAD');
    if (methods.length > 0) methods.push('OPTIONS');
    return methods.sort();
  }

  private find(method: string, url: string) {
    const found = this.tree.find(method === 'HEAD' ? 'GET' : (method as RouteMethod), url);
    // find-my-way matches `/files/` as a file with an empty id.
    if (!found || Object.values(found.params).includes('')) return null;
    return { route: found.store as Route, params: found.params as Record<string, string> };
  }
}

function isLiteral({ literals }: Route, params: Readonly<Record<string, string>>): boolean {
  for (const { parameter, value } of literals) if (params[parameter] === value) return true;
  return false;
}

/** Adds the literal of `other` where the path of the route has a parameter, if nothing else distinguishes them. */
function addLiteral(route: Route, other: Route): void {
  const { segments } = route;
  if (segments.length !== other.segments.length) return;
  const isParameter = (segment = '') => segment.startsWith(':');
  const [place, ...more] = [...segments.keys()].filter((i) => {
    const segment = other.segments[i];
    return segments[i] !== segment && !(isParameter(segments[i]) && isParameter(segment));
  });
  if (place === undefined || more.length > 0) return;
  const [parameter = '', value = ''] = [segments[place], other.segments[place]];
  if (isParameter(parameter) && !isParameter(value))
    route.literals.push({ parameter: parameter.slice(1), value });
}
