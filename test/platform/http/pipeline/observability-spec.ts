import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Metrics } from '../../../../src/platform/http/server/metrics.js';
import { MetricsListener } from '../../../../src/platform/http/server/metrics-listener.js';
import { newId } from '../../../../src/common/identifier.js';
import { type Actor } from '../../../support/actor.js';
import { waitFor } from '../../../support/wait-until.js';
import { sendRaw } from '../../../support/raw-http.js';
import { TestService } from '../../../support/service/service.js';
import { type TestTenant } from '../../../support/tenant.js';

interface Line {
  level: string;
  msg: string;
  [field: string]: unknown;
}

describe('Observability', () => {
  const written: string[] = [];
  let service: TestService;
  let tenant: TestTenant;
  let admin: Actor;

  const lines = () => written.map((line) => JSON.parse(line) as Line);
  /** The line is written when the response is closed, shortly after the client has received it. */
  const lineOf = (requestId: string): Promise<Line> =>
    waitFor(
      () => lines().find((line) => line.requestId === requestId && line.msg === 'request'),
      `The log line of the request ${requestId}`,
    );

  beforeAll(async () => {
    service = await TestService.start({ LOG_LEVEL: 'debug', LOG_FORMAT: 'json' }, undefined, written);
    tenant = await service.tenant();
    admin = await tenant.as('administrator');
  });

  afterAll(() => service.stop());

  describe('Log', () => {
    it('contains id, operation, status, duration, tenant and user of each request', async () => {
      const response = await admin.get('/files?q=geheim');
      expect(await lineOf(response.headers['x-request-id'] ?? '')).toEqual({
        level: 'info',
        time: expect.any(String),
        requestId: response.headers['x-request-id'],
        method: 'GET',
        operation: 'ListFiles',
        status: 200,
        ms: expect.any(Number),
        tenantId: tenant.id,
        userId: admin.userId,
        msg: 'request',
      });
    });

    it('contains malformed requests with the request id of the response', async () => {
      const { headers } = await sendRaw(service.url, 'HELLO\r\n\r\n');
      const [, requestId = ''] = /^x-request-id: (.*)$/im.exec(headers) ?? [];
      expect(await lineOf(requestId)).toEqual({
        level: 'info',
        time: expect.any(String),
        requestId,
        operation: 'none',
        status: 400,
        code: 'HPE_INVALID_METHOD',
        msg: 'request',
      });
    });

    it('never contains tokens, queries, names, titles or e-mail addresses', async () => {
      const secrets = [
        'Geheimakte',
        'Geheimdokument',
        'geheim.txt',
        'geheimer-inhalt',
        admin.token,
        admin.email,
        admin.name,
      ];
      const created = await admin.post('/file-types', {
        key: 'secret',
        nameDe: 'Geheimakte',
        nameEn: 'Geheimakte',
      });
      const { id } = created.body as { id: string };
      await admin.post('/files', { fileTypeId: id, number: 'Geheimakte', name: 'Geheimakte' });
      await admin.post('/files', { fileTypeId: id, number: 'Geheimakte', name: 'Geheimakte' });
      const document = await admin
        .post('/documents')
        .field('document', JSON.stringify({ title: 'Geheimdokument' }), { contentType: 'application/json' })
        .attach('content', Buffer.from('geheimer-inhalt'), 'geheim.txt');
      await admin.get('/files?q=Geheimakte&cursor=Geheimdokument');
      await admin.withToken(`${admin.token}x`).get('/files');
      const link = await admin.post(`/documents/${(document.body as { id: string }).id}/content-links`, {});
      const { pathname } = new URL((link.body as { url: string }).url);
      secrets.push(pathname.slice(pathname.lastIndexOf('/') + 1));
      const linked = await fetch(`${service.url}${pathname}`);
      expect(await lineOf(linked.headers.get('x-request-id') ?? '')).toMatchObject({
        operation: 'GetDocumentContent',
        status: 200,
        userId: admin.userId,
      });
      await fetch(`${service.url}${pathname}x`);
      const last = await admin.get('/me');
      await lineOf(last.headers['x-request-id'] ?? '');
      const text = written.join('');
      for (const secret of secrets) expect(text).not.toContain(secret);
    });

    it('contains the cause of a 500 with its request id, without values of the row', async () => {
      const type = await admin.post('/file-types', { key: 'broken', nameDe: 'x', nameEn: 'x' });
      const { id } = type.body as { id: string };
      await service.query(`ALTER TABLE files ADD CONSTRAINT ck_test CHECK (name <> 'Verschlusssache')`);
      const response = await admin.post('/files', { fileTypeId: id, number: '1', name: 'Verschlusssache' });
      await service.query('ALTER TABLE files DROP CONSTRAINT ck_test');
      expect(response.status).toBe(500);
      expect(JSON.stringify(response.body)).not.toMatch(/ck_test|constraint|sql/i);
      const errorLine = lines().find(
        (line) => line.level === 'error' && line.requestId === response.headers['x-request-id'],
      );
      expect(errorLine).toMatchObject({
        msg: 'Internal error',
        err: { code: '23514', constraint: 'ck_test', table: 'files' },
      });
      expect(JSON.stringify(errorLine)).not.toContain('Verschlusssache');
    });
  });

  describe('Metrics', () => {
    it('contain requests by operation and status, and the pool, but no tenants or users', async () => {
      await admin.get('/files');
      const listener = new MetricsListener(service.app.get(Metrics).registry);
      await listener.listen('127.0.0.1', 0);
      const url = `http://127.0.0.1:${listener.port}`;
      const text = await (await fetch(`${url}/metrics`)).text();
      expect(text).toMatch(/http_request_duration_seconds_count\{operation="ListFiles",status="200"\} \d+/);
      expect(text).toMatch(/database_pool_connections \d+/);
      expect(text).toMatch(/http_requests_in_flight \d+/);
      for (const name of [tenant.id, tenant.slug, admin.userId]) expect(text).not.toContain(name);
      expect((await fetch(`${url}/`)).status).toBe(404);
      await listener.close();
    });

    it('are not served on the port of the API', async () => {
      expect((await fetch(`${service.url}/metrics`)).status).toBe(404);
      expect((await admin.get(`/../../../../metrics?${newId()}`)).status).toBe(404);
    });
  });
});
