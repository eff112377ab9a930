import { type NextFunction, type Request, type Response } from 'express';
import { type RouteTable } from './route-table.js';

/** Answers OPTIONS with the methods that the path takes (RFC 9110, 9.3.7); where there is no path, goes on to the 404. */
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
