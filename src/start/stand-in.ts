import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import express from 'express';
import { newId } from '../common/identifier.js';
import { unavailable } from '../common/problem.js';
import { rejectMalformedRequests } from '../platform/http/server/malformed-requests.js';
import { writeProblem } from '../platform/http/pipeline/problem.filter.js';
import { SECURITY_HEADERS } from '../platform/http/response/security-headers.js';
import { type Log } from '../platform/logging/log.js';

const RETRY_AFTER_SECONDS = 2;
/** Time between attempts to listen. The port is in use until node:cluster has closed it after the last process. */
const ATTEMPT_MS = 20;

/** Answers requests to the port with 503 while no process of the service listens on it. */
export class StandIn {
  private server?: Server;
  private attempt?: NodeJS.Timeout;

  constructor(
    private readonly host: string,
    private readonly port: number,
    private readonly log: Log,
  ) {}

  open(): void {
    if (this.server) return;
    const app = express().disable('x-powered-by');
    app.use((_request, response) => {
      const requestId = newId();
      this.log.info({ requestId, operation: 'none', status: 503 }, 'request');
      for (const [name, value] of SECURITY_HEADERS) response.setHeader(name, value);
      response.setHeader('X-Request-Id', requestId);
      response.setHeader('Connection', 'close');
      writeProblem(response, unavailable(RETRY_AFTER_SECONDS), requestId);
    });
    const server = createServer(app);
    rejectMalformedRequests(server, this.log);
    const listen = (): unknown => server.listen(this.port, this.host);
    server.on('error', () => (this.attempt = setTimeout(listen, ATTEMPT_MS)));
    listen();
    this.server = server;
  }

  /** Resolves when the port is free. Can be called more than once. */
  async close(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    clearTimeout(this.attempt);
    if (!server?.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }
}
