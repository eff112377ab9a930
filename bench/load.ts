import { Client, type Dispatcher } from 'undici';
import { quantile } from './statistics.js';

/** One request of a load; the object may be sent repeatedly. */
export interface LoadRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
}

/** Sends a request outside a load. */
export function fetchOnce(
  origin: string,
  headers: Readonly<Record<string, string>>,
  { method, path, body }: LoadRequest,
): Promise<Response> {
  return fetch(origin + path, { method, headers: { ...headers, ...typeOf(body) }, body: body ?? null });
}

function typeOf(body: string | undefined): Record<string, string> {
  return body === undefined ? {} : { 'content-type': 'application/json' };
}

interface LoadOptions {
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly seconds: number;
  /** Returns the next request; called by each connection after a complete answer. */
  readonly next: () => LoadRequest;
  readonly status: number;
}

export interface LoadResult {
  readonly perSecond: number;
  /** Response times in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly answers: number;
}

/**
 * Sends requests over keep-alive connections, one at a time per connection, and measures each until the last byte. Any
 * other status than the expected one is an error, because fast error answers would distort the result.
 */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const clients = Array.from(
    { length: options.connections },
    () => new Client(options.origin, { pipelining: 1 }),
  );
  const latencies: number[] = [];
  const began = performance.now();
  const until = began + options.seconds * 1000;
  try {
    await Promise.all(
      clients.map(async (client) => {
        for (let now = began; now < until;) {
          const sent = performance.now();
          await send(client, options, options.next());
          now = performance.now();
          latencies.push(now - sent);
        }
      }),
    );
    const seconds = (performance.now() - began) / 1000;
    return {
      perSecond: latencies.length / seconds,
      p50: quantile(latencies, 0.5),
      p99: quantile(latencies, 0.99),
      answers: latencies.length,
    };
  } finally {
    await Promise.all(clients.map((client) => client.destroy()));
  }
}

function send(
  client: Client,
  { headers, status }: LoadOptions,
  { method, path, body }: LoadRequest,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let answered = 0;
    const text: Buffer[] = [];
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => undefined,
      onResponseStart: (_controller, code) => {
        answered = code;
      },
      onResponseData: (_controller, chunk) => {
        if (answered !== status) text.push(chunk);
      },
      onResponseEnd: () => {
        if (answered === status) resolve();
        else reject(new Error(`${method} ${path}: ${answered} ${Buffer.concat(text).toString()}`));
      },
      onResponseError: (_controller, error) => reject(error),
    };
    client.dispatch({ method, path, body: body ?? null, headers: { ...headers, ...typeOf(body) } }, handler);
  });
}
