import { Client, type Dispatcher } from 'undici';
import { quantile } from './statistics.js';

/** One request of a load; the same object may be sent again and again. */
export interface LoadRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
}

export interface LoadOptions {
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly seconds: number;
  /** The next request; every connection asks as soon as its last answer has come in full. */
  readonly next: () => LoadRequest;
  readonly status: number;
}

export interface LoadResult {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly answers: number;
  readonly bytes: number;
}

/**
 * Sends requests over so many connections that are kept alive, one at a time on each, and measures each until its last
 * byte. Any answer but the expected one ends it: a server that is fast at refusing is not fast.
 */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const clients = Array.from(
    { length: options.connections },
    () => new Client(options.origin, { pipelining: 1 }),
  );
  const latencies: number[] = [];
  let bytes = 0;
  const began = performance.now();
  const until = began + options.seconds * 1000;
  try {
    await Promise.all(
      clients.map(async (client) => {
        for (let now = began; now < until;) {
          const sent = performance.now();
          bytes += await send(client, options, options.next());
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
      bytes,
    };
  } finally {
    await Promise.all(clients.map((client) => client.destroy()));
  }
}

/** Gives the number of bytes of the answer's body, which nobody looks at. */
function send(client: Client, { headers, status }: LoadOptions, request: LoadRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    let bytes = 0;
    let answered = 0;
    const text: Buffer[] = [];
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => undefined,
      onResponseStart: (_controller, code) => {
        answered = code;
      },
      onResponseData: (_controller, chunk) => {
        bytes += chunk.length;
        if (answered !== status) text.push(chunk);
      },
      onResponseEnd: () => {
        if (answered === status) resolve(bytes);
        else
          reject(
            new Error(`${request.method} ${request.path}: ${answered} ${Buffer.concat(text).toString()}`),
          );
      },
      onResponseError: (_controller, error) => reject(error),
    };
    client.dispatch({ ...dispatchOptions(request), headers: headersOf(headers, request) }, handler);
  });
}

function dispatchOptions({ method, path, body }: LoadRequest) {
  return { method, path, ...(body !== undefined && { body }) };
}

function headersOf(headers: Readonly<Record<string, string>>, { body }: LoadRequest): Record<string, string> {
  return body === undefined ? { ...headers } : { ...headers, 'content-type': 'application/json' };
}
