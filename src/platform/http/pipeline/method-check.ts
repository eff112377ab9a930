import { type NextFunction, type Request, type Response } from 'express';
import { Problem } from '../../../common/problem.js';
import { type RouteTable } from './route-table.js';

/** A 405 with the methods that the path supports (RFC 9110, 15.5.6). */
export function methodNotAllowed(allowed: readonly string[]): Problem {
  return new Problem('route.method-not-allowed', { headers: { Allow: allowed.join(', ') } });
}

/**
 * Answers OPTIONS with the methods that the path supports (RFC 9110, 9.3.7), and 405 on paths such as
 * `/documents/search` for a method that they do not support. The router matches each method separately, so it would
 * treat `GET /documents/search` as a document with the id "search" and answer 404. An unknown path ends in the usual 404.
 */
export function methodCheck(routes: RouteTable) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const isOptions = request.method === 'OPTIONS';
    const isChecked = isOptions || routes.isLiteralVariant(request.path);
    const allowed = isChecked ? routes.methodsAt(request.path) : [];
    if (isOptions && allowed.length > 0) {
      response.setHeader('Allow', allowed.join(', '));
      response.statusCode = 204;
      response.end();
    } else if (allowed.length === 0 || allowed.includes(request.method)) next();
    else next(methodNotAllowed(allowed));
  };
}
