import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import request from 'supertest';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { sendRaw } from '../../../support/raw-http.js';
import { SecondInstance } from '../../../support/service/second-instance.js';
import { TestService } from '../../../support/service/service.js';
import { type TestTenant } from '../../../support/tenant.js';

describe('The pipeline', () => {
  let service: TestService;
  let tenant: TestTenant;
  let admin: Actor;

  beforeAll(async () => {
    service = await TestService.shared();
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
      '/api/v1/t/demo//files',
      '/api/v2/t/demo/files',
      '/api/v1/t/demo/files/%ZZ',
      '/api/v1/t/demo/files/%C3',
      '/livez/',
      '/LIVEZ',
    ])('404: there is nothing at %s, whoever asks', async (path) => {
      expectProblem(await request(service.url).get(path), 'route.not-found');
      expectProblem(await request(service.url).patch(path), 'route.not-found');
    });

    it('405: names exactly the methods that the path takes', async () => {
      const base = `/api/v1/t/${tenant.slug}`;
      const id = randomUUID();
      for (const [method, path, allow] of [
        ['patch', '/files', 'GET, HEAD, OPTIONS, POST'],
        ['delete', '/files', 'GET, HEAD, OPTIONS, POST'],
        ['patch', `/files/${id}`, 'DELETE, GET, HEAD, OPTIONS, PUT'],
        ['get', `/files/${id}/close`, 'OPTIONS, POST'],
        ['post', '/me', 'GET, HEAD, OPTIONS'],
        // Words, and no ids of what has them.
        ['get', '/documents/search', 'OPTIONS, POST'],
        ['put', '/documents/bulk', 'OPTIONS, POST'],
        ['delete', '/invitations/accept', 'OPTIONS, POST'],
      ] as const) {
        const response = await request(service.url)[method](`${base}${path}`);
        expectProblem(response, 'route.method-not-allowed');
        expect(response.headers.allow).toBe(allow);
      }
    });

    it('answers OPTIONS with the methods, and with 404 where there is nothing', async () => {
      const response = await request(service.url).options(`/api/v1/t/${tenant.slug}/files`);
      expect(response.status).toBe(204);
      expect(response.headers.allow).toBe('GET, HEAD, OPTIONS, POST');
      for (const path of ['/nope', `/api/v1/t/${tenant.slug}/files/%ZZ`])
        expectProblem(await request(service.url).options(path), 'route.not-found');
    });

    it('answers HEAD like GET, without the body', async () => {
      const head = await admin.send('head', '/files');
      const get = await admin.get('/files');
      expect(head.status).toBe(200);
      expect(head.text ?? '').toBe('');
      expect(head.headers['content-length']).toBe(get.headers['content-length']);
    });
  });

  describe('what the client accepts', () => {
    it('406: when the answer is wanted in another form', async () => {
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

  describe('the order of checks', () => {
    it('route before authentication, authentication before tenant, tenant before permission', async () => {
      const nobody = admin.withToken(null);
      expectProblem(await nobody.get('/nope'), 'route.not-found');
      expectProblem(await nobody.send('patch', '/files'), 'route.method-not-allowed');
      expectProblem(await nobody.get('/files?limit=0'), 'authentication.required');
      const outsider = await tenant.nonMember();
      expectProblem(await outsider.get('/files?limit=0'), 'tenant.no-access');
    });

    it('permission before the request, the request before what is addressed', async () => {
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

    it('reports all faults of one stage together', async () => {
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

    it('does not read a body before the caller is let in', async () => {
      const auditor = await tenant.as('auditor');
      const response = await auditor
        .post('/files')
        .set('Content-Type', 'application/json')
        .send('x'.repeat(2_000_000));
      expectProblem(response, 'permission.missing');
    });
  });

  describe('bodies', () => {
    it('ignores one where the operation takes none, whatever it holds', async () => {
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
    ])('400: for %s in place of an object', async (_, body) => {
      const response = await admin.post('/files').set('Content-Type', 'application/json').send(body);
      expectProblem(response, 'request.invalid', ['$']);
    });

    it('400: for a letter with marks without end, before anything is made of it', async () => {
      const marks = '\u0301\u0323'.repeat(15_000);
      const normalize = jest.spyOn(String.prototype, 'normalize');
      try {
        expectProblem(await admin.post('/tags', { name: `a${marks}` }), 'request.invalid', ['name']);
        // To put them in order would take minutes.
        expect(normalize.mock.contexts.filter((text) => String(text).includes(marks))).toHaveLength(0);
        await admin.post('/tags', { name: 'A\u0308' }).expect(201);
        expect(normalize.mock.contexts.map(String)).toContain('A\u0308');
      } finally {
        normalize.mockRestore();
      }
    });

    it('400: for bytes that are not UTF-8', async () => {
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

    it('415: for compressed bodies and other charsets', async () => {
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

    it('drops __proto__ and members that nobody declared', async () => {
      const response = await admin
        .post('/files')
        .set('Content-Type', 'application/json')
        .send('{"__proto__":{"name":"x"},"constructor":{"prototype":{}},"number":"1","admin":true}');
      expectProblem(response, 'request.invalid', ['fileTypeId', 'name']);
      expect(({} as { name?: string }).name).toBeUndefined();
    });
  });

  describe('every answer', () => {
    it('carries a request id: the one that was sent when it is a UUID, otherwise a new one', async () => {
      const id = randomUUID();
      expect((await admin.get('/files').set('X-Request-Id', id)).headers['x-request-id']).toBe(id);
      const made = (await admin.get('/files').set('X-Request-Id', 'evil\u0009id')).headers['x-request-id'];
      expect(made).toMatch(/^[0-9a-f-]{36}$/);
    });

    it('says what is left of the limit, refusals included', async () => {
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

    it('names neither Express nor anything else of the inside', async () => {
      const { headers } = await admin.get('/files');
      expect(headers['x-powered-by']).toBeUndefined();
      expect(headers.server).toBeUndefined();
      expect(headers['x-content-type-options']).toBe('nosniff');
    });
  });

  describe('rights that are remembered', () => {
    it('are gone at the next request, refusals of the request itself included', async () => {
      const editor = await tenant.as('editor');
      expect((await editor.get('/files')).status).toBe(200);
      await service.query('DELETE FROM members WHERE tenant_id = $1 AND user_id = $2', [
        tenant.id,
        editor.userId,
      ]);
      await service.query('UPDATE tenants SET access_version = access_version + 1 WHERE id = $1', [
        tenant.id,
      ]);
      expectProblem(await editor.get('/files?limit=0'), 'tenant.no-access');
      expectProblem(await editor.get('/files'), 'tenant.no-access');
    });

    it('come at the next request, too', async () => {
      const member = await tenant.as('viewer');
      expectProblem(await member.post('/files', {}), 'permission.missing');
      await service.query(
        `UPDATE members SET role_id = (SELECT id FROM roles WHERE tenant_id = $1 AND key = 'editor')
          WHERE tenant_id = $1 AND user_id = $2`,
        [tenant.id, member.userId],
      );
      await service.query('UPDATE tenants SET access_version = access_version + 1 WHERE id = $1', [
        tenant.id,
      ]);
      expectProblem(await member.post('/files', {}), 'request.invalid', ['fileTypeId', 'name', 'number']);
    });
  });

  describe('health', () => {
    it('is live and ready, without a token', async () => {
      expect((await request(service.url).get('/livez')).body).toEqual({ status: 'live' });
      expect((await request(service.url).get('/readyz')).body).toEqual({
        status: 'ready',
        issuer: 'available',
      });
    });
  });

  it('429: for an address that fails to authenticate too often, while a good token passes', async () => {
    // With a rate limiter of its own: all other specs call the shared application from the same address.
    const instance = await SecondInstance.start(service);
    const caller = instance.actor(admin);
    expect((await caller.withToken('bad').get('/files')).status).toBe(401);
    // Many at a time: the bucket has sixty and fills again while they come, however slow the machine.
    const refusals: Awaited<ReturnType<typeof admin.get>>[] = [];
    while (refusals.length === 0) {
      const answers = await Promise.all(
        Array.from({ length: 80 }, () => caller.withToken('bad').get('/files')),
      );
      refusals.push(...answers.filter(({ status }) => status === 429));
    }
    for (const refusal of refusals) expectProblem(refusal, 'request.rate-limited');
    expect((await caller.get('/files')).status).toBe(200);
    await instance.stop();
  });
});
