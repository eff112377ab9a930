import { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import findMyWay from 'find-my-way';

export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Longer than any path that Node lets through: what an id may be is for its reader to say. */
const MAX_PARAMETER_LENGTH = 65_536;

/**
 * Finds the handler of a request in one walk down a tree. Express would try the pattern of each route in turn, of which
 * there are some ninety (docs/adr/0029). Paths stay case-sensitive and take no trailing slash; HEAD is answered as GET
 * is. What it does not find goes on, to the 404 or 405.
 */
export class RouteFinder {
  private readonly routes = findMyWay({ maxParamLength: MAX_PARAMETER_LENGTH });

  add(method: RouteMethod, path: string, handler: RequestHandler): void {
    const methods = method === 'GET' ? (['GET', 'HEAD'] as const) : method;
    // The tree keeps the handler; its own way of calling it is not used.
    this.routes.on([methods].flat(), path, () => undefined, handler);
  }

  readonly dispatch = (request: Request, response: Response, next: NextFunction): void => {
    const found = this.routes.find(request.method as RouteMethod, request.url);
    // The tree takes what is not there, in `/files/`, for an id without a letter.
    if (!found || Object.values(found.params).includes('')) {
      next();
      return;
    }
    request.params = found.params as Record<string, string>;
    // As Express does with what fails later: nobody else would hear of it, and the process would end.
    Promise.resolve((found.store as RequestHandler)(request, response, next)).catch(next);
  };
}
