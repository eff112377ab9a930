import { once } from 'node:events';
import { type Server } from 'node:http';
import net from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { upload } from '../../factories/documents.js';
import { pseudoRandomBytes } from '../../support/content-fixtures.js';
import { waitUntil } from '../../support/wait-until.js';
import { TestService } from '../../support/service/service.js';
import { type Actor } from '../../support/actor.js';

/** Of each kind. */
const CLIENTS = 25;
const DRIP_MS = 250;
const QUICK_CLIENTS = 3;
const ROUNDS = 4;
/** More than fits in the buffers between server and client. */
const LARGE = pseudoRandomBytes(8 * 1024 * 1024);

/** Sends the beginning at once, and then a byte of the rest now and then. */
class SlowClient {
  received = '';
  private socket!: net.Socket;
  private dripping?: NodeJS.Timeout;
  private closed = false;

  constructor(private rest: string) {}

  async begin(url: string, head: string, reads = true): Promise<this> {
    const { port, hostname } = new URL(url);
    this.socket = net.connect(Number(port), hostname);
    await once(this.socket, 'connect');
    this.socket.on('error', () => undefined).on('close', () => (this.closed = true));
    if (reads) this.socket.setEncoding('latin1').on('data', (text: string) => (this.received += text));
    this.socket.write(head);
    this.dripping = setInterval(() => {
      // One byte stays: the request does not end before it is told to.
      if (this.rest.length < 2) return;
      this.socket.write(this.rest.slice(0, 1));
      this.rest = this.rest.slice(1);
    }, DRIP_MS);
    return this;
  }

  get isUnderWay(): boolean {
    return !this.closed && this.received === '';
  }

  /** Sends the rest; the status of the answer. */
  async finish(): Promise<number> {
    clearInterval(this.dripping);
    this.socket.write(this.rest);
    await waitUntil(() => this.closed || this.received.includes('\r\n\r\n'));
    return Number(this.received.split(' ')[1]);
  }

  stop(): void {
    clearInterval(this.dripping);
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
    // However slow the machine is: the clients stay for as long as they are needed.
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

  it('keep nobody else waiting, neither for the database nor for an answer, and are served in the end', async () => {
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
      // Takes nothing of the answer.
      download: () => slow('', head('GET', `/documents/${id}/content`, '\r\n'), false),
    };
    const begun: Record<string, SlowClient[]> = {};
    for (const [kind, begin] of Object.entries(kinds)) {
      begun[kind] = await Promise.all(Array.from({ length: CLIENTS }, (_, n) => begin(n)));
    }

    let served = 0;
    // The places for uploads of the slow caller are taken by the slow uploads.
    const colleague = await admin.tenant.as('administrator');
    const quick = async (client: number) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        await colleague.post('/tags', { name: `Tag ${client} ${round}` }).expect(201);
        await admin.get('/tags').expect(200);
        expect((await upload(colleague, { title: `${client} ${round}` }, { bytes: 'quick' })).status).toBe(
          201,
        );
        served += 1;
      }
    };
    await Promise.all(Array.from({ length: QUICK_CLIENTS }, (_, client) => quick(client)));

    // All of that while every one of the slow was being served.
    expect(clients.filter((client) => !client.isUnderWay)).toEqual([]);
    expect(clients).toHaveLength(4 * CLIENTS);
    expect(served).toBe(QUICK_CLIENTS * ROUNDS);
    for (const [kind, status] of Object.entries({ headers: 200, json: 201 })) {
      expect({ kind, status: await begun[kind]![0]!.finish() }).toEqual({ kind, status });
    }
    // Most of them have waited for a place.
    const uploaded = await Promise.all(begun['upload']!.map((client) => client.finish()));
    expect(uploaded).toEqual(Array<number>(CLIENTS).fill(201));
  });

  it('are not waited for without end', () => {
    const { headersTimeout, requestTimeout } = limits;
    expect(headersTimeout).toBeGreaterThan(0);
    expect(headersTimeout).toBeLessThanOrEqual(60_000);
    expect(requestTimeout).toBeGreaterThan(0);
    expect(requestTimeout).toBeLessThanOrEqual(300_000);
  });
});
