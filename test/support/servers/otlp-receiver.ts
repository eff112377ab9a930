import { type IncomingMessage, type Server, createServer } from 'node:http';
import { waitFor } from '../wait-until.js';
import { close, listen } from './local-server.js';
import { ProtobufMessage } from './protobuf-message.js';

type Values = Readonly<Record<string, unknown>>;

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first span of a trace. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: string | undefined;
  readonly startTimeUnixNano: bigint;
  readonly endTimeUnixNano: bigint;
  readonly attributes: Values;
  readonly resource: Values;
  readonly events: number;
  readonly status: { readonly code: number; readonly message?: string };
}

export interface ReceivedRequest {
  readonly path: string;
  readonly contentType: string | undefined;
  readonly body: Buffer;
}

const KINDS = [undefined, 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'];

/** A minimal OpenTelemetry collector: receives OTLP over HTTP and stores the requests. */
export class OtlpReceiver {
  readonly requests: ReceivedRequest[] = [];
  /** Status of its answers. Exporters do not retry after a 400. */
  status: 200 | 400 = 200;
  url = '';

  private constructor(private readonly server: Server) {}

  static async start(): Promise<OtlpReceiver> {
    // Only clients close connections. Otherwise a request on a connection that the server just closes is retried a second later.
    const server = createServer({ keepAliveTimeout: 0 });
    const receiver = new OtlpReceiver(server);
    server.on('request', (request: IncomingMessage, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        receiver.requests.push({
          path: request.url ?? '',
          contentType: request.headers['content-type'],
          body: Buffer.concat(chunks),
        });
        response.writeHead(receiver.status).end();
      });
    });
    receiver.url = await listen(server);
    // The OpenTelemetry SDK reads process.env, not the environment given to TestService.start().
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = receiver.url;
    return receiver;
  }

  /** All request bodies. Protobuf encodes strings as UTF-8, so a text search finds them. */
  get text(): string {
    return this.requests.map(({ body }) => body.toString()).join('\n');
  }

  get spans(): ReceivedSpan[] {
    return this.requests.filter(({ path }) => path === '/v1/traces').flatMap(({ body }) => spansIn(body));
  }

  async waitForSpan<T>(find: () => T | undefined | false, what: string): Promise<T> {
    return waitFor(find, () => `${what}; received spans: ${this.spans.map(({ name }) => name).join(', ')}`);
  }

  async stop(): Promise<void> {
    delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
    await close(this.server);
  }
}

/** Field numbers: trace/v1/trace.proto of https://github.com/open-telemetry/opentelemetry-proto. */
function spansIn(body: Buffer): ReceivedSpan[] {
  return new ProtobufMessage(body).messages(1).flatMap((resourceSpans) => {
    const resource = valuesOf(resourceSpans.messages(1).flatMap((message) => message.messages(1)));
    return resourceSpans
      .messages(2)
      .flatMap((scopeSpans) => scopeSpans.messages(2))
      .map((span) => ({ ...spanOf(span), resource }));
  });
}

function spanOf(span: ProtobufMessage): Omit<ReceivedSpan, 'resource'> {
  const [status] = span.messages(15);
  const message = status?.text(2);
  return {
    traceId: span.bytes(1).toString('hex'),
    spanId: span.bytes(2).toString('hex'),
    parentSpanId: span.bytes(4).toString('hex'),
    name: span.text(5),
    kind: KINDS[Number(span.number(6))],
    startTimeUnixNano: span.number(7),
    endTimeUnixNano: span.number(8),
    attributes: valuesOf(span.messages(9)),
    events: span.messages(11).length,
    status: { code: Number(status?.number(3) ?? 0), ...(message && { message }) },
  };
}

/** Attributes as an object. Field numbers: common/v1/common.proto. */
function valuesOf(attributes: readonly ProtobufMessage[]): Values {
  return Object.fromEntries(
    attributes.map((attribute) => {
      const [value] = attribute.messages(2);
      const read = value?.has(1)
        ? value.text(1)
        : value?.has(2)
          ? value.number(2) === 1n
          : value?.has(3)
            ? Number(value.number(3))
            : value?.double(4);
      return [attribute.text(1), read];
    }),
  );
}
