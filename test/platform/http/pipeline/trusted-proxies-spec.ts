import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { saveFile } from '../../../factories/files.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { TestService } from '../../../support/service/service.js';
import { type TestTenant } from '../../../support/tenant.js';

/** More than the 60 failed authentications per minute that are allowed for an address. */
const MANY = 80;

/** Sends an invalid token with each address in the headers of proxies. Returns the statuses. */
async function failures(service: TestService, path: string, addresses: readonly string[]): Promise<number[]> {
  const send = (address: string) =>
    request(service.url)
      .get(path)
      .set('X-Forwarded-For', address)
      .set('X-Real-IP', address)
      .set('Forwarded', `for=${address}`)
      .set('Authorization', 'Bearer nonsense')
      .then(({ status }) => status);
  return Promise.all(addresses.map(send));
}

const many = (make: (i: number) => string) => Array.from({ length: MANY }, (_, i) => make(i));

describe('Proxy headers', () => {
  let service: TestService;
  let tenant: TestTenant;
  let path: string;

  describe('without TRUSTED_PROXIES', () => {
    beforeAll(async () => {
      service = await TestService.start({ PUBLIC_URL: 'http://127.0.0.1:3000' });
      tenant = await service.tenant();
      path = `/api/v1/t/${tenant.slug}/me`;
    });
    afterAll(() => service.stop());

    it('do not change the address that failed authentications count for', async () => {
      const begin = performance.now();
      const statuses = await failures(
        service,
        path,
        many((i) => `192.0.2.${i}`),
      );
      // The limit refills by one per second.
      const seconds = Math.ceil((performance.now() - begin) / 1000);
      expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(60 + seconds);
    });

    it('do not change links in responses', async () => {
      const admin = await tenant.as('administrator');
      await saveFile(tenant, admin);
      await saveFile(tenant, admin);
      const response = await admin
        .get('/files?limit=1')
        .set('Host', 'mallory.example')
        .set('X-Forwarded-Host', 'mallory.example')
        .set('X-Forwarded-Proto', 'https')
        .set('X-Forwarded-Prefix', '/mallory');
      expect(response.status).toBe(200);
      expect(response.headers.link).toMatch(/^<http:\/\/127\.0\.0\.1:3000\/api\/v1\/t\//);
      expect(JSON.stringify(response.headers)).not.toContain('mallory');
      for (const page of ['/', '/openapi.json', '/docs', '/docs/initializer.js', '/invitation']) {
        const answer = await request(service.url)
          .get(page)
          .set('Host', 'mallory.example')
          .set('X-Forwarded-Host', 'mallory.example');
        expect([answer.status, `${answer.text}${JSON.stringify(answer.headers)}`]).toEqual([
          200,
          expect.not.stringContaining('mallory'),
        ]);
      }
    });

    it('do not override path or method', async () => {
      const admin = await tenant.as('administrator');
      const before = await tenant.fingerprint();
      const response = await admin
        .post('/files', {})
        .set('X-HTTP-Method-Override', 'GET')
        .set('X-Original-URL', `/api/v1/t/${tenant.slug}/me`)
        .set('X-Rewrite-URL', `/api/v1/t/${tenant.slug}/me`);
      expectProblem(response, 'request.invalid');
      expect(await tenant.fingerprint()).toEqual(before);
    });
  });

  describe('with TRUSTED_PROXIES', () => {
    beforeAll(async () => {
      service = await TestService.start({ TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' });
      tenant = await service.tenant();
      path = `/api/v1/t/${tenant.slug}/me`;
    });
    afterAll(() => service.stop());

    it('determine the address that failed authentications count for', async () => {
      const statuses = await failures(
        service,
        path,
        many((i) => `192.0.2.${i}`),
      );
      expect(new Set(statuses)).toEqual(new Set([401]));
    });

    it('are evaluated from the right up to the first address that is not a trusted proxy', async () => {
      const begin = performance.now();
      // First address: forged by the client. Second: the client, added by a trusted proxy. Third: a trusted proxy.
      const statuses = await failures(
        service,
        path,
        many((i) => `203.0.113.${i}, 198.51.100.7, 10.1.2.3`),
      );
      const seconds = Math.ceil((performance.now() - begin) / 1000);
      expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(60 + seconds);
    });
  });
});
