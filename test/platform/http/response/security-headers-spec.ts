import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { upload } from '../../../factories/documents.js';
import { saveFile } from '../../../factories/files.js';
import { type Actor } from '../../../support/actor.js';
import { sendRaw } from '../../../support/raw-http.js';
import { TestService } from '../../../support/service/service.js';

/** Headers of every response. */
const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
};
const STRICT = "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'";

describe('Security headers', () => {
  let service: TestService;
  let admin: Actor;
  let paths: { file: string; content: string };

  beforeAll(async () => {
    service = await TestService.shared();
    const tenant = await service.tenant();
    admin = await tenant.as('administrator');
    const file = await saveFile(tenant, admin);
    const content = {
      bytes: Buffer.from('<script>alert(1)</script>'),
      fileName: 'a.html',
      mediaType: 'text/html',
    };
    const created = await upload(admin, { title: 'A page' }, content);
    paths = {
      file: `/files/${file.id}`,
      content: `/documents/${(created.body as { id: string }).id}/content`,
    };
  });

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(service.url + path, { headers, redirect: 'manual' });
  const expectStrict = (headers: Record<string, string>) =>
    expect(headers).toMatchObject({
      ...ALWAYS,
      'content-security-policy': STRICT,
      'cross-origin-opener-policy': 'same-origin',
    });

  it('are strict in API responses, including errors', async () => {
    const tag = (await admin.get(paths.file)).headers.etag as string;
    for (const [response, status] of [
      [await admin.get('/files'), 200],
      [await admin.get(paths.file).set('If-None-Match', tag), 304],
      [await admin.post('/notifications/read-all'), 204],
      [await admin.send('head', '/files'), 200],
      [await admin.get('/files?limit=0'), 400],
      [await admin.withToken('nonsense').get('/files'), 401],
      [await admin.get('/nope'), 404],
      [await admin.send('patch', '/files'), 405],
    ] as const) {
      expect(response.status).toBe(status);
      expectStrict(response.headers);
    }
    const { status, headers } = await fetch(`${service.url}/livez`, { method: 'OPTIONS' });
    expect(status).toBe(204);
    expectStrict(Object.fromEntries(headers));
  });

  it.each(['/livez', '/readyz', '/openapi.json', '/notification-types', '/', '/nope', '/api/v1/t/%ZZ'])(
    'are strict in the response of %s, which needs no token',
    async (path) => {
      expectStrict(Object.fromEntries((await get(path)).headers));
    },
  );

  it('are in the response to a malformed request', async () => {
    const { status, headers } = await sendRaw(service.url, 'HELLO\r\n\r\n');
    expect(status).toBe(400);
    const fields = headers.split('\r\n').map((line) => line.split(': ') as [string, string]);
    expectStrict(Object.fromEntries(fields.map(([name, value]) => [name.toLowerCase(), value])));
  });

  it('make browsers save downloads: attachment, no media type sniffing, sandbox', async () => {
    const response = await admin.get(paths.content);
    expect(response.status).toBe(200);
    expect(response.headers).toMatchObject({
      ...ALWAYS,
      'content-disposition': 'attachment; filename=a.html',
      'content-security-policy': expect.stringMatching(
        /^sandbox; default-src 'none';.* frame-ancestors 'none'$/,
      ),
    });
  });

  // The policy of a page allows its own assets only.
  it.each([
    ['/docs', 'same-origin-allow-popups'],
    ['/docs/swagger-ui-bundle.js', 'same-origin-allow-popups'],
    // The login window: any opener policy would separate it from the page that opened it.
    ['/docs/oauth2-redirect.html', 'unsafe-none'],
    ['/problems', 'same-origin'],
    ['/problems/file.number-taken', 'same-origin'],
    ['/invitation', 'same-origin'],
  ])('allow only what the page %s needs', async (path, opener) => {
    const response = await get(path, { accept: 'text/html,*/*;q=0.1' });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      ...ALWAYS,
      'cross-origin-opener-policy': opener,
    });
    const policy = response.headers.get('content-security-policy')?.split('; ') ?? [];
    expect(policy).toEqual(expect.arrayContaining(STRICT.split(';')));
    expect(policy.join()).not.toMatch(/unsafe|\*/);
  });

  it('do not reveal the software', async () => {
    for (const path of ['/livez', '/docs', '/nope', '/problems', '/api/v1/t/demo/files']) {
      const { headers } = await get(path);
      for (const name of ['x-powered-by', 'server', 'via']) expect(headers.get(name)).toBeNull();
    }
  });

  it('are not sent twice', async () => {
    for (const path of ['/docs', '/livez', '/invitation']) {
      const { headers } = await sendRaw(
        service.url,
        `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      const names = headers.split('\r\n').map((line) => line.split(':')[0]?.toLowerCase());
      expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    }
  });
});

describe('Security headers of the embedded issuer', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start({ OIDC_ISSUER: '', PUBLIC_URL: 'http://127.0.0.1:3000' });
  });
  afterAll(() => service.stop());

  it.each(['/oidc/.well-known/openid-configuration', '/oidc/interaction/nothing', '/oidc/auth'])(
    'have no opener policy, so that the login works in a popup window: %s',
    async (path) => {
      const { headers } = await fetch(service.url + path, { redirect: 'manual' });
      expect(Object.fromEntries(headers)).toMatchObject(ALWAYS);
      expect(headers.get('cross-origin-opener-policy')).toBeNull();
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'self'/,
      );
    },
  );
});

describe('Strict-Transport-Security', () => {
  const YEAR = 'max-age=31536000';
  const hsts = async (url: string, headers: Record<string, string>) => {
    const paths = ['/livez', '/docs', '/nope', '/api/v1/t/demo/files', '/invitation'];
    const answers = await Promise.all(paths.map((path) => fetch(url + path, { headers })));
    return [...new Set(answers.map((answer) => answer.headers.get('strict-transport-security')))];
  };

  it.each<[string, NodeJS.ProcessEnv, string | null, string | null]>([
    ['is absent with http, also if an untrusted proxy claims https', {}, null, null],
    ['is sent if a trusted proxy reports https', { TRUSTED_PROXIES: 'loopback' }, null, YEAR],
    ['is sent with every response if PUBLIC_URL has https', { PUBLIC_URL: 'https://a.example' }, YEAR, YEAR],
  ])('%s', async (_, environment, direct, forwarded) => {
    const service = await TestService.start(environment);
    try {
      expect(await hsts(service.url, {})).toEqual([direct]);
      expect(await hsts(service.url, { 'x-forwarded-proto': 'https' })).toEqual([forwarded]);
    } finally {
      await service.stop();
    }
  });
});
