import { once } from 'node:events';
import { type Server } from 'node:http';
import net from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { upload } from '../../factories/documents.js';
import { pseudoRandomBytes } from '../../support/content-fixtures.js';
import { waitUntil } from '../../support/wait-until.js';
import { TestService } from '../../support/service/service.js';
import { type Actor } from '../../support/actor.js';

/** The number of slow clients of each kind. */
const CLIENTS = 25;
const BYTE_INTERVAL_MS = 250;
const FAST_CLIENTS = 3;
const ROUNDS = 4;
/** More than fits into the socket buffers between server and client. */
const LARGE = pseudoRandomBytes(8 * 1024 * 1024);

/** Sends the beginning of a request at once, and then one byte of the rest every 250 ms. */
class SlowClient {
  received = '';
  private socket!: net.Socket;
  private byteTimer?: NodeJS.Timeout;
  private closed = false;

  constructor(private rest: string) {}

  async begin(url: string, head: string, reads = true): Promise<this> {
    const { port, hostname } = new URL(url);
    this.socket = net.connect(Number(port), hostname);
    await once(this.socket, 'connect');
    this.socket.on('error', () => undefined).on('close', () => (this.closed = true));
    if (reads) this.socket.setEncoding('latin1').on('data', (text: string) => (this.received += text));
    this.socket.write(head);
    this.byteTimer = setInterval(() => {
      // Keep the last byte, so that the request ends only with `finish`.
      if (this.rest.length < 2) return;
      this.socket.write(this.rest.slice(0, 1));
      this.rest = this.rest.slice(1);
    }, BYTE_INTERVAL_MS);
    return this;
  }

  get isInProgress(): boolean {
    return !this.closed && this.received === '';
  }

  /** Returns the status of the response. */
  async finish(): Promise<number> {
    clearInterval(this.byteTimer);
    this.socket.write(this.rest);
    await waitUntil(() => this.closed || this.received.includes('\r\n\r\n'));
    return Number(this.received.split(' ')[1]);
  }

  stop(): void {
    clearInterval(this.byteTimer);
    this.socket.destroy();
  }
}

describe('Clients that send or read slowly', () => {
  let service: TestService;
  let admin: Actor;
  const clients: SlowClient[] = [];
  let limits: Pick<Server, 'headersTimeout' | 'requestTimeout'>;
  beforeAll(async () => {
    service = await TestService.start({ DATABASE_POOL_SIZE: '2', UPLOAD_IDLE_TIMEOUT_MS: '600000' });
    const server = service.app.getHttpServer();
    limits = { headersTimeout: server.headersTimeout, requestTimeout: server.requestTimeout };
    // Disable the timeouts, so that the slow clients stay connected on a slow machine, too.
    Object.assign(server, { headersTimeout: 0, requestTimeout: 0 });
    admin = await (await service.tenant()).as('administrator');
  });
  afterAll(async () => {
    for (const client of clients) client.stop();
    await service.stop();
  });

  const head = (method: string, path: string, headers = '') =>
    `${method} /api/v1/t/${admin.tenant.slug}${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${admin.token}\r\n${headers}`;
  const slow = async (rest: string, beginning: string, reads = true) => {
    const client = new SlowClient(rest);
    clients.push(client);
    return client.begin(service.url, beginning, reads);
  };

  it('do not delay other clients, and get their responses in the end', async () => {
    const document = await upload(admin, { title: 'Large' }, { bytes: LARGE });
    expect(document.status).toBe(201);
    const { id } = document.body as { id: string };

    const kinds = {
      headers: () => slow(`X-Filler: ${'x'.repeat(5000)}\r\n\r\n`, head('GET', '/me')),
      json: (n: number) => {
        const body = JSON.stringify({ name: `Slow tag ${n}` }).padEnd(5000);
        const headers = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
        return slow(body, head('POST', '/tags', headers));
      },
      upload: (n: number) => {
        const body = [
          '--b\r\nContent-Disposition: form-data; name="document"\r\n\r\n',
          `${JSON.stringify({ title: `Slow upload ${n}` })}\r\n`,
          '--b\r\nContent-Disposition: form-data; name="content"; filename="a.txt"\r\n\r\n',
        ].join('');
        const rest = `${'x'.repeat(5000)}\r\n--b--\r\n`;
        const length = body.length + rest.length;
        const headers = `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n\r\n`;
        return slow(rest, head('POST', '/documents', headers) + body);
      },
      // Does not read the response.
      download: () => slow('', head('GET', `/documents/${id}/content`, '\r\n'), false),
    };
    const begun: Record<string, SlowClient[]> = {};
    for (const [kind, begin] of Object.entries(kinds)) {
      begun[kind] = await Promise.all(Array.from({ length: CLIENTS }, (_, n) => begin(n)));
    }

    let served = 0;
    // The slow uploads use the caller's share of uploads, so the fast ones come from a colleague.
    const colleague = await admin.tenant.as('administrator');
    const fast = async (client: number) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        await colleague.post('/tags', { name: `Tag ${client} ${round}` }).expect(201);
        await admin.get('/tags').expect(200);
        expect((await upload(colleague, { title: `${client} ${round}` }, { bytes: 'fast' })).status).toBe(
          201,
        );
        served += 1;
      }
    };
    await Promise.all(Array.from({ length: FAST_CLIENTS }, (_, client) => fast(client)));

    // The slow requests were in progress all the time.
    expect(clients.filter((client) => !client.isInProgress)).toEqual([]);
    expect(clients).toHaveLength(4 * CLIENTS);
    expect(served).toBe(FAST_CLIENTS * ROUNDS);
    for (const [kind, status] of Object.entries({ headers: 200, json: 201 })) {
      expect({ kind, status: await begun[kind]![0]!.finish() }).toEqual({ kind, status });
    }
    // Most of the uploads had to wait, because a caller has few uploads at a time.
    const uploaded = await Promise.all(begun['upload']!.map((client) => client.finish()));
    expect(uploaded).toEqual(Array<number>(CLIENTS).fill(201));
  });

  it('are limited by timeouts', () => {
    const { headersTimeout, requestTimeout } = limits;
    expect(headersTimeout).toBeGreaterThan(0);
    expect(headersTimeout).toBeLessThanOrEqual(60_000);
    expect(requestTimeout).toBeGreaterThan(0);
    expect(requestTimeout).toBeLessThanOrEqual(300_000);
  });
});
