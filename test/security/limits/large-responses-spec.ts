import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { buildField, saveDocumentType } from '../../factories/document-types.js';
import { saveContentText } from '../../factories/document-texts.js';
import { saveDocument, saveTag, saveVersion, upload } from '../../factories/documents.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { remainingAfter, waitForPrice } from '../../support/price.js';
import { waitUntil } from '../../support/wait-until.js';
import { TestService } from '../../support/service/service.js';
import { service as sharedService } from '../../support/service/shared-service.js';

const CLIENTS = 10;
/** Requests of each client on its connection. The socket buffers of the operating system hold only the first responses. */
const REQUESTS = 8;

/** The administrator of a new tenant with two documents, with 1.9 MB and 1 MB of values. */
async function withLargeDocuments(service: TestService): Promise<Actor> {
  const tenant = await service.tenant();
  const admin = await tenant.as('administrator');
  const type = await saveDocumentType(tenant, { fields: [buildField('text')] });
  for (const length of [1_900_000, 1_000_000]) {
    const { id } = await saveDocument(tenant, admin);
    await service.query(
      `UPDATE documents SET document_type_id = $3, fields = jsonb_build_object('text', repeat('x', $4))
        WHERE tenant_id = $1 AND id = $2`,
      [tenant.id, id, type.id, length],
    );
  }
  return admin;
}

describe('The rate limit for large responses', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start({ RATE_LIMIT_PER_MINUTE: '1', RATE_LIMIT_BURST: '1000' });
  });
  afterAll(() => service.stop());

  /** What the request cost, and its response. For a content, see {@link waitForPrice}. */
  async function priceOf(actor: Actor, send: () => PromiseLike<Response>): Promise<[number, Response]> {
    const before = remainingAfter(await actor.get('/me'));
    const response = await send();
    return [before - remainingAfter(await actor.get('/me')) - 1, response];
  }

  /** A document with a text of 4 pages and 800 kB. */
  async function withLargeText(): Promise<[actor: Actor, path: string]> {
    const tenant = await service.tenant();
    const admin = await tenant.as('administrator');
    const { id } = await saveDocument(tenant, admin);
    await saveVersion(tenant, admin, id, { bytes: 'bytes' });
    await saveContentText(tenant, id, Array(4).fill('Der Text.\n'.repeat(20_000).trim()).join('\f'));
    return [admin, `/documents/${id}/text`];
  }

  it('counts one more request for each 256 KiB', async () => {
    const admin = await withLargeDocuments(service);
    const [price, list] = await priceOf(admin, () => admin.get('/documents'));
    expect(list.status).toBe(200);
    expect(price).toBe(1 + Math.floor(list.text.length / (256 * 1024)));
    await admin.tenant.limitRequests(1, 12);
    // This response still has the former limit.
    await admin.get('/me');
    expect((await admin.get('/documents')).status).toBe(200);
    expectProblem(await admin.get('/me'), 'request.rate-limited');
  });

  it('charges in advance what the dearest such request of the caller has cost, and gives back the rest', async () => {
    const admin = await withLargeDocuments(service);
    const [price] = await priceOf(admin, () => admin.get('/documents'));
    expect(price).toBeGreaterThan(4);
    expect((await priceOf(admin, () => admin.get('/documents?q=missing')))[0]).toBe(1);
    await admin.tenant.limitRequests(1, 3 * price);
    // This response still has the former limit.
    await admin.get('/me');
    const answers = await Promise.all(Array.from({ length: 8 }, () => admin.get('/documents')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429, 429, 429, 429]);
  });

  it('counts the text of a document like a JSON response', async () => {
    const [admin, path] = await withLargeText();
    const [price, { text }] = await priceOf(admin, () => admin.get(path));
    expect([price, text.length]).toEqual([4, 799_999]);
  });

  it('counts what is read for HEAD, 304 and a page of a text, also one that does not exist', async () => {
    const [admin, path] = await withLargeText();
    const { etag = '' } = (await admin.send('head', path)).headers as { etag?: string };
    const requests = [
      () => admin.send('head', path),
      () => admin.get(path).set('If-None-Match', etag),
      () => admin.get(`${path}?page=2`),
      () => admin.get(`${path}?page=5`),
    ];
    const found: [number, number][] = [];
    for (const send of requests) {
      const [price, { status }] = await priceOf(admin, send);
      found.push([status, price]);
    }
    expect(found).toEqual([
      [200, 4],
      [304, 4],
      [200, 4],
      [404, 4],
    ]);
  });

  it('counts what is read for a change that is refused or changes nothing', async () => {
    const admin = await withLargeDocuments(service);
    const list = (await admin.get('/documents')).body as { items: { id: string }[] };
    const path = `/documents/${list.items.at(-1)?.id}`;
    const tag = await saveTag(admin.tenant);
    const [conflict, { status }] = await priceOf(admin, () => admin.post(`${path}/unarchive`));
    expect([status, conflict]).toEqual([409, 8]);
    const [stale, answer] = await priceOf(admin, () => admin.delete(path).set('If-Match', '"other"'));
    expect(answer.status).toBe(412);
    expect(stale).toBeGreaterThanOrEqual(8);
    await admin.put(`${path}/tags/${tag.id}`).expect(204);
    expect((await priceOf(admin, () => admin.put(`${path}/tags/${tag.id}`)))[0]).toBe(8);
  });

  it('counts one more request for each 4 MiB of content, also if an upload is refused', async () => {
    const tenant = await service.tenant();
    const admin = await tenant.as('administrator');
    const bytes = Buffer.alloc(9 * 1024 * 1024);
    const created = await upload(admin, { title: 'Large' }, { bytes, fileName: 'large.bin' });
    const { id } = created.body as { id: string };
    await waitForPrice(admin, () => admin.get(`/documents/${id}/content`).expect(200), 3);
    const [head] = await priceOf(admin, () => admin.send('head', `/documents/${id}/content`).expect(200));
    expect(head).toBe(1);
    const refused = () =>
      admin
        .send('put', `/documents/${tenant.id}/content`)
        .set('Content-Type', 'application/octet-stream')
        .send(bytes)
        .expect(404);
    await waitForPrice(admin, refused, 3);
  });
});

describe('Responses that clients do not read', () => {
  const sockets: Socket[] = [];

  async function sendRequests({ tenant, token }: Actor): Promise<void> {
    const { port, hostname } = new URL(sharedService.url);
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    sockets.push(socket);
    const request = `GET /api/v1/t/${tenant.slug}/documents HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    socket.write(request.repeat(REQUESTS));
    await once(socket, 'readable');
  }

  it('lead to 503 with Retry-After beyond the share of a caller, but not for another tenant', async () => {
    const [attacker, other] = [
      await withLargeDocuments(sharedService),
      await withLargeDocuments(sharedService),
    ];
    for (let n = 0; n < CLIENTS; n += 1) await sendRequests(attacker);
    let refused: Response | undefined;
    await waitUntil(async () => {
      refused = await attacker.get('/documents');
      return refused.status !== 200;
    });
    expectProblem(refused as Response, 'service.unavailable');
    expect(refused?.headers['retry-after']).toBe('1');
    await attacker.get('/me').expect(200);
    expect((await other.get('/documents')).status).toBe(200);

    for (const socket of sockets) socket.destroy();
    await waitUntil(async () => (await attacker.get('/documents')).status === 200);
  });
});
