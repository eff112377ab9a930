import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request, { type Response } from 'supertest';
import { upload } from '../../../factories/documents.js';
import { saveFile } from '../../../factories/files.js';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { TestService } from '../../../support/service/service.js';
import { type TestTenant } from '../../../support/tenant.js';

const APP = 'https://app.example';
const OTHER_APP = 'http://localhost:5173';
const STRANGER = 'https://mallory.example';

function corsHeaders({ headers }: Response): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(headers as Record<string, unknown>).filter(([name]) => name.startsWith('access-control-')),
  );
}

const list = (text: unknown) => String(text).split(', ');

describe('CORS with a list of origins', () => {
  let service: TestService;
  let tenant: TestTenant;
  let admin: Actor;
  let files: string;

  beforeAll(async () => {
    service = await TestService.start({ CORS_ORIGINS: `${APP},${OTHER_APP}` });
    tenant = await service.tenant();
    admin = await tenant.as('administrator');
    files = `/api/v1/t/${tenant.slug}/files`;
  });
  afterAll(() => service.stop());

  const preflight = (path: string, origin: string, method = 'GET') =>
    request(service.url)
      .options(path)
      .set('Origin', origin)
      .set('Access-Control-Request-Method', method)
      .set('Access-Control-Request-Headers', 'authorization,content-type');

  describe('preflight', () => {
    it('returns 204 without a token, with the allowed methods and headers', async () => {
      const response = await preflight(files, APP, 'POST');
      expect(response.status).toBe(204);
      expect(corsHeaders(response)).toEqual({
        'access-control-allow-origin': APP,
        'access-control-allow-methods': 'GET, HEAD, OPTIONS, POST',
        'access-control-allow-headers': expect.stringContaining('Authorization'),
        'access-control-max-age': '7200',
      });
      expect(response.headers).toMatchObject({ allow: 'GET, HEAD, OPTIONS, POST', vary: 'Origin' });
    });

    it('allows every request header field in the OpenAPI document', async () => {
      const document = (await request(service.url).get('/openapi.json')).body as {
        paths: Record<string, Record<string, { parameters?: { in: string; name: string }[] }>>;
      };
      const described = Object.values(document.paths)
        .flatMap((item) => Object.values(item))
        .flatMap(({ parameters = [] }) => parameters.filter((parameter) => parameter.in === 'header'))
        .map(({ name }) => name);
      expect(described).toContain('Idempotency-Key');
      const headers = (await preflight(files, APP)).headers['access-control-allow-headers'] as unknown;
      expect(list(headers)).toEqual(
        expect.arrayContaining(['Authorization', 'Content-Type', 'X-Request-Id', ...new Set(described)]),
      );
    });

    it('does not count as a failed authentication', async () => {
      const answers = await Promise.all(
        Array.from({ length: 150 }, () => preflight(files, APP).then(({ status }) => status)),
      );
      expect(new Set(answers)).toEqual(new Set([204]));
      // If they counted, this request would get a 429: the limit is 60 per minute.
      expectProblem(await request(service.url).get(files), 'authentication.required');
    });

    it('returns 204 without CORS headers for other origins and for none', async () => {
      for (const origin of [STRANGER, 'null', `${APP}.mallory.example`, 'https://APP.example', `${APP}/`]) {
        const response = await preflight(files, origin);
        expect([response.status, corsHeaders(response), response.headers.vary]).toEqual([204, {}, 'Origin']);
      }
      const plain = await request(service.url).options(files);
      expect([plain.status, corsHeaders(plain), plain.headers.vary]).toEqual([204, {}, 'Origin']);
    });

    it('returns 404 for an unknown path', async () => {
      const response = await preflight('/nope', APP);
      expectProblem(response, 'route.not-found');
      expect(corsHeaders(response)).toEqual({ 'access-control-allow-origin': APP });
    });
  });

  describe('request', () => {
    it('allows its origin, and exposes the header fields that clients read', async () => {
      for (const origin of [APP, OTHER_APP]) {
        const response = await admin.get('/files').set('Origin', origin);
        expect(response.status).toBe(200);
        expect(corsHeaders(response)).toEqual({
          'access-control-allow-origin': origin,
          'access-control-expose-headers': expect.any(String),
        });
        expect(response.headers.vary).toBe('Origin');
        expect(list(response.headers['access-control-expose-headers'])).toEqual(
          expect.arrayContaining([
            ...['ETag', 'Link', 'Location', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id'],
            ...['Allow', 'Content-Disposition', 'Content-Range', 'WWW-Authenticate'],
          ]),
        );
      }
    });

    it('exposes every response header field in the OpenAPI document', async () => {
      const document = (await request(service.url).get('/openapi.json')).body as {
        components: { headers: Record<string, unknown> };
      };
      const exposed = (await admin.get('/files').set('Origin', APP)).headers['access-control-expose-headers'];
      expect(list(exposed)).toEqual(expect.arrayContaining(Object.keys(document.components.headers)));
    });

    it('allows its origin also in error responses', async () => {
      const file = await saveFile(tenant, admin);
      const viewer = await tenant.as('viewer');
      for (const [send, status] of [
        [() => admin.withToken(null).get('/files'), 401],
        [() => viewer.post('/files', {}), 403],
        [() => admin.get(`/files/${randomUUID()}`), 404],
        [() => admin.send('patch', '/files'), 405],
        [() => admin.post('/files', {}), 400],
        [() => admin.put(`/files/${file.id}`, { name: 'x' }).set('If-Match', '"stale"'), 412],
        [() => admin.post('/files').set('Content-Type', 'text/plain').send('x'), 415],
      ] as const) {
        const response = await send().set('Origin', APP);
        expect([response.status, response.headers['access-control-allow-origin']]).toEqual([status, APP]);
        expect(list(response.headers.vary)).toEqual(['Origin', 'Accept-Language']);
      }
    });

    it('allows its origin also for streamed content', async () => {
      const content = { bytes: Buffer.from('a plan'), fileName: 'plan.txt' };
      const created = await upload(admin, { title: 'Plan' }, content);
      const { id } = created.body as { id: string };
      const response = await admin.get(`/documents/${id}/content`).set('Origin', APP);
      expect(response.status).toBe(200);
      expect(response.headers).toMatchObject({ 'access-control-allow-origin': APP, vary: 'Origin' });
    });

    it('of another origin gets the normal response without CORS headers', async () => {
      for (const origin of [STRANGER, 'null', `${APP}.mallory.example`, 'http://app.example']) {
        const response = await admin.get('/files').set('Origin', origin);
        expect([response.status, corsHeaders(response), response.headers.vary]).toEqual([200, {}, 'Origin']);
      }
    });

    it('never allows credentials of the browser', async () => {
      for (const response of [
        await preflight(files, APP),
        await admin.get('/files').set('Origin', APP),
        await request(service.url).get('/docs').set('Origin', APP),
      ]) {
        expect(response.headers).not.toHaveProperty('access-control-allow-credentials');
        expect(response.headers).not.toHaveProperty('set-cookie');
      }
    });
  });
});

describe('CORS with *', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start({ CORS_ORIGINS: '*' });
  });
  afterAll(() => service.stop());

  it('allows all origins with the same response', async () => {
    const admin = await (await service.tenant()).as('administrator');
    for (const origin of [STRANGER, 'null']) {
      const response = await admin.get('/files').set('Origin', origin);
      expect(response.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-expose-headers': expect.stringContaining('ETag'),
      });
      expect(response.headers).not.toHaveProperty('vary');
    }
    const preflight = await request(service.url)
      .options('/openapi.json')
      .set('Origin', STRANGER)
      .set('Access-Control-Request-Method', 'GET');
    // Listed explicitly, because `*` does not include Authorization.
    expect(preflight.headers['access-control-allow-headers']).toContain('Authorization');
  });
});

describe('CORS without CORS_ORIGINS', () => {
  it('allows no other origin', async () => {
    const service = await TestService.shared();
    const admin = await (await service.tenant()).as('administrator');
    for (const response of [
      await admin.get('/files').set('Origin', APP),
      await request(service.url)
        .options('/openapi.json')
        .set('Origin', APP)
        .set('Access-Control-Request-Method', 'GET'),
      await request(service.url).get('/openapi.json').set('Origin', APP),
    ]) {
      expect(corsHeaders(response)).toEqual({});
      expect(response.headers['vary'] ?? '').not.toContain('Origin');
    }
  });
});
