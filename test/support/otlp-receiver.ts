import { once } from 'node:events';
import { type IncomingMessage, type Server, createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { awaited } from './patience.js';

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface WireSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly Attribute[];
  readonly events?: readonly unknown[];
  readonly status: { readonly code?: number; readonly message?: string };
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
}

type Values = Readonly<Record<string, unknown>>;

export interface ReceivedSpan extends Omit<WireSpan, 'attributes' | 'kind'> {
  readonly kind: string | undefined;
  readonly attributes: Values;
  readonly resource: Values;
}

export interface ReceivedPoint {
  readonly attributes: Values;
  readonly asDouble?: number;
  readonly count?: number | string;
  readonly sum?: number;
  readonly bucketCounts?: readonly (number | string)[];
  readonly explicitBounds?: readonly number[];
}

export interface ReceivedMetric {
  readonly name: string;
  readonly unit: string;
  readonly kind: 'sum' | 'gauge' | 'histogram';
  readonly isMonotonic: boolean | undefined;
  readonly points: readonly ReceivedPoint[];
  readonly resource: Values;
}

interface WireMetric {
  readonly name: string;
  readonly unit: string;
  readonly sum?: { readonly dataPoints: readonly WirePoint[]; readonly isMonotonic: boolean };
  readonly gauge?: { readonly dataPoints: readonly WirePoint[] };
  readonly histogram?: { readonly dataPoints: readonly WirePoint[] };
}

type WirePoint = Omit<ReceivedPoint, 'attributes'> & { readonly attributes: readonly Attribute[] };

interface Scope {
  readonly spans?: readonly WireSpan[];
  readonly metrics?: readonly WireMetric[];
}

interface Signal {
  readonly resource: { readonly attributes: readonly Attribute[] };
  readonly scopeSpans?: readonly Scope[];
  readonly scopeMetrics?: readonly Scope[];
}

export interface ReceivedRequest {
  readonly path: string;
  readonly contentType: string | undefined;
  readonly body: Buffer;
}

const KINDS = [undefined, 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'];

/** A collector of OpenTelemetry's as far as the tests need one: takes what is sent by OTLP over HTTP, and keeps it. */
export class OtlpReceiver {
  readonly requests: ReceivedRequest[] = [];
  /** What it answers; 400 is a refusal that is not tried again. */
  status: 200 | 400 = 200;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<OtlpReceiver> {
    const server = createServer();
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
        response.writeHead(receiver.status, { 'Content-Type': 'application/json' }).end('{}');
      });
    });
    // Who sends closes: what is sent in the moment in which a connection is closed here comes a second late.
    server.keepAliveTimeout = 0;
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** All that has come as JSON. */
  get text(): string {
    return this.requests.map(({ body }) => body.toString()).join('\n');
  }

  get spans(): ReceivedSpan[] {
    return this.signals('/v1/traces', 'resourceSpans').flatMap(({ resource, scopeSpans = [] }) =>
      scopeSpans
        .flatMap(({ spans = [] }) => spans)
        .map((span) => ({
          ...span,
          kind: KINDS[span.kind],
          attributes: valuesOf(span.attributes),
          resource: valuesOf(resource.attributes),
        })),
    );
  }

  /** As they were at the last sending. */
  get metrics(): Map<string, ReceivedMetric> {
    const found = new Map<string, ReceivedMetric>();
    for (const { resource, scopeMetrics = [] } of this.signals('/v1/metrics', 'resourceMetrics')) {
      for (const { name, unit, sum, gauge, histogram } of scopeMetrics.flatMap(
        ({ metrics = [] }) => metrics,
      )) {
        const { dataPoints = [] } = sum ?? gauge ?? histogram ?? {};
        found.set(name, {
          name,
          unit,
          kind: sum ? 'sum' : gauge ? 'gauge' : 'histogram',
          isMonotonic: sum?.isMonotonic,
          points: dataPoints.map((point) => ({ ...point, attributes: valuesOf(point.attributes) })),
          resource: valuesOf(resource.attributes),
        });
      }
    }
    return found;
  }

  /** What is looked for, once it has come. */
  async received<T>(find: () => T | undefined | false, what: string): Promise<T> {
    return awaited(find, () => `Of ${this.spans.map(({ name }) => name).join(', ')}: ${what}`);
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private signals(path: string, member: string): Signal[] {
    return this.requests
      .filter((request) => request.path === path && request.contentType === 'application/json')
      .flatMap(({ body }) => (JSON.parse(body.toString()) as Record<string, Signal[]>)[member] ?? []);
  }
}

/** OTLP says of each value what it is: `{ "stringValue": "x" }`. */
function valuesOf(attributes: readonly Attribute[]): Values {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
