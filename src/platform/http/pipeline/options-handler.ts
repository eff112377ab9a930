import { type NextFunction, type Request, type Response } from 'express';
import { type RouteTable } from './route-table.js';

/** Answers OPTIONS with the methods that the path supports (RFC 9110, 9.3.7). An unknown path ends in the usual 404. */
export function optionsHandler(routes: RouteTable) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const allowed = request.method === 'OPTIONS' ? routes.methodsAt(request.path) : [];
    if (allowed.length === 0) {
      next();
      return;
    }
    response.setHeader('Allow', allowed.join(', '));
    response.statusCode = 204;
    response.end();
  };
}
