import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { saveFile } from '../../../factories/files.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { TestService } from '../../../support/service/service.js';
import { type TestTenant } from '../../../support/tenant.js';

/** More than the 60 failed authentications per minute that are allowed for an address. */
const MANY = 80;

describe('Proxy headers', () => {
  let service: TestService;
  let tenant: TestTenant;

  /** Sends an invalid token with each address in the headers of proxies. */
  async function fail(addressOf: (i: number) => string): Promise<{ failed: number; limit: number }> {
    const begin = performance.now();
    const send = (address: string) =>
      request(service.url)
        .get(`/api/v1/t/${tenant.slug}/me`)
        .set({ 'X-Forwarded-For': address, 'X-Real-IP': address, Forwarded: `for=${address}` })
        .set('Authorization', 'Bearer nonsense');
    const answers = await Promise.all(Array.from({ length: MANY }, (_, i) => send(addressOf(i))));
    // The limit refills by one per second.
    const limit = 60 + Math.ceil((performance.now() - begin) / 1000);
    return { failed: answers.filter(({ status }) => status === 401).length, limit };
  }

  describe('without TRUSTED_PROXIES', () => {
    beforeAll(async () => {
      service = await TestService.start({ PUBLIC_URL: 'http://127.0.0.1:3000' });
      tenant = await service.tenant();
    });
    afterAll(() => service.stop());

    it('do not change the address that failed authentications count for', async () => {
      const { failed, limit } = await fail((i) => `192.0.2.${i}`);
      expect(failed).toBeLessThanOrEqual(limit);
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
    });
    afterAll(() => service.stop());

    it('determine the address that failed authentications count for', async () => {
      expect((await fail((i) => `192.0.2.${i}`)).failed).toBe(MANY);
    });

    it('are evaluated from the right up to the first address that is not a trusted proxy', async () => {
      // First address: forged by the client. Second: the client, added by a trusted proxy. Third: a trusted proxy.
      const { failed, limit } = await fail((i) => `203.0.113.${i}, 198.51.100.7, 10.1.2.3`);
      expect(failed).toBeLessThanOrEqual(limit);
    });
  });
});
