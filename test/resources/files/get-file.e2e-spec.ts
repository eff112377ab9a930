import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../../factories/access-grants.js';
import { saveDocument } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('GetFile', () => {
  let tenant: TestTenant;
  let viewer: Actor;
  let file: Awaited<ReturnType<typeof saveFile>>;
  beforeEach(async () => {
    tenant = await service.tenant();
    viewer = await tenant.as('viewer');
    file = await saveFile(tenant, viewer, { createdAt: '2026-03-01T12:00:00.100Z' });
  });

  it('returns 200 with the file and its entity tag, and times in milliseconds', async () => {
    const response = await viewer.get(`/files/${file.id}`);
    const createdAt = '2026-03-01T12:00:00.100Z';
    expect([response.status, response.body]).toEqual([
      200,
      { ...file, status: 'Open', createdAt, updatedAt: createdAt, closedAt: null },
    ]);
    expect(response.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      etag: expect.stringMatching(/^"[^"]+"$/),
      'cache-control': 'private, no-cache',
    });
    const again = await viewer.get(`/files/${file.id.toUpperCase()}`);
    expect([again.text, again.headers.etag]).toEqual([response.text, response.headers.etag]);
  });

  it('returns 200 to HEAD with the same headers and no body', async () => {
    const [get, head] = [
      await viewer.get(`/files/${file.id}`),
      await viewer.send('head', `/files/${file.id}`),
    ];
    expect([head.status, head.text ?? '']).toEqual([200, '']);
    for (const name of ['etag', 'content-type', 'content-length']) {
      expect(head.headers[name]).toBe(get.headers[name]);
    }
  });

  it('returns 304 for a current If-None-Match, also weak or in a list; 200 for another', async () => {
    const { etag = '' } = (await viewer.get(`/files/${file.id}`)).headers;
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const response = await viewer.get(`/files/${file.id}`).set('If-None-Match', header);
      expect([response.status, response.text, response.headers.etag]).toEqual([304, '', etag]);
      expect(response.headers['content-type']).toBeUndefined();
    }
    expect((await viewer.get(`/files/${file.id}`).set('If-None-Match', '"other"')).status).toBe(200);
    await (await tenant.as('editor')).put(`/files/${file.id}`, { name: 'New' });
    expect((await viewer.get(`/files/${file.id}`).set('If-None-Match', etag)).status).toBe(200);
  });

  it('returns 200 and ignores If-Match', async () => {
    expect((await viewer.get(`/files/${file.id}`).set('If-Match', '"other"')).status).toBe(200);
  });

  it('returns 404 for a file without a grant, 403 once the caller has no grant at all', async () => {
    const guest = await tenant.as('guest');
    const other = await saveFile(tenant, viewer);
    await saveAccessGrant(tenant, guest, { file: file.id });
    expect((await guest.get(`/files/${file.id}`)).status).toBe(200);
    expectProblem(await guest.get(`/files/${other.id}`), 'resource.not-found');
    expectProblem(await guest.get('/files/x'), 'resource.not-found');
    await service.query('UPDATE access_grants SET revoked_at = now() WHERE tenant_id = $1', [tenant.id]);
    expectProblem(await guest.get(`/files/${file.id}`), 'permission.missing');
    expectProblem(await guest.get('/files/x'), 'permission.missing');
  });

  it('returns 403 without an entity tag for a current If-None-Match without the permission', async () => {
    const { etag = '' } = (await viewer.get(`/files/${file.id}`)).headers;
    const response = await (await tenant.as('guest')).get(`/files/${file.id}`).set('If-None-Match', etag);
    expectProblem(response, 'permission.missing');
    expect(response.headers.etag).toBeUndefined();
  });

  it('returns 200 with the number of its documents, and an entity tag that includes it', async () => {
    await saveDocument(tenant, viewer, { fileIds: [file.id] });
    await saveDocument(tenant, viewer, { fileIds: [file.id], confidentialTo: [] });
    const plain = await viewer.get(`/files/${file.id}`);
    const response = await viewer.get(`/files/${file.id}?include=counts`);
    expect([response.status, response.body]).toEqual([200, { ...plain.body, documentCount: 1 }]);
    expect(response.headers.etag).not.toBe(plain.headers.etag);
  });

  it('returns 400 for an unknown part of include', async () => {
    expectProblem(await viewer.get(`/files/${file.id}?include=all`), 'request.invalid', ['include']);
  });
});
