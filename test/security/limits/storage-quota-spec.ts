import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { utimes } from 'node:fs/promises';
import http from 'node:http';
import { UnitOfWork } from '../../../src/platform/database/transactions/unit-of-work.js';
import { ContentSweeper } from '../../../src/resources/documents/contents/content-sweeper.js';
import { BinPurge } from '../../../src/resources/documents/bin/bin-purge.js';
import { putContent, saveDocument, upload } from '../../factories/documents.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { waitUntil } from '../../support/wait-until.js';
import { sendRaw } from '../../support/raw-http.js';
import { SecondInstance } from '../../support/service/second-instance.js';
import { TestService } from '../../support/service/service.js';
import { sha256Of } from '../../support/content-fixtures.js';
import { storedHashes, storedPath, temporaryFiles } from '../../support/stored-content.js';
import { type TestTenant } from '../../support/tenant.js';

/** The storage limit of a tenant in bytes. */
const LIMIT = 100_000;

describe('The storage limit of a tenant', () => {
  let service: TestService;
  let tenant: TestTenant;
  let editor: Actor;
  const log: string[] = [];
  const sockets: { destroy(): void }[] = [];
  beforeAll(async () => {
    const environment = { TENANT_STORAGE_LIMIT_BYTES: String(LIMIT), LOG_LEVEL: 'error' };
    service = await TestService.start(environment, undefined, log);
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor');
  });
  afterEach(() => {
    jest.restoreAllMocks();
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  /** Uploads content of a new document as the request body. */
  const put = async (bytes: number | Buffer, by = editor) =>
    putContent(by, (await saveDocument(tenant, by)).id, Buffer.isBuffer(bytes) ? bytes : randomBytes(bytes));
  /** Creates a document with content as multipart/form-data. */
  const post = (bytes: number, by = editor) => upload(by, { title: 'Plan' }, { bytes: randomBytes(bytes) });
  const used = async () => {
    const [row] = await service.query<{ bytes: string }>(
      'SELECT coalesce(sum(size), 0) AS bytes FROM contents WHERE tenant_id = $1',
      [tenant.id],
    );
    return Number(row?.bytes);
  };
  /** Opens an upload whose body the test writes. */
  async function begin(headers: http.OutgoingHttpHeaders, agent?: http.Agent) {
    const { id } = await saveDocument(tenant, editor);
    const request = http.request(`${service.url}/api/v1/t/${tenant.slug}/documents/${id}/content`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${editor.token}`, 'Content-Type': 'text/plain', ...headers },
      agent,
    });
    request.on('error', () => undefined);
    sockets.push(request);
    return request;
  }
  async function answerOf(request: http.ClientRequest) {
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    let text = '';
    for await (const chunk of response) text += String(chunk);
    return { status: response.statusCode, type: (JSON.parse(text) as { type?: string }).type };
  }
  const REFUSED = { status: 507, type: '/problems/content.quota-exceeded' };

  it('returns 507 when it is reached, and does not affect other tenants', async () => {
    expect((await put(60_000)).status).toBe(200);
    expect((await put(40_000)).status).toBe(200);
    const [kept, before] = [await storedHashes(tenant), await tenant.fingerprint()];

    expectProblem(await post(1), 'content.quota-exceeded');
    const german = await post(1).set('Accept-Language', 'de');
    expect(german.body).toMatchObject({ detail: 'Der Mandant hat seinen Speicherplatz vollständig belegt.' });

    expect([await storedHashes(tenant), await tenant.fingerprint()]).toEqual([kept, before]);
    expectProblem(await put(1), 'content.quota-exceeded');
    expect(await used()).toBe(LIMIT);
    expect(await temporaryFiles(service)).toEqual([]);
    const other = await (await service.tenant()).as('editor');
    expect((await post(90_000, other)).status).toBe(201);
  });

  it('does not apply to documents without content or with empty content', async () => {
    expect((await put(LIMIT)).status).toBe(200);
    expect((await editor.post('/documents', { title: 'On paper' })).status).toBe(201);
    expect((await post(0)).status).toBe(201);
    expect((await put(0)).status).toBe(200);
  });

  it('returns 507 before the body is sent, by Content-Length', async () => {
    await put(60_000);
    const request = await begin({ 'Content-Length': 40_001 });
    request.write('x');
    expect(await answerOf(request)).toEqual(REFUSED);
  });

  it('ends an upload of unknown length that exceeds it', async () => {
    const { id } = await saveDocument(tenant, editor);
    const chunk = `2710\r\n${'x'.repeat(10_000)}\r\n`;
    const send = (chunks: number) =>
      sendRaw(service.url, [
        `PUT /api/v1/t/${tenant.slug}/documents/${id}/content HTTP/1.1\r\nHost: x\r\nConnection: close\r\n` +
          `Authorization: Bearer ${editor.token}\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n`,
        ...Array<string>(chunks).fill(chunk),
        '0\r\n\r\n',
      ]);

    const exceeding = await send(11);
    expect([exceeding.status, exceeding.body]).toEqual([507, expect.stringContaining(REFUSED.type)]);
    expect([await storedHashes(tenant), await temporaryFiles(service)]).toEqual([[], []]);
    expect((await send(10)).status).toBe(200);

    const full = await begin({ 'Transfer-Encoding': 'chunked' });
    full.write('x');
    expect(await answerOf(full)).toEqual(REFUSED);
  });

  it('is not exceeded by concurrent uploads', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, (_, at) => (at % 2 ? put : post)(51_000)));
    const accepted = answers.filter(({ status }) => status < 300);
    expect(accepted).toHaveLength(1);
    for (const answer of answers) if (answer.status >= 300) expectProblem(answer, 'content.quota-exceeded');
    expect(await used()).toBe(51_000);
    expect(await temporaryFiles(service)).toEqual([]);
  });

  it('includes uploads in progress until they end', async () => {
    const request = await begin({ 'Content-Length': 90_000 });
    request.write('x');
    await waitUntil(async () => (await temporaryFiles(service)).length === 1);
    expectProblem(await put(10_001), 'content.quota-exceeded');
    request.destroy();
    await waitUntil(async () => (await put(LIMIT)).status === 200);
  });

  it('includes documents in the bin until they are purged and their contents swept', async () => {
    const manager = await tenant.as('records_manager');
    const bytes = randomBytes(LIMIT);
    const { id } = await saveDocument(tenant, manager);
    expect((await putContent(manager, id, bytes)).status).toBe(200);
    await service.runJobs();
    expect((await manager.delete(`/documents/${id}`)).status).toBe(204);
    expectProblem(await post(1000), 'content.quota-exceeded');

    await service.query(`UPDATE documents SET deleted_at = now() - interval '31 days' WHERE id = $1`, [id]);
    await service.app.get(BinPurge).purge();
    expectProblem(await post(1000), 'content.quota-exceeded');

    await service.query(`UPDATE contents SET linked_at = now() - interval '25 hours' WHERE tenant_id = $1`, [
      tenant.id,
    ]);
    const then = new Date(Date.now() - 25 * 3_600_000);
    await utimes(storedPath(tenant, sha256Of(bytes)), then, then);
    await service.app.get(ContentSweeper).sweep();
    await waitUntil(async () => (await post(1000)).status === 201);
  });

  it('counts the same bytes once', async () => {
    const bytes = randomBytes(40_000);
    for (let n = 0; n < 5; n += 1) {
      // This instance counts each upload until it reads the used bytes again.
      await waitUntil(async () => (await put(bytes)).status === 200);
    }
    expect(await used()).toBe(40_000);
  });

  it('can be set for a single tenant', async () => {
    await service.query('UPDATE tenants SET storage_limit = 500 WHERE id = $1', [tenant.id]);
    expectProblem(await put(501), 'content.quota-exceeded');
    expect((await put(500)).status).toBe(200);
    await service.query('UPDATE tenants SET storage_limit = $2 WHERE id = $1', [tenant.id, 2 * LIMIT]);
    await waitUntil(async () => (await put(LIMIT)).status === 200);
  });

  it('keeps the connection of a refused upload usable', async () => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    sockets.push(agent);
    await put(LIMIT);
    const refused = await begin({ 'Content-Length': 3_000_000 }, agent);
    refused.end(Buffer.alloc(3_000_000));
    expect(await answerOf(refused)).toEqual(REFUSED);
    const next = await begin({ 'Content-Length': 0 }, agent);
    next.end();
    expect([(await answerOf(next)).status, next.reusedSocket]).toEqual([200, true]);
  });

  it('returns 403 instead of 507 to users who have lost their membership', async () => {
    await put(LIMIT);
    expectProblem(await post(1), 'content.quota-exceeded');
    await service.query('DELETE FROM members WHERE tenant_id = $1 AND user_id = $2', [
      tenant.id,
      editor.userId,
    ]);
    await tenant.increaseAccessVersion();
    expectProblem(await post(1), 'tenant.no-access');
  });

  it('does not sum the used bytes for each upload', async () => {
    await put(1);
    const read = jest.spyOn(service.app.get(UnitOfWork), 'read');
    for (let n = 0; n < 20; n += 1) expect((await put(100)).status).toBe(200);
    expect(read.mock.calls.filter(([{ actorId }]) => actorId === null)).toHaveLength(0);
  });

  it('can be exceeded only by what another instance accepts within a minute', async () => {
    const second = await SecondInstance.start(service);
    try {
      const elsewhere = second.actor(editor);
      expect([(await put(1000)).status, (await put(1000, elsewhere)).status]).toEqual([200, 200]);
      expect([(await put(90_000)).status, (await put(90_000, elsewhere)).status]).toEqual([200, 200]);
      expectProblem(await put(10_000), 'content.quota-exceeded');
      expectProblem(await put(10_000, elsewhere), 'content.quota-exceeded');
      expect(await used()).toBe(182_000);
    } finally {
      await second.stop();
    }
  });

  it('writes nothing to the log', async () => {
    log.length = 0;
    await put(LIMIT);
    expectProblem(await put(1), 'content.quota-exceeded');
    expect(log).toEqual([]);
  });
});
