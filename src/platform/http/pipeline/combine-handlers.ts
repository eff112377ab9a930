import { type NextFunction, type Request, type RequestHandler, type Response } from 'express';

/** Combines several handlers into one. Faster: after each handler, Express searches its list of layers again. */
export function combineHandlers(...handlers: readonly RequestHandler[]): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    const run = (index: number): void => {
      const handler = handlers[index];
      if (!handler) next();
      else
        void handler(request, response, (error?: unknown) => {
          if (error === undefined) run(index + 1);
          else next(error);
        });
    };
    run(0);
  };
}
