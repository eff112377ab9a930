import { once } from 'node:events';
import { type IncomingMessage, get } from 'node:http';
import { type ServerProcess } from './server-process.js';

/** A caller of the service in one tenant. */
export class TenantClient {
  constructor(
    readonly slug: string,
    private readonly token: string,
  ) {}

  /** @returns the body of the answer, parsed; undefined for an empty one */
  async request<T>(
    service: ServerProcess,
    method: string,
    path: string,
    body?: object | FormData,
  ): Promise<T> {
    const isForm = body instanceof FormData;
    const response = await fetch(this.urlOf(service, path), {
      method,
      headers: { ...this.headers, ...(body && !isForm && { 'Content-Type': 'application/json' }) },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  /** Opens a stream of Server-Sent Events, whose text can be read as `data` events. */
  async stream(service: ServerProcess, kind: 'events' | 'notifications'): Promise<IncomingMessage> {
    const sent = get(this.urlOf(service, `/${kind}/stream`), { agent: false, headers: this.headers });
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    if (response.statusCode !== 200) throw new Error(`A stream was answered ${response.statusCode}`);
    response.on('error', () => undefined);
    return response.setEncoding('utf8').resume();
  }

  private get headers() {
    return { Authorization: `Bearer ${this.token}` };
  }

  private urlOf({ origin }: ServerProcess, path: string): string {
    return `${origin}/api/v1/t/${this.slug}${path}`;
  }
}
