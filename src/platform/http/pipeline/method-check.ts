import { type NextFunction, type Request, type Response } from 'express';
import { Problem } from '../../../common/problem.js';
import { type RouteTable } from './route-table.js';

/** The 405 of a path that exists, with the methods that it takes (RFC 9110, 15.5.6). */
export function methodNotAllowed(allowed: readonly string[]): Problem {
  return new Problem('route.method-not-allowed', { headers: { Allow: allowed.join(', ') } });
}

/**
 * Refuses a method that a path does not take where the router, which knows the paths of one method, would take a word
 * for an id: `GET /documents/search` is no document that cannot be found.
 */
export function methodCheck(routes: RouteTable) {
  return (request: Request, _response: Response, next: NextFunction): void => {
    const allowed = routes.isLiteralVariant(request.path) ? routes.methodsAt(request.path) : [];
    if (allowed.length === 0 || allowed.includes(request.method)) next();
    else next(methodNotAllowed(allowed));
  };
}
