import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { buildField, saveDocumentType } from '../../factories/document-types.js';
import { saveContentText } from '../../factories/document-texts.js';
import { saveDocument, saveVersion } from '../../factories/documents.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { waitUntil } from '../../support/wait-until.js';
import { TestService } from '../../support/service/service.js';

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

function requestsLeft({ headers }: Response): number {
  return Number(/r=(\d+)/.exec(headers['ratelimit'] ?? '')?.[1]);
}

describe('The rate limit for large responses', () => {
  it('counts one more request for each 256 KiB', async () => {
    const service = await TestService.start({ RATE_LIMIT_PER_MINUTE: '1', RATE_LIMIT_BURST: '30' });
    try {
      const admin = await withLargeDocuments(service);
      const [list, me] = [await admin.get('/documents'), await admin.get('/me')];
      expect(list.status).toBe(200);
      expect(requestsLeft(list) - requestsLeft(me)).toBe(1 + Math.floor(list.text.length / (256 * 1024)));
      expect((await admin.get('/documents')).status).toBe(200);
      await admin.get('/documents');
      expectProblem(await admin.get('/me'), 'request.rate-limited');
    } finally {
      await service.stop();
    }
  });

  it('counts the text of a document like a JSON response', async () => {
    const service = await TestService.start({ RATE_LIMIT_PER_MINUTE: '1', RATE_LIMIT_BURST: '30' });
    try {
      const tenant = await service.tenant();
      const admin = await tenant.as('administrator');
      const { id } = await saveDocument(tenant, admin);
      await saveVersion(tenant, admin, id, { bytes: 'bytes' });
      await saveContentText(tenant, id, 'Der Text.\n'.repeat(80_000).trim());
      const [text, me] = [await admin.get(`/documents/${id}/text`), await admin.get('/me')];
      expect(text.text.length).toBe(799_999);
      expect(requestsLeft(text) - requestsLeft(me)).toBe(1 + Math.floor(text.text.length / (256 * 1024)));
    } finally {
      await service.stop();
    }
  });
});

describe('Responses that clients do not read', () => {
  let service: TestService;
  const sockets: Socket[] = [];
  beforeAll(async () => {
    service = await TestService.start();
  });
  afterAll(() => service.stop());

  async function sendRequests({ tenant, token }: Actor): Promise<void> {
    const { port, hostname } = new URL(service.url);
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    sockets.push(socket);
    const request = `GET /api/v1/t/${tenant.slug}/documents HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    socket.write(request.repeat(REQUESTS));
    await once(socket, 'readable');
  }

  it('lead to 503 with Retry-After beyond the share of a caller, but not for another tenant', async () => {
    const [attacker, other] = [await withLargeDocuments(service), await withLargeDocuments(service)];
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
