import { once } from 'node:events';
import http from 'node:http';
import { jest } from '@jest/globals';
import { EventSource } from 'eventsource';
import { NOTIFICATIONS } from '../../src/common/messages/notifications.js';
import { AUDIT_ACTIONS } from '../../src/common/vocabulary/audit.js';
import { OpenStreams } from '../../src/platform/http/streams/open-streams.js';
import { type Actor } from './actor.js';
import { type TestService } from './service/service.js';
import { waitUntil } from './wait-until.js';

/** An event of the published client. */
interface Received {
  readonly type: string;
  readonly id: string;
  readonly data: Record<string, unknown>;
}

const TYPES = new Set([...Object.keys(AUDIT_ACTIONS), ...Object.keys(NOTIFICATIONS)]);

export function streamUrl({ tenant }: Actor, path: string): string {
  return `${tenant.service.url}/api/v1/t/${tenant.slug}${path}`;
}

/** Replaces the time after which the service tells clients to connect again, which is at the beginning. */
function withoutDelay(): TransformStream<Uint8Array, Uint8Array> {
  let isFirst = true;
  return new TransformStream({
    transform(chunk, controller) {
      const first = () =>
        Buffer.from(
          Buffer.from(chunk)
            .toString()
            .replace(/^retry: \d+/, 'retry: 10'),
        );
      controller.enqueue(isFirst ? first() : chunk);
      isFirst = false;
    },
  });
}

/**
 * Lets the streams of the service do what they do every second: they check rights and tokens, read what is new, and
 * every fifteenth time send a comment.
 *
 * @param at what the clock shows, in epoch milliseconds
 */
export function tickStreams({ app }: TestService, at = Date.now()): void {
  const now = jest.spyOn(Date, 'now').mockReturnValue(at);
  app.get(OpenStreams)['tick']();
  now.mockRestore();
}

/** Lets the seconds of the streams pass fast until the promise is resolved. */
export async function whileTicking<T>(service: TestService, waiting: Promise<T>): Promise<T> {
  const timer = setInterval(() => tickStreams(service), 20);
  try {
    return await waiting;
  } finally {
    clearInterval(timer);
  }
}

/** A stream as applications read it: with the package `eventsource`, which connects again by itself. */
export class StreamClient {
  readonly events: Received[] = [];
  /** Last-Event-ID of each request; null without one. */
  readonly requests: (string | null)[] = [];
  private readonly source: EventSource;

  /** @param url is read again for each connection */
  private constructor(actor: Actor, url: () => string) {
    this.source = new EventSource(url(), {
      fetch: async (_, init) => {
        this.requests.push(init.headers['Last-Event-ID'] ?? null);
        const response = await fetch(url(), {
          ...init,
          headers: { ...init.headers, Authorization: `Bearer ${actor.token}` },
        });
        const { status, headers, redirected } = response;
        const body = response.body?.pipeThrough(withoutDelay()) ?? null;
        return { url: response.url, status, headers, redirected, body };
      },
    });
    for (const type of TYPES) {
      this.source.addEventListener(type, ({ lastEventId: id, data }) =>
        this.events.push({ type, id, data: JSON.parse(data as string) as Record<string, unknown> }),
      );
    }
  }

  /** Resolves when the stream is open. */
  static async open(actor: Actor, path: string, url = () => streamUrl(actor, path)): Promise<StreamClient> {
    const client = new StreamClient(actor, url);
    await waitUntil(() => client.source.readyState === EventSource.OPEN, 'the stream to open');
    return client;
  }

  async waitForEvents(count: number): Promise<Received[]> {
    await waitUntil(
      () => this.events.length >= count,
      () => `${count} events, not ${this.events.length}`,
    );
    return this.events;
  }

  get types(): string[] {
    return this.events.map(({ type }) => type);
  }

  close(): void {
    this.source.close();
  }
}

/** A stream with its bytes, on a connection of its own. */
export class RawStream {
  text = '';
  hasEnded = false;
  /** Whether the response is complete; otherwise the connection was cut. */
  isComplete = false;

  private constructor(
    private readonly request: http.ClientRequest,
    readonly response: http.IncomingMessage,
    read: boolean,
  ) {
    response.on('error', () => undefined);
    response.once('close', () => {
      this.hasEnded = true;
      this.isComplete = response.complete;
    });
    if (read) response.setEncoding('utf8').on('data', (chunk: string) => (this.text += chunk));
  }

  /** @param read false for a client that reads nothing after the headers */
  static async open(
    actor: Actor,
    path: string,
    { headers = {}, read = true }: { headers?: Record<string, string>; read?: boolean } = {},
  ): Promise<RawStream> {
    const request = http.get(streamUrl(actor, path), {
      agent: false,
      headers: { Authorization: `Bearer ${actor.token}`, Accept: 'text/event-stream', ...headers },
    });
    request.on('error', () => undefined);
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    return new RawStream(request, response, read);
  }

  get status(): number {
    return this.response.statusCode ?? 0;
  }

  async waitForText(pattern: RegExp): Promise<void> {
    await waitUntil(
      () => pattern.test(this.text),
      () => `${String(pattern)} in:\n${this.text}`,
    );
  }

  async waitForEnd(): Promise<void> {
    await waitUntil(() => this.hasEnded, 'the end of the stream');
  }

  close(): void {
    this.request.destroy();
  }
}
