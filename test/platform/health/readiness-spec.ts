import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '../../support/wait-until.js';
import { TokenVerifier } from '../../../src/platform/identity/token-verifier.js';
import { TestService } from '../../support/service/service.js';

describe('GetReadiness', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start();
    // The service asks an unavailable issuer again after this time, in milliseconds.
    Object.assign(service.app.get(TokenVerifier)['timing'], { cooldown: 100 });
  });
  afterAll(() => service.stop());

  const readiness = async () => {
    const response = await fetch(`${service.url}/readyz`);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const statusWith = async (token: string) =>
    (await fetch(`${service.url}/api/v1/tenants`, { headers: { authorization: `Bearer ${token}` } })).status;
  const stopIssuer = () => {
    service.issuer.failure = (res) => res.writeHead(502).end();
  };

  it('returns 503 until the issuer has answered once', async () => {
    stopIssuer();
    expect(await readiness()).toMatchObject({
      status: 503,
      body: {
        type: '/problems/service.unavailable',
        detail: 'The identity provider (issuer) has not responded since the service started.',
      },
    });
    expect(await statusWith(await service.issuer.token())).toBe(503);
    service.issuer.failure = undefined;
    await waitUntil(async () => (await readiness()).status === 200, 'Readiness');
    expect((await readiness()).body).toEqual({ status: 'ready', issuer: 'available' });
  });

  it('stays ready when the issuer becomes unavailable later, and reports its state', async () => {
    const token = await service.issuer.token();
    expect(await statusWith(token)).toBe(200);
    const other = await service.issuer.token({ sub: 'another' });
    stopIssuer();
    // A token with an unknown key causes a new request to the issuer, from time to time.
    const forged = await service.issuer.forgedToken({}, { kid: 'unknown' });
    await waitUntil(async () => {
      await statusWith(forged);
      await sleep(100);
      return (await readiness()).body.issuer === 'unavailable';
    }, 'The issuer state "unavailable"');
    expect(await readiness()).toEqual({ status: 200, body: { status: 'ready', issuer: 'unavailable' } });
    for (const known of [token, other]) expect(await statusWith(known)).toBe(200);
    service.issuer.failure = undefined;
  });
});
