import {
  IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  ServerResponse,
  createServer,
} from 'node:http';
import { type Express, type Request, type Response } from 'express';
import { limitUnreadBody } from '../body/discard-rest.js';

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
 * Subclasses, because V8 reserves the properties of an object for what the constructors of all its classes assign. An
 * object with too few of them becomes a hash table.
 *
 * `requireHostHeader` is off because Node would reject a missing Host without a problem document; see protocolProblem.
 */
export function createExpressServer(app: Express): Server {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse extends ServerResponse<IncomingMessage> {
    override writeHead(status: number, reason?: unknown, headers?: OutgoingHttpHeaders): this {
      limitUnreadBody(this.req, this, status);
      // Node accepts headers in place of the reason, too.
      return super.writeHead(status, reason as string, headers);
    }
  }
  app.request = Object.setPrototypeOf(ExpressRequest.prototype, app.request) as Request;
  app.response = Object.setPrototypeOf(ExpressResponse.prototype, app.response) as Response;
  return createServer(
    {
      requireHostHeader: false,
      keepAliveTimeout: KEEP_ALIVE_MS,
      IncomingMessage: ExpressRequest,
      ServerResponse: ExpressResponse,
    },
    app,
  );
}
