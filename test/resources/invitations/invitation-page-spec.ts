import { describe, expect, it } from '@jest/globals';
import { service } from '../../support/service/shared-service.js';
import { expectProblem } from '../../support/expect-problem.js';
import request from 'supertest';

/** test/browser/invitation-page-spec.ts tests the page in a browser. */
describe('The invitation page', () => {
  const get = (path = '', headers: Record<string, string> = {}) =>
    fetch(`${service.url}/invitation${path}`, { headers });

  it('is served without a token, and with 304 for a current If-None-Match', async () => {
    const response = await get();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const again = await get('', { 'If-None-Match': response.headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
  });

  it.each([
    [undefined, 'en', 'Accept', 'Invited by'],
    ['fr', 'en', 'Accept', 'Invited by'],
    ['de-CH, en;q=0.5', 'de', 'Annehmen', 'Eingeladen von'],
  ])('answers Accept-Language %s in %s', async (accepted, language, button, text) => {
    const response = await get('', accepted === undefined ? {} : { 'Accept-Language': accepted });
    const html = await response.text();
    expect(html).toContain(`<html lang="${language}">`);
    expect(html).toContain(`data-action="accept">${button}</button>`);
    expect(html).toContain(text);
    expect(response.headers.get('content-language')).toBe(language);
    expect(response.headers.get('vary')).toContain('Accept-Language');
  });

  it('has no inline scripts and may connect only to the service and https', async () => {
    const response = await get();
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('content-security-policy')?.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      `connect-src 'self' ${service.issuer.url} https:`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    const html = await response.text();
    expect(html).not.toMatch(/<style|\son\w+=|javascript:/);
    expect([...html.matchAll(/<script[^>]*>([^<]*)<\/script>/g)].map(([, inline]) => inline)).toEqual(['']);
    const parts = [...html.matchAll(/(?:src|href)="(invitation\/[^"]+)"/g)].map(([, part = '']) => part);
    expect(parts).toEqual(['invitation/page.css', 'invitation/page.js']);
    for (const part of parts) {
      const asset = await fetch(new URL(part, `${service.url}/invitation`));
      expect({ part, status: asset.status }).toEqual({ part, status: 200 });
      expect(await asset.text()).not.toContain('innerHTML');
    }
  });

  it('contains the issuer and the client id of the documentation', async () => {
    const html = await (await get()).text();
    expect(html).toContain(`data-issuer="${service.issuer.url}"`);
    expect(html).toContain(`data-client-id="${service.configuration.docsClientId}"`);
  });

  it('returns 404 for an unknown asset', async () => {
    expectProblem(await request(service.url).get('/invitation/other.js'), 'route.not-found');
  });
});
