import { IncomingMessage, type Server, ServerResponse, createServer } from 'node:http';
import { type Express } from 'express';

/**
 * How long a connection may idle. Who asks over one in the moment in which it is closed here gets no answer; so whoever
 * asks should be the first to close, and proxies keep theirs for a minute. Node's five seconds are less than a process
 * may stand still on a busy machine.
 */
const KEEP_ALIVE_MS = 75_000;

/**
 * A server that makes its requests and responses with Express's prototypes. Express would set them on each, which V8
 * takes for a new kind of object each time: everything that belongs to a request then outlives the collection of young
 * objects and waits for that of old ones, the pauses of which are long (docs/adr/0029). Setting the prototype that an
 * object has already is nothing.
 *
 * A request without Host is not left to Node, whose answer would be no problem document (see requireHost).
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
 * A constructor of what `base` makes, with the very object as its prototype; a subclass would bring one of its own, and
 * what Reflect.construct makes is a new kind of object each time, again. Node's own are plain functions.
 */
function withPrototype<C extends Constructor>(base: C, prototype: object): C {
  const initialise = base as unknown as (this: object, ...values: never[]) => void;
  function Made(this: object, ...values: never[]): void {
    initialise.apply(this, values);
  }
  Made.prototype = prototype;
  return Made as unknown as C;
}
