import { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import findMyWay from 'find-my-way';

export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Longer than any path that Node accepts, so the router never rejects an id. Handlers validate ids. */
const MAX_PARAMETER_LENGTH = 65_536;

/**
 * Finds the handler of a request in a radix tree. Express would try the patterns of about ninety routes one by one
 * (docs/adr/0029). Paths are case-sensitive, without trailing slash. HEAD uses the GET route. Without a match, the
 * next handler runs, which answers 404 or 405.
 */
export class RouteFinder {
  private readonly routes = findMyWay({ maxParamLength: MAX_PARAMETER_LENGTH });

  add(method: RouteMethod, path: string, handler: RequestHandler): void {
    const methods = method === 'GET' ? (['GET', 'HEAD'] as const) : method;
    // The handler is kept as the route's `store`; find-my-way's own dispatch is not used.
    this.routes.on([methods].flat(), path, () => undefined, handler);
  }

  readonly dispatch = (request: Request, response: Response, next: NextFunction): void => {
    const found = this.routes.find(request.method as RouteMethod, request.url);
    // find-my-way matches `/files/` as a file with an empty id.
    if (!found || Object.values(found.params).includes('')) {
      next();
      return;
    }
    request.params = found.params as Record<string, string>;
    // As Express does: pass on a rejected promise. Otherwise an unhandled rejection would end the process.
    Promise.resolve((found.store as RequestHandler)(request, response, next)).catch(next);
  };
}
