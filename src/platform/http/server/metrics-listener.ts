import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import { type AddressInfo } from 'node:net';

/** The metrics of this process (prom-client's Registry), or of several. */
interface MetricsSource {
  readonly contentType: string;
  metrics(): Promise<string>;
}

/** Serves `/metrics` for Prometheus on a separate port, so that it is not reachable on the port of the API. */
export class MetricsListener {
  private readonly server: Server;

  constructor(source: MetricsSource) {
    this.server = createServer((request, response) => {
      response.setHeader('X-Content-Type-Options', 'nosniff');
      if (request.method !== 'GET' || request.url !== '/metrics') {
        response
          .writeHead(404, { 'Content-Type': 'text/plain' })
          .end('Not found. This port serves only GET /metrics.\n');
        return;
      }
      source.metrics().then(
        (text) => response.writeHead(200, { 'Content-Type': source.contentType }).end(text),
        () =>
          response.writeHead(503, { 'Content-Type': 'text/plain' }).end('The metrics are not available.\n'),
      );
    });
  }

  async listen(host: string, port: number): Promise<void> {
    await once(this.server.listen(port, host), 'listening');
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }
}
