import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import request from 'supertest';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { sendRaw } from '../../../support/raw-http.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';
import { RAISE_ACCESS_VERSION } from '../../../support/database.js';

describe('Request pipeline', () => {
  let tenant: TestTenant;
  let admin: Actor;

  beforeAll(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator');
  });

  describe('routes', () => {
    it.each([
      '/nope',
      '/api/v1/t',
      '/api/v1/t/demo',
      '/api/v1/t/demo/nope',
      '/API/v1/t/demo/files',
      '/api/v1/t/demo/Files',
      '/api/v1/t/demo/files/',
      '/api/v1/t/demo/files/7/',
      '/api/v1/t/demo/files//documents',
      '/api/v1/t/demo//files',
      '/api/v2/t/demo/files',
      '/api/v1/t/demo/files/%ZZ',
      '/api/v1/t/demo/files/%C3',
      '/livez/',
      '/LIVEZ',
    ])('returns 404 for %s, without authentication', async (path) => {
      expectProblem(await request(service.url).get(path), 'route.not-found');
      expectProblem(await request(service.url).patch(path), 'route.not-found');
    });

    it('returns 405 with exactly the supported methods in Allow', async () => {
      const base = `/api/v1/t/${tenant.slug}`;
      const id = randomUUID();
      for (const [method, path, allow] of [
        ['patch', '/files', 'GET, HEAD, OPTIONS, POST'],
        ['delete', '/files', 'GET, HEAD, OPTIONS, POST'],
        ['patch', `/files/${id}`, 'DELETE, GET, HEAD, OPTIONS, PUT'],
        ['get', `/files/${id}/close`, 'OPTIONS, POST'],
        ['post', '/me', 'GET, HEAD, OPTIONS'],
        // Literal segments, not ids.
        ['get', '/documents/search', 'OPTIONS, POST'],
        ['put', '/documents/bulk', 'OPTIONS, POST'],
        ['delete', '/invitations/accept', 'OPTIONS, POST'],
      ] as const) {
        const response = await request(service.url)[method](`${base}${path}`);
        expectProblem(response, 'route.method-not-allowed');
        expect(response.headers.allow).toBe(allow);
      }
    });

    it('returns 404 for OPTIONS of an unknown path', async () => {
      for (const path of ['/nope', `/api/v1/t/${tenant.slug}/files/%ZZ`])
        expectProblem(await request(service.url).options(path), 'route.not-found');
    });
  });

  describe('Accept', () => {
    it('returns 406 for other media types than JSON', async () => {
      expectProblem(await admin.get('/files').set('Accept', 'text/html'), 'request.not-acceptable');
      for (const accept of [
        '*/*',
        'application/*',
        'text/html, application/json;q=0.5',
        'application/json; charset=utf-8',
      ]) {
        expect((await admin.get('/files').set('Accept', accept)).status).toBe(200);
      }
    });
  });

  describe('order of checks', () => {
    it('checks the route, then authentication, then membership', async () => {
      const anonymous = admin.withToken(null);
      expectProblem(await anonymous.get('/nope'), 'route.not-found');
      expectProblem(await anonymous.send('patch', '/files'), 'route.method-not-allowed');
      expectProblem(await anonymous.get('/files?limit=0'), 'authentication.required');
      const nonMember = await tenant.nonMember();
      expectProblem(await nonMember.get('/files?limit=0'), 'tenant.no-access');
    });

    it('checks the permission, then the request, then the resource', async () => {
      const auditor = await tenant.as('auditor');
      const unknown = `/files/${randomUUID()}`;
      expectProblem(await auditor.put(unknown, { name: '' }), 'permission.missing');
      expectProblem(
        await auditor.put(unknown).set('Content-Type', 'text/plain').send('x'),
        'permission.missing',
      );
      expectProblem(await admin.put(unknown, { name: '' }), 'request.invalid', ['name']);
      expectProblem(await admin.put(unknown, { name: 'x' }).set('If-Match', '"stale"'), 'resource.not-found');
    });

    it('reports all invalid values of a request together', async () => {
      expectProblem(await admin.post('/files', { fileTypeId: 'x', number: '', name: 7 }), 'request.invalid', [
        'fileTypeId',
        'name',
        'number',
      ]);
      expectProblem(await admin.get('/files?limit=0&status=open&fileTypeId=1'), 'request.invalid', [
        'fileTypeId',
        'limit',
        'status',
      ]);
    });

    it('names the missing permission in a 403', async () => {
      const nobody = await tenant.with();
      const detailOf = async (path: string) => ((await nobody.get(path)).body as { detail: string }).detail;
      expect(await detailOf('/tags')).toContain('tags.read');
      expect(await detailOf('/audit-log')).toContain('auditLog.read');
    });

    it('says in a 412 that a weak entity tag never matches', async () => {
      const created = await admin.post('/tags', { name: randomUUID() });
      const { id } = created.body as { id: string };
      const put = (tag: string) => admin.put(`/tags/${id}`, { name: 'x' }).set('If-Match', tag);
      expect((await put(`W/${created.headers.etag ?? ''}`)).body).toMatchObject({
        status: 412,
        detail: expect.stringContaining('weak'),
      });
      expect((await put('"other"')).body).toMatchObject({
        status: 412,
        detail: expect.not.stringContaining('weak'),
      });
    });

    it('checks the permission before it reads the body', async () => {
      const auditor = await tenant.as('auditor');
      const response = await auditor
        .post('/files')
        .set('Content-Type', 'application/json')
        .send('x'.repeat(2_000_000));
      expectProblem(response, 'permission.missing');
    });
  });

  describe('bodies', () => {
    it('ignores the body if the operation takes none', async () => {
      for (const [type, body] of [
        ['application/json', '{"broken'],
        ['text/plain', '\u0000'],
        ['application/x-www-form-urlencoded', 'a=1'],
      ] as const) {
        const response = await admin.get('/files').set('Content-Type', type).send(body);
        expect(response.status).toBe(200);
      }
    });

    it.each([
      ['a list', '[]'],
      ['a text', '"text"'],
      ['a number', '7'],
      ['null', 'null'],
    ])('returns 400 for %s instead of an object', async (_, body) => {
      const response = await admin.post('/files').set('Content-Type', 'application/json').send(body);
      expectProblem(response, 'request.invalid', ['$']);
    });

    it('returns 400 for too many combining marks, without converting them to NFC', async () => {
      const marks = '\u0301\u0323'.repeat(15_000);
      const normalize = jest.spyOn(String.prototype, 'normalize');
      try {
        expectProblem(await admin.post('/tags', { name: `a${marks}` }), 'request.invalid', ['name']);
        // Converting them would take minutes.
        expect(normalize.mock.contexts.filter((text) => String(text).includes(marks))).toHaveLength(0);
        await admin.post('/tags', { name: 'A\u0308' }).expect(201);
        expect(normalize.mock.contexts.map(String)).toContain('A\u0308');
      } finally {
        normalize.mockRestore();
      }
    });

    it('returns 400 for bytes that are not UTF-8', async () => {
      const { status, body } = await sendRaw(
        service.url,
        Buffer.concat([
          Buffer.from(
            `POST /api/v1/t/${tenant.slug}/files HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${admin.token}\r\n` +
              'Content-Type: application/json\r\nContent-Length: 13\r\n\r\n',
          ),
          Buffer.from('{"name":"'),
          Buffer.from([0xff, 0xfe]),
          Buffer.from('"}'),
        ]),
      );
      expect(status).toBe(400);
      expect(JSON.parse(body)).toMatchObject({
        type: '/problems/request.malformed-body',
        errors: { $: [expect.any(String)] },
      });
    });

    it('returns 415 for compressed bodies and other charsets', async () => {
      for (const [name, value] of [
        ['Content-Encoding', 'gzip'],
        ['Content-Type', 'application/json; charset=latin1'],
      ] as const) {
        const response = await admin
          .post('/files')
          .set('Content-Type', 'application/json')
          .set(name, value)
          .send('{}');
        expectProblem(response, 'request.unsupported-media-type');
      }
    });

    it('drops __proto__ and undeclared members', async () => {
      const response = await admin
        .post('/files')
        .set('Content-Type', 'application/json')
        .send('{"__proto__":{"name":"x"},"constructor":{"prototype":{}},"number":"1","admin":true}');
      expectProblem(response, 'request.invalid', ['fileTypeId', 'name']);
      expect(({} as { name?: string }).name).toBeUndefined();
    });
  });

  describe('every response', () => {
    it('has a request id: the sent one if it is a UUID, otherwise a new one', async () => {
      const id = randomUUID();
      expect((await admin.get('/files').set('X-Request-Id', id)).headers['x-request-id']).toBe(id);
      const made = (await admin.get('/files').set('X-Request-Id', 'evil\u0009id')).headers['x-request-id'];
      expect(made).toMatch(/^[0-9a-f-]{36}$/);
    });

    it('has the number of remaining requests, also if it is an error', async () => {
      for (const response of [
        await admin.get('/files'),
        await admin.get('/files?limit=0'),
        await admin.get(`/files/${randomUUID()}`),
        await (await tenant.nonMember()).get('/files'),
      ]) {
        expect(response.headers['ratelimit-policy']).toMatch(/^"caller";q=\d+;w=\d+$/);
        expect(response.headers.ratelimit).toMatch(/^"caller";r=\d+;t=\d+$/);
      }
    });
  });

  describe('cached rights', () => {
    it('are revoked at the next request, even if that request is invalid', async () => {
      const editor = await tenant.as('editor');
      expect((await editor.get('/files')).status).toBe(200);
      await service.query('DELETE FROM members WHERE tenant_id = $1 AND user_id = $2', [
        tenant.id,
        editor.userId,
      ]);
      await service.query(RAISE_ACCESS_VERSION, [tenant.id]);
      expectProblem(await editor.get('/files?limit=0'), 'tenant.no-access');
      expectProblem(await editor.get('/files'), 'tenant.no-access');
    });

    it('are extended at the next request', async () => {
      const member = await tenant.as('viewer');
      expectProblem(await member.post('/files', {}), 'permission.missing');
      await service.query(
        `UPDATE members SET role_id = (SELECT id FROM roles WHERE tenant_id = $1 AND key = 'editor')
          WHERE tenant_id = $1 AND user_id = $2`,
        [tenant.id, member.userId],
      );
      await service.query(RAISE_ACCESS_VERSION, [tenant.id]);
      expectProblem(await member.post('/files', {}), 'request.invalid', ['fileTypeId', 'name', 'number']);
    });
  });

  describe('health', () => {
    it('is served without a token', async () => {
      expect((await request(service.url).get('/livez')).body).toEqual({ status: 'live' });
      expect((await request(service.url).get('/readyz')).body).toEqual({
        status: 'ready',
        issuer: 'available',
      });
    });
  });
});
