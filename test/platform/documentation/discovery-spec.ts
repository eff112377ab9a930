import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request, { type Response } from 'supertest';
import { RouteTable } from '../../../src/platform/http/pipeline/route-table.js';
import { UnsubscribeTokens } from '../../../src/resources/notification-preferences/unsubscribe-token.js';
import { type Ids, saveSamples } from '../../factories/samples.js';
import { expectProblem } from '../../support/expect-problem.js';
import { type Actor } from '../../support/actor.js';
import { TestService } from '../../support/service/service.js';
import { requiredQuery } from '../../support/operations/required-query.js';
import { type TestTenant } from '../../support/tenant.js';

const PUBLIC_URL = 'https://filing.example/office';

describe('Discovery', () => {
  let service: TestService;
  let tenant: TestTenant;
  let admin: Actor;
  beforeAll(async () => {
    service = await TestService.start({ PUBLIC_URL });
    tenant = await service.tenant();
    admin = await tenant.as('administrator');
  });
  afterAll(() => service.stop());

  describe('GetRoot', () => {
    const root = (accept: string) => fetch(service.url, { headers: { accept }, redirect: 'manual' });
    const LINKS = [
      '<openapi.json>; rel="service-desc"; type="application/json"',
      '<docs>; rel="service-doc"; type="text/html"',
      '<problems>; rel="describedby"; type="text/html"',
    ].join(', ');

    it('redirects browsers to the documentation page', async () => {
      const response = await root('text/html,application/xhtml+xml,*/*;q=0.8');
      expect([response.status, response.headers.get('location')]).toEqual([303, 'docs']);
      expect(response.headers.get('link')).toBe(LINKS);
    });

    it('returns the addresses of the API description as JSON', async () => {
      for (const accept of ['*/*', 'application/json']) {
        const response = await root(accept);
        expect(response.status).toBe(200);
        expect(await response.json()).toEqual({
          description: `${PUBLIC_URL}/openapi.json`,
          documentation: `${PUBLIC_URL}/docs`,
          problems: `${PUBLIC_URL}/problems`,
        });
        expect(response.headers.get('link')).toBe(LINKS);
        expect(response.headers.get('vary')).toBe('Accept');
      }
      for (const [, path = ''] of LINKS.matchAll(/<([^>]+)>/g)) {
        expect((await fetch(new URL(path, `${service.url}/`))).status).toBe(200);
      }
    });

    it('returns 406 for other media types', async () => {
      expect((await root('image/png')).status).toBe(406);
    });
  });

  describe('Link header of pages', () => {
    const nextOf = (response: Response): string | undefined =>
      /^<([^>]+)>; rel="next"$/.exec(response.headers.link ?? '')?.[1];

    beforeAll(async () => {
      for (let number = 1; number <= 5; number += 1)
        await admin.post('/tags', { name: `Tag & ${number}` }).expect(201);
    });

    it('contains the public URL of the next page with the same filters; absent on the last page', async () => {
      const names: string[] = [];
      let path: string | undefined = '/tags?limit=2';
      while (path !== undefined) {
        const page: Response = await admin.get(path).expect(200);
        const { items, nextCursor } = page.body as { items: { name: string }[]; nextCursor: string | null };
        names.push(...items.map(({ name }) => name));
        const next = nextOf(page);
        expect(next === undefined).toBe(nextCursor === null);
        const base = `${PUBLIC_URL}/api/v1/t/${tenant.slug}`;
        if (next) expect(next).toBe(`${base}/tags?limit=2&cursor=${nextCursor}`);
        path = next?.slice(base.length);
      }
      expect(names).toEqual(['Tag & 1', 'Tag & 2', 'Tag & 3', 'Tag & 4', 'Tag & 5']);
    });

    it('is the same for HEAD', async () => {
      const get = await admin.get('/tags?limit=2');
      const head = await admin.send('head', '/tags?limit=2');
      expect(nextOf(head)).toBe(nextOf(get));
    });

    it('is absent for a POST, whose cursor belongs into the body', async () => {
      for (const title of ['One', 'Two']) await admin.post('/documents', { title }).expect(201);
      const response = await admin.post('/documents/search', { limit: 1 }).expect(200);
      expect((response.body as { nextCursor: string }).nextCursor).toEqual(expect.any(String));
      expect(response.headers.link).toBeUndefined();
    });
  });

  describe('methods', () => {
    let ids: Ids;
    let contentLink: string;
    beforeAll(async () => {
      const samples = await saveSamples(tenant, admin, await tenant.as('administrator'));
      await admin
        .put('/notification-preferences', { language: 'en', mail: { FileClosed: 'daily' } })
        .expect(200);
      const token = service.app.get(UnsubscribeTokens).write({
        tenantId: tenant.id,
        userId: admin.userId,
        issuedAt: new Date(Date.now() + 60_000).toISOString(),
      });
      const link = await admin.post(`/documents/${samples.documentId}/content-links`, {});
      contentLink = (link.body as { url: string }).url.replace(service.configuration.publicUrl, '');
      ids = { ...samples, asset: 'swagger-ui.css', token };
    });

    const filled = (path: string) =>
      path
        .replace('/api/v1/t/:tenant/content-links/:token', contentLink)
        .replace(':tenant', tenant.slug)
        .replace('/invitation/:asset', '/invitation/page.js')
        .replace(':disposalId/certificate', `${ids.completedDisposalId}/certificate`)
        .replace(/:([A-Za-z]+)/g, (name: string, key: string) => ids[key] ?? name);
    const routes = () => service.app.get(RouteTable).routes;
    const call = (method: 'get' | 'head' | 'options' | 'patch', path: string) =>
      request(service.url)
        [method](path)
        .set({ Authorization: `Bearer ${admin.token}`, 'Accept-Encoding': 'gzip' })
        .redirects(0);

    it('answers HEAD like GET without the body, for every GET route', async () => {
      const paths = routes().flatMap(({ method, path }) =>
        method === 'GET' ? [`${path}?${requiredQuery(path, ids)}`] : [],
      );
      expect(paths.length).toBeGreaterThan(25);
      for (const path of paths) {
        const get = await call('get', filled(path));
        const head = await call('head', filled(path));
        expect([path, get.status < 400]).toEqual([path, true]);
        expect([path, head.status, head.text ?? '']).toEqual([path, get.status, '']);
        expect([path, constantHeaders(head)]).toEqual([path, constantHeaders(get)]);
      }
    });

    it('lists exactly the supported methods in Allow of OPTIONS and of a 405', async () => {
      const methods = new Map<string, Set<string>>();
      for (const { method, path } of routes()) {
        const taken = methods.get(filled(path)) ?? new Set(['OPTIONS']);
        methods.set(filled(path), taken.add(method));
        if (method === 'GET') taken.add('HEAD');
      }
      for (const [path, taken] of methods) {
        const allow = [...taken].sort().join(', ');
        const options = await call('options', path);
        expect([path, options.status, options.headers.allow]).toEqual([path, 204, allow]);
        const refused = await call('patch', path);
        expectProblem(refused, 'route.method-not-allowed');
        expect([path, refused.headers.allow]).toEqual([path, allow]);
      }
    });

    it('supports GET for every collection that supports POST', () => {
      const paths = (method: string) =>
        new Set(routes().flatMap((route) => (route.method === method ? [route.path] : [])));
      const collections = [...paths('POST')].filter((path) =>
        [...paths('GET')].some((other) => other.startsWith(`${path}/:`)),
      );
      expect(collections.length).toBeGreaterThan(5);
      expect(collections.filter((path) => !paths('GET').has(path))).toEqual([]);
    });
  });
});

function constantHeaders({ headers }: Response): Record<string, string> {
  // Only a response with a body has a transfer encoding.
  const changing = ['date', 'x-request-id', 'ratelimit', 'connection', 'keep-alive', 'transfer-encoding'];
  return Object.fromEntries(
    Object.entries(headers as Record<string, string>).filter(([name]) => !changing.includes(name)),
  );
}
