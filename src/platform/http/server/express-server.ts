import { IncomingMessage, type Server, ServerResponse, createServer } from 'node:http';
import { type Express } from 'express';

/**
 * How long an idle connection stays open. A request that is sent while the server closes its connection gets no
 * response, so the client should close first; proxies typically close after a minute. Node's default of five seconds
 * is also less than a process can be delayed on a busy machine.
 */
const KEEP_ALIVE_MS = 75_000;

/**
 * Creates a server whose request and response objects already have Express's prototypes. Otherwise Express sets the
 * prototype of each object, and V8 creates a new hidden class each time. The objects of a request then survive the
 * young generation of the garbage collector, and pauses become longer (docs/adr/0029). Setting the prototype that an
 * object already has costs nothing.
 *
 * `requireHostHeader` is off because Node would reject a missing Host without a problem document; see requireHost.
 */
export function createExpressServer(app: Express): Server {
  return createServer(
    {
      requireHostHeader: false,
      keepAliveTimeout: KEEP_ALIVE_MS,
      IncomingMessage: withPrototype(IncomingMessage, app.request),
      ServerResponse: withPrototype<typeof ServerResponse<IncomingMessage>>(ServerResponse, app.response),
    },
    app,
  );
}

type Constructor = new (...values: never[]) => object;

/**
 * Returns a constructor like `base` whose instances have exactly this prototype. A subclass would have its own
 * prototype, and Reflect.construct would again create a new hidden class each time. Node's constructors are plain
 * functions, so `apply` works.
 */
function withPrototype<C extends Constructor>(base: C, prototype: object): C {
  const initialise = base as unknown as (this: object, ...values: never[]) => void;
  function Made(this: object, ...values: never[]): void {
    initialise.apply(this, values);
  }
  Made.prototype = prototype;
  return Made as unknown as C;
}
