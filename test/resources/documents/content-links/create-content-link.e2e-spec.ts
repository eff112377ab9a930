import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveDocument, saveVersion } from '../../../factories/documents.js';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { remainingAfter } from '../../../support/price.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';

describe('CreateContentLink', () => {
  let tenant: TestTenant;
  let editor: Actor;
  let viewer: Actor;
  let id: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor');
    viewer = await tenant.as('viewer');
    id = (await saveDocument(tenant, editor)).id;
    await saveVersion(tenant, editor, id, { bytes: 'the first' });
    await saveVersion(tenant, editor, id, { bytes: 'second' });
  });

  const create = (body: object, documentId = id) =>
    viewer.post(`/documents/${documentId}/content-links`, body);

  it.each([
    [{}, 900],
    [{ of: 'content', version: 1, disposition: 'inline', expiresIn: 60 }, 60],
    [{ of: 'preview', version: 2, page: 1, width: 200, expiresIn: 1 }, 1],
    [{ page: 1, disposition: null }, 900],
  ])('returns 200 with an address and its expiry for %j, and writes nothing', async (body, seconds) => {
    const before = await tenant.fingerprint();
    const sentAt = Date.now();
    const response = await create(body);
    expect(response.status).toBe(200);
    const { url, expiresAt } = response.body as { url: string; expiresAt: string };
    expect(url).toMatch(new RegExp(`/api/v1/t/${tenant.slug}/content-links/[\\w-]{150,250}$`));
    const expiry = Date.parse(expiresAt) - seconds * 1000;
    expect([expiry >= sentAt, expiry <= Date.now()]).toEqual([true, true]);
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it('costs a quarter of a request', async () => {
    await tenant.limitRequests(1, 100);
    const remaining = async () => remainingAfter(await create({}));
    const [first] = [await remaining(), await remaining(), await remaining(), await remaining()];
    expect(first - (await remaining())).toBe(1);
  });

  it.each([
    [{ of: 'text' }, 'of'],
    [{ version: 0 }, 'version'],
    [{ disposition: 'download' }, 'disposition'],
    [{ expiresIn: 901 }, 'expiresIn'],
    [{ page: 0 }, 'page'],
    [{ width: 1601 }, 'width'],
    [{ page: 1, disposition: 'inline' }, 'disposition'],
    [{ of: 'content', page: 1 }, 'page'],
    [{ of: 'content', width: 200 }, 'width'],
    [{ of: 'preview', disposition: 'inline' }, 'disposition'],
  ])('returns 400 for %j', async (body, path) => {
    expectProblem(await create(body), 'request.invalid', [path]);
  });

  it('returns 403 without permission, and 404 for a version or content that does not exist', async () => {
    const auditor = await tenant.as('auditor');
    expectProblem(await auditor.post(`/documents/${id}/content-links`, {}), 'permission.missing');
    expectProblem(await create({ version: 3 }), 'resource.not-found');
    expectProblem(await create({ of: 'preview', version: 1 }), 'resource.not-found');
    const empty = (await saveDocument(tenant, editor)).id;
    expectProblem(await create({}, empty), 'document.without-content');
  });
});
