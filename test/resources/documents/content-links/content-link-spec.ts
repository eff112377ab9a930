import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import request, { type Test } from 'supertest';
import { UnsubscribeTokens } from '../../../../src/resources/notification-preferences/unsubscribe-token.js';
import { buildPicture } from '../../../factories/content/pictures.js';
import { saveDocument, saveVersion } from '../../../factories/documents.js';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { shownIn } from '../../../support/pictures.js';
import { service } from '../../../support/service/shared-service.js';
import { sha256Of } from '../../../support/content-fixtures.js';
import { asBytes } from '../../../support/stored-content.js';
import { type TestTenant } from '../../../support/tenant.js';

describe('A content link', () => {
  let tenant: TestTenant;
  let administrator: Actor;
  let viewer: Actor;
  let id: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    administrator = await tenant.as('administrator');
    viewer = await tenant.as('viewer', 'Vera Viewer');
    id = (await saveDocument(tenant, administrator, { title: 'Bauplan' })).id;
    await saveVersion(tenant, administrator, id, { bytes: 'the first', fileName: 'Plan.txt' });
    await saveVersion(tenant, administrator, id, {
      bytes: '<script></script>',
      fileName: 'Plan.html',
      mediaType: 'text/html',
    });
  });
  afterEach(() => void jest.restoreAllMocks());

  /** The path of a new link. */
  const link = async (body: object = {}, actor = viewer, documentId = id): Promise<string> => {
    const response = await actor.post(`/documents/${documentId}/content-links`, body);
    return new URL((response.body as { url: string }).url).pathname;
  };
  /** Without a token. Each tenant has an address of its own, because invalid links are limited by address. */
  const follow = (path: string, method: 'get' | 'head' | 'post' = 'get'): Test =>
    request(service.url)
      [method](path)
      .set('X-Forwarded-For', `10.${[...Buffer.from(tenant.id.slice(-6), 'hex')].join('.')}`);
  const downloads = async () =>
    (await tenant.audit())
      .filter(({ action }) => action === 'DocumentDownloaded')
      .map(({ actor_id, summary }) => [actor_id, summary]);
  const tokenOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

  it('answers as GetDocumentContent, with an audit entry of its creator', async () => {
    const direct = await asBytes(viewer.get(`/documents/${id}/content?disposition=inline`));
    const response = await asBytes(follow(await link({ disposition: 'inline' })));
    expect([response.status, (response.body as Buffer).toString()]).toEqual([200, '<script></script>']);
    const { date, connection, 'x-request-id': requestId, ratelimit } = response.headers;
    expect(response.headers).toEqual({
      ...direct.headers,
      ...{ date, connection, 'x-request-id': requestId, ratelimit },
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(ratelimit).toBeDefined();
    expect(response.headers).toMatchObject({
      'cache-control': 'private, no-cache',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringMatching(/^sandbox;/) as unknown,
    });
    expect(await downloads()).toEqual(Array(2).fill([viewer.userId, 'Bauplan: version 2']));
  });

  it('answers for a version, a range, HEAD and a known entity tag', async () => {
    const path = await link({ version: 1 });
    const range = await asBytes(follow(path).set('Range', 'bytes=4-'));
    expect([range.status, (range.body as Buffer).toString()]).toEqual([206, 'first']);
    expect(await downloads()).toEqual([[viewer.userId, 'Bauplan: version 1']]);
    const head = await follow(path, 'head');
    expect([head.status, head.headers['content-length']]).toEqual([200, '9']);
    const known = await follow(path).set('If-None-Match', `"${sha256Of('the first')}"`);
    expect(known.status).toBe(304);
    expectProblem(await follow(path).set('Range', 'bytes=9-'), 'content.range-not-satisfiable');
    expectProblem(await follow(path, 'post'), 'route.method-not-allowed');
    expect(await downloads()).toHaveLength(1);
  });

  it('answers with a preview that may not be kept', async () => {
    const picture = (await saveDocument(tenant, administrator, { title: 'Foto' })).id;
    await saveVersion(tenant, administrator, picture, {
      bytes: buildPicture('png', 1000, 500),
      mediaType: 'image/png',
    });
    const path = await link({ of: 'preview', version: 1, width: 200 }, viewer, picture);
    const response = await asBytes(follow(path));
    expect([response.status, response.headers['content-type']]).toEqual([200, 'image/webp']);
    expect(response.headers['cache-control']).toBe('private, no-cache');
    expect(await shownIn(response.body as Buffer)).toMatchObject({ width: 200 });
    expect(await downloads()).toEqual([[viewer.userId, 'Foto: preview']]);
  });

  it('uses the rate limit of its creator, and ignores the token of another user', async () => {
    const path = await link();
    const other = await tenant.as('viewer');
    await follow(path).set('Authorization', `Bearer ${other.token}`);
    expect(await downloads()).toEqual([[viewer.userId, 'Bauplan: version 2']]);
    await tenant.limitRequests(1, 2);
    // The first request reads the new limit, the others use it up.
    for (let n = 0; n < 3; n += 1) await viewer.get('/me');
    expectProblem(await follow(path), 'request.rate-limited');
    expect((await other.get('/me')).status).toBe(200);
  });

  it('continues to work after a change of the slug', async () => {
    const path = await link();
    await administrator.put('/slug', { slug: `${tenant.slug}-new` });
    expect((await follow(path)).status).toBe(200);
  });

  describe('ends', () => {
    it('with the time', async () => {
      const path = await link({ expiresIn: 1 });
      const end = Date.now() + 1001;
      jest.spyOn(Date, 'now').mockReturnValue(end);
      expectProblem(await follow(path), 'content-link.invalid');
    });

    it('with the permission of its creator', async () => {
      const path = await link();
      const roleId = await tenant.roleId('auditor');
      await administrator.put(`/members/${viewer.userId}`, { roleId });
      expectProblem(await follow(path), 'permission.missing');
    });

    it('with the membership of its creator', async () => {
      const path = await link();
      await administrator.delete(`/members/${viewer.userId}`);
      expectProblem(await follow(path), 'tenant.no-access');
    });

    it('with the suspension of the tenant', async () => {
      const path = await link();
      await service.query('UPDATE tenants SET suspended_at = now() WHERE id = $1', [tenant.id]);
      await tenant.increaseAccessVersion();
      expectProblem(await follow(path), 'tenant.suspended');
    });

    it('when the document becomes confidential to others', async () => {
      const path = await link();
      await administrator.put(`/documents/${id}/confidentiality`, { isConfidential: true });
      expectProblem(await follow(path), 'resource.not-found');
    });

    it('with the deletion of the document', async () => {
      const path = await link();
      await administrator.delete(`/documents/${id}`);
      expectProblem(await follow(path), 'resource.not-found');
    });

    afterEach(async () => expect(await downloads()).toEqual([]));
  });

  it('is refused under the slug of another tenant of its creator', async () => {
    const path = await link();
    const other = await service.tenant();
    await other.addMember(viewer, 'viewer');
    expectProblem(await follow(path.replace(tenant.slug, other.slug)), 'content-link.invalid');
  });

  it('is refused if anything in it is changed', async () => {
    const token = tokenOf(await link());
    const bytes = Buffer.from(token, 'base64url');
    const changed = [0, 36, 40, 50, 90, bytes.length - 17, bytes.length - 1].map((index) => {
      const copy = Buffer.from(bytes);
      copy.writeUInt8(copy.readUInt8(index) ^ 1, index);
      return copy.toString('base64url');
    });
    const others = [`${token}=`, `${token}A`, token.slice(1), `${token}.${token}`, 'a', 'A'.repeat(8000)];
    for (const value of [...changed, ...others])
      expectProblem(await follow(`/api/v1/t/${tenant.slug}/content-links/${value}`), 'content-link.invalid');
    expect(await downloads()).toEqual([]);
  });

  it('opens nothing else: not as a bearer token, in a query, or with another path after it', async () => {
    const path = await link();
    const token = tokenOf(path);
    const content = `/api/v1/t/${tenant.slug}/documents/${id}/content`;
    expectProblem(await follow(content).set('Authorization', `Bearer ${token}`), 'authentication.required');
    for (const query of [`token=${token}`, `token=${token}&token=${token}`, `link=${token}`])
      expectProblem(await follow(`${content}?${query}`), 'authentication.required');
    for (const suffix of ['/content', '/..%2f..%2fme', '/'])
      expectProblem(await follow(`${path}${suffix}`), 'route.not-found');
    const response = await follow(`${path}?disposition=inline&version=1`);
    expect([response.status, response.headers['content-disposition']]).toEqual([
      200,
      'attachment; filename=Plan.html',
    ]);
  });

  it('cannot be replaced by a link to unsubscribe, and the reverse', async () => {
    const tokens = service.app.get(UnsubscribeTokens);
    const issuedAt = new Date().toISOString();
    const other = tokens.write({ tenantId: tenant.id, userId: viewer.userId, issuedAt });
    expectProblem(await follow(`/api/v1/t/${tenant.slug}/content-links/${other}`), 'content-link.invalid');
    expectProblem(await follow(`/unsubscribe/${tokenOf(await link())}`), 'resource.not-found');
  });

  it('returns 429 to an address with more than 60 invalid links', async () => {
    const path = `/api/v1/t/${tenant.slug}/content-links/invalid`;
    const statuses = await Promise.all(Array.from({ length: 65 }, async () => (await follow(path)).status));
    expect(new Set(statuses)).toEqual(new Set([403, 429]));
    expect((await follow(await link())).status).toBe(200);
  });
});
