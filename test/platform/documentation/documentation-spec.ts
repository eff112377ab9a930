import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type OpenAPIObject, type SecuritySchemeObject } from '@nestjs/swagger';
import { LANGUAGES } from '../../../src/common/messages/languages.js';
import { ALL_PROBLEM_CODES, PROBLEMS } from '../../../src/common/messages/problems.js';
import { TestService } from '../../support/service/service.js';

const PUBLIC_URL = 'http://127.0.0.1:4000';
const HTML = 'text/html; charset=utf-8';

describe('Documentation', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start({
      OIDC_ISSUER: '',
      PUBLIC_URL,
      UPLOAD_LIMIT_BYTES: String(5 * 1024 * 1024),
      TENANT_STORAGE_LIMIT_BYTES: '7777777',
      BIN_RETENTION_DAYS: '1',
    });
  });
  afterAll(() => service.stop());

  const get = (path: string, accept = '*/*') =>
    fetch(service.url + path, { headers: { accept }, redirect: 'manual' });

  describe('Swagger UI', () => {
    it('consists of one page and assets of the same origin', async () => {
      const page = await get('/docs');
      expect([page.status, page.headers.get('content-type')]).toEqual([200, HTML]);
      const html = await page.text();
      const parts = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
      expect(parts).toHaveLength(8);
      for (const part of parts) {
        const response = await fetch(new URL(part, `${service.url}/docs`));
        expect({ part, status: response.status }).toEqual({ part, status: 200 });
        expect(Number(response.headers.get('content-length'))).toBeGreaterThan(100);
      }
      expect(html).not.toMatch(/https?:|<script>|\son\w+=/);
    });

    it('allows only scripts of the same origin, and connections to the service and the issuer', async () => {
      const policy = (await get('/docs')).headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("style-src 'self';");
      expect(policy).toContain(`connect-src 'self' ${PUBLIC_URL};`);
      expect(policy).toContain("frame-ancestors 'none'");
    });

    it('logs in with PKCE as a client of the embedded issuer, with an existing redirect page', async () => {
      const initializer = await (await get('/docs/initializer.js')).text();
      const settings = JSON.parse(/initOAuth\((.*)\);/.exec(initializer)?.[1] ?? '') as object;
      expect(settings).toMatchObject({ clientId: 'swagger-ui', usePkceWithAuthorizationCodeGrant: true });
      expect(initializer).toContain(`new URL('docs/oauth2-redirect.html', window.location.href)`);
      expect((await get('/docs/oauth2-redirect.html')).status).toBe(200);
      expect((await get('/docs/oauth2-redirect.js')).status).toBe(200);

      const document = (await (await get('/openapi.json')).json()) as OpenAPIObject;
      const { flows } = document.components?.securitySchemes?.oauth2 as SecuritySchemeObject;
      // The issuer's URLs in its discovery document begin with the requested origin.
      const response = await get('/oidc/.well-known/openid-configuration');
      const discovery = (await response.json()) as Record<string, string>;
      expect(flows?.authorizationCode).toMatchObject({
        authorizationUrl: discovery.authorization_endpoint?.replace(service.url, PUBLIC_URL),
        tokenUrl: discovery.token_endpoint?.replace(service.url, PUBLIC_URL),
      });
      const asked = new URL(discovery.authorization_endpoint ?? '');
      asked.search = new URLSearchParams({
        response_type: 'code',
        client_id: 'swagger-ui',
        redirect_uri: `${PUBLIC_URL}/docs/oauth2-redirect.html`,
        scope: 'openid email profile',
        state: 'x',
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
      }).toString();
      const answer = await fetch(asked, { redirect: 'manual' });
      const login = expect.stringMatching(/^\/oidc\/interaction\//);
      expect([answer.status, answer.headers.get('location')]).toEqual([303, login]);
    });

    it('keeps the login after a reload, and shows requests for the command line', async () => {
      const initializer = await (await get('/docs/initializer.js')).text();
      for (const setting of ['persistAuthorization', 'requestSnippetsEnabled', 'tryItOutEnabled'])
        expect(initializer).toContain(`"${setting}":true`);
    });

    it.each([
      '/docs/',
      '/docs/package.json',
      '/docs/../package.json',
      '/docs/swagger-ui.js.map',
      '/docs/constructor',
      '/docs/%2e%2e%2fpackage.json',
    ])('does not serve %s', async (path) => {
      const response = await get(path);
      const problem = 'application/problem+json; charset=utf-8';
      expect([response.status, response.headers.get('content-type')]).toEqual([404, problem]);
    });
  });

  it('lists the configured limits', async () => {
    const { info } = (await (await get('/openapi.json')).json()) as { info: { description: string } };
    const paragraph = /\*\*Limits\.\*\* [^]*?(?=\n\n)/.exec(info.description)?.[0].replaceAll('\n', ' ');
    for (const limit of [
      'at most 64 KiB (4 KiB for AcceptInvitation, ',
      'and 32 nested levels',
      'header fields of a request have at most 16 KiB',
      'content of a document at most 5 MiB',
      'contents of a tenant 7777777 bytes',
      '1000000 requests per minute',
      'at most 200 items, 50 without',
      'in the bin for 1 day',
    ])
      expect(paragraph).toContain(limit);
  });

  describe('Problem pages', () => {
    const getIn = (language: string, path: string, accept: string) =>
      fetch(service.url + path, { headers: { accept, 'accept-language': language } });

    it('explain each problem in HTML at the path of its type, in both languages', async () => {
      for (const code of ALL_PROBLEM_CODES) {
        const { title, status, detail, advice } = PROBLEMS[code];
        for (const language of LANGUAGES) {
          const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
          const response = await getIn(language, `/problems/${code}`, accept);
          const html = await response.text();
          const type = response.headers.get('content-type');
          expect([code, response.status, type]).toEqual([code, 200, HTML]);
          expect(response.headers.get('content-language')).toBe(language);
          expect(html).toContain(`<html lang="${language}">`);
          expect(html).toContain(`<h1>${title[language]}</h1>`);
          expect(html).toContain(detail[language]);
          expect(html).toContain(advice[language]);
          expect(html).toContain(`${status} <code>/problems/${code}</code>`);
          expect(html).not.toMatch(/<p><\/p>|undefined|<script|\son\w+=/);
        }
      }
    });

    it('link to the operations that return the problem', async () => {
      const linksOf = async (code: string) => {
        const html = await (await get(`/problems/${code}`, 'text/html')).text();
        return [...html.matchAll(/<a href="..\/docs#\/(\w+)\/(\w+)">\2<\/a>/g)].map(([, ...link]) =>
          link.join(),
        );
      };
      expect(await linksOf('file.number-taken')).toEqual(['Files,CreateFile']);
      expect(await linksOf('route.not-found')).toEqual([]);
      expect(await linksOf('authentication.required')).toContain('Me,GetTenantMe');
      const noAccess = await linksOf('tenant.no-access');
      expect(noAccess).toContain('Files,CreateFile');
      expect(noAccess).not.toContain('Me,GetTenantMe');
    });

    it('allow only their own style sheet', async () => {
      const response = await get('/problems', 'text/html');
      const style = /<style>([^<]*)<\/style>/.exec(await response.text())?.[1] ?? '';
      const hash = createHash('sha256').update(style).digest('base64');
      expect(response.headers.get('content-security-policy')).toBe(
        `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      );
    });

    it('are all linked from the list of problems', async () => {
      const html = await (await get('/problems', 'text/html')).text();
      const links = [...html.matchAll(/href="problems\/([^"]+)"/g)].map(([, code = '']) => code);
      expect(links.sort()).toEqual([...ALL_PROBLEM_CODES].sort());
    });

    it('are JSON for */* and application/json', async () => {
      const { status, title, detail } = PROBLEMS['file.number-taken'];
      const expected = {
        type: '/problems/file.number-taken',
        title: title.en,
        status,
        detail: detail.en,
        advice: expect.stringMatching(/^Choose another number/),
        operations: ['CreateFile'],
      };
      for (const accept of ['*/*', 'application/json']) {
        const response = await get('/problems/file.number-taken', accept);
        expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
        expect(response.headers.get('vary')).toBe('Accept, Accept-Language');
        expect(await response.json()).toEqual(expected);
      }
      const list = (await (await get('/problems')).json()) as object[];
      expect(list).toHaveLength(ALL_PROBLEM_CODES.length);
      expect(list).toContainEqual(expected);
      const german = await getIn('de', '/problems/file.number-taken', 'application/json');
      expect(await german.json()).toMatchObject({ title: title.de });
    });

    it('return 304 for a current entity tag of the same format and language', async () => {
      const tag = (await get('/problems', 'text/html')).headers.get('etag') ?? '';
      const again = (language: string) =>
        fetch(`${service.url}/problems`, {
          headers: { accept: 'text/html', 'accept-language': language, 'if-none-match': tag },
        });
      expect([(await again('en')).status, (await again('de')).status]).toEqual([304, 200]);
    });

    it('returns 404 for an unknown code', async () => {
      for (const code of ['nothing', 'constructor', '__proto__', 'file.number-taken.json']) {
        const response = await get(`/problems/${code}`, 'text/html');
        const { type } = (await response.json()) as { type: string };
        expect([code, response.status, type]).toEqual([code, 404, '/problems/resource.not-found']);
      }
    });

    it('returns 406 for other media types', async () => {
      const response = await get('/problems', 'image/png');
      expect(response.status).toBe(406);
      expect(await response.json()).toMatchObject({ type: '/problems/request.not-acceptable' });
    });
  });
});
