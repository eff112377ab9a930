import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ALL_PROBLEM_CODES, PROBLEMS } from '../../src/vocabulary/problems.js';
import { TestService } from '../support/service.js';

/** With the embedded issuer, whose addresses stand in the document, the port has to be known before. */
async function freePort(): Promise<number> {
  const probe = createServer();
  await once(probe.listen(0, '127.0.0.1'), 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

describe('The documentation', () => {
  let service: TestService;
  let publicUrl: string;
  beforeAll(async () => {
    publicUrl = `http://127.0.0.1:${await freePort()}`;
    service = await TestService.start({ OIDC_ISSUER: '', PUBLIC_URL: publicUrl });
  });
  afterAll(() => service.stop());

  const get = (path: string, accept = '*/*') =>
    fetch(service.url + path, { headers: { accept }, redirect: 'manual' });

  describe('Swagger UI', () => {
    it('is one page and its parts, all from here', async () => {
      const page = await get('/docs');
      expect({ status: page.status, type: page.headers.get('content-type') }).toEqual({
        status: 200,
        type: 'text/html; charset=utf-8',
      });
      const html = await page.text();
      const parts = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
      expect(parts).toHaveLength(6);
      for (const part of parts) {
        const response = await fetch(new URL(part, `${service.url}/docs`));
        expect({ part, status: response.status }).toEqual({ part, status: 200 });
        expect(Number(response.headers.get('content-length'))).toBeGreaterThan(100);
      }
      expect(html).not.toMatch(/https?:|<script>|\son\w+=/);
    });

    it('runs scripts from here only, and talks to the service and its issuer only', async () => {
      const policy = (await get('/docs')).headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain(`connect-src 'self' ${publicUrl};`);
      expect(policy).toContain("frame-ancestors 'none'");
    });

    it('logs in as the client that the embedded issuer knows, with PKCE, and is sent back to a page that is there', async () => {
      const initializer = await (await get('/docs/initializer.js')).text();
      const login = JSON.parse(/initOAuth\((.*)\);/.exec(initializer)?.[1] ?? '') as object;
      expect(login).toMatchObject({ clientId: 'swagger-ui', usePkceWithAuthorizationCodeGrant: true });
      expect(initializer).toContain(`new URL('docs/oauth2-redirect.html', window.location.href)`);
      expect((await get('/docs/oauth2-redirect.html')).status).toBe(200);
      expect((await get('/docs/oauth2-redirect.js')).status).toBe(200);

      const document = (await (await get('/openapi.json')).json()) as {
        components: {
          securitySchemes: {
            oauth2: { flows: { authorizationCode: { authorizationUrl: string; tokenUrl: string } } };
          };
        };
      };
      // The issuer names its addresses after the one that it is asked at.
      const response = await get('/oidc/.well-known/openid-configuration');
      const discovery = (await response.json()) as Record<string, string>;
      expect(document.components.securitySchemes.oauth2.flows.authorizationCode).toMatchObject({
        authorizationUrl: discovery.authorization_endpoint?.replace(service.url, publicUrl),
        tokenUrl: discovery.token_endpoint?.replace(service.url, publicUrl),
      });
      const asked = new URL(discovery.authorization_endpoint ?? '');
      asked.search = new URLSearchParams({
        response_type: 'code',
        client_id: 'swagger-ui',
        redirect_uri: `${publicUrl}/docs/oauth2-redirect.html`,
        scope: 'openid email profile',
        state: 'x',
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
      }).toString();
      const answer = await fetch(asked, { redirect: 'manual' });
      expect({ status: answer.status, to: answer.headers.get('location') }).toEqual({
        status: 303,
        to: expect.stringMatching(/^\/oidc\/interaction\//),
      });
    });

    it.each([
      '/docs/',
      '/docs/package.json',
      '/docs/../package.json',
      '/docs/swagger-ui.js.map',
      '/docs/constructor',
      '/docs/%2e%2e%2fpackage.json',
    ])('has nothing else: %s', async (path) => {
      const response = await get(path);
      expect({ status: response.status, type: response.headers.get('content-type') }).toEqual({
        status: 404,
        type: 'application/problem+json; charset=utf-8',
      });
    });
  });

  describe('the problems', () => {
    it('are each explained for people, where their type leads', async () => {
      for (const code of ALL_PROBLEM_CODES) {
        const response = await get(`/problems/${code}`, 'text/html,application/xhtml+xml,*/*;q=0.8');
        const html = await response.text();
        expect({ code, status: response.status, type: response.headers.get('content-type') }).toEqual({
          code,
          status: 200,
          type: 'text/html; charset=utf-8',
        });
        expect(html).toContain(`<h1>${PROBLEMS[code].title}</h1>`);
        expect(html).toContain(`/problems/${code}`);
        // What to do is said for every status.
        expect(html).not.toContain('<p></p>');
      }
    });

    it('are listed, each with a link that leads to it', async () => {
      const html = await (await get('/problems', 'text/html')).text();
      const links = [...html.matchAll(/href="problems\/([^"]+)"/g)].map(([, code = '']) => code);
      expect(links.sort()).toEqual([...ALL_PROBLEM_CODES].sort());
    });

    it('are JSON for programs, which do not say what they want', async () => {
      const { status, title, detail } = PROBLEMS['file.number-taken'];
      const expected = { type: '/problems/file.number-taken', title, status, detail };
      for (const accept of ['*/*', 'application/json']) {
        const response = await get('/problems/file.number-taken', accept);
        expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
        expect(response.headers.get('vary')).toBe('Accept');
        expect(await response.json()).toEqual(expected);
      }
      const list = (await (await get('/problems')).json()) as object[];
      expect(list).toHaveLength(ALL_PROBLEM_CODES.length);
      expect(list).toContainEqual(expected);
    });

    it('404: for one that there is not', async () => {
      for (const code of ['nothing', 'constructor', '__proto__', 'file.number-taken.json']) {
        const response = await get(`/problems/${code}`, 'text/html');
        expect({ code, status: response.status, body: await response.json() }).toEqual({
          code,
          status: 404,
          body: expect.objectContaining({ type: '/problems/resource.not-found' }),
        });
      }
    });

    it('406: in no other form', async () => {
      const response = await get('/problems', 'image/png');
      expect({ status: response.status, body: await response.json() }).toEqual({
        status: 406,
        body: expect.objectContaining({ type: '/problems/request.not-acceptable' }),
      });
    });
  });
});
