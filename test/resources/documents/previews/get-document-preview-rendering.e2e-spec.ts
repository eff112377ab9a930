import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { BinPurge } from '../../../../src/resources/documents/bin/bin-purge.js';
import { DocumentPreviewsRepository } from '../../../../src/resources/documents/previews/document-previews.repository.js';
import { ReadingFailed } from '../../../../src/platform/extraction/extractor.js';
import { type Preview, Previewer } from '../../../../src/platform/extraction/previewer.js';
import { UnitOfWork } from '../../../../src/platform/database/transactions/unit-of-work.js';
import { serviceContext } from '../../../../src/platform/tenancy/access/access.directory.js';
import { ExpirySweep } from '../../../../src/platform/tenancy/tenants/expiry-sweep.js';
import { savePreview } from '../../../factories/document-previews.js';
import { saveDocument, saveVersion } from '../../../factories/documents.js';
import { buildPicture } from '../../../factories/content/pictures.js';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { TestService } from '../../../support/service/service.js';
import { type TestTenant } from '../../../support/tenant.js';
import { waitUntil } from '../../../support/wait-until.js';

/** A rendering that the test ends. */
interface Rendering {
  readonly owner: string;
  readonly finish: (preview: Preview | Error) => void;
}

describe('GetDocumentPreview, rendering', () => {
  let service: TestService;
  let previewer: Previewer;
  let tenant: TestTenant;
  let editor: Actor;
  let id: string;
  let done: Preview;
  beforeAll(async () => {
    service = await TestService.shared();
    previewer = service.app.get(Previewer);
    done = { image: buildPicture('webp', 40, 20), failure: null };
  });
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor');
    id = await saved();
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  async function saved(of = tenant, creator = editor): Promise<string> {
    const document = await saveDocument(of, creator);
    const bytes = buildPicture('png', 40, 20);
    await saveVersion(of, creator, document.id, { bytes, mediaType: 'image/png' });
    return document.id;
  }

  const get = (of = id, actor = editor) => actor.get(`/documents/${of}/preview`);
  const count = async (of = tenant) =>
    (await service.query('SELECT FROM document_previews WHERE tenant_id = $1', [of.id])).length;

  /** Renderings wait until the test finishes them. */
  function suspendRendering(): Rendering[] {
    const renderings: Rendering[] = [];
    jest.spyOn(previewer, 'render').mockImplementation(
      ({ owner }) =>
        new Promise((resolve, reject) =>
          renderings.push({
            owner,
            finish: (preview) => (preview instanceof Error ? reject(preview) : resolve(preview)),
          }),
        ),
    );
    return renderings;
  }

  it('renders a page once for all later requests', async () => {
    const render = jest.spyOn(previewer, 'render');
    const first = await get();
    const second = await get(id, await tenant.as('viewer'));
    expect([first.status, second.status, second.headers.etag]).toEqual([200, 200, first.headers.etag]);
    expect(render).toHaveBeenCalledTimes(1);
  });

  it('shares one rendering among concurrent requests for the same page', async () => {
    const renderings = suspendRendering();
    const viewer = await tenant.as('viewer');
    const requests = [get(), get(id, viewer), get(id, viewer)].map(async (test) => (await test).status);
    await waitUntil(() => renderings.length === 1);
    renderings[0]?.finish(done);
    expect(await Promise.all(requests)).toEqual([200, 200, 200]);
    expect(renderings).toHaveLength(1);
  });

  it('renders one page of a tenant at a time, and one of another tenant meanwhile', async () => {
    const renderings = suspendRendering();
    const other = await service.tenant();
    const otherEditor = await other.as('editor');
    const documents = [id, await saved(), await saved()];
    const requests = documents.map(async (one) => (await get(one)).status);
    await waitUntil(() => renderings.length === 1);
    requests.push(get(await saved(other, otherEditor), otherEditor).then(({ status }) => status));
    await waitUntil(() => renderings.length === 2);
    expect(renderings.map(({ owner }) => owner)).toEqual([tenant.id, other.id]);
    for (let next = 0; next < 4; next += 1) {
      await waitUntil(() => renderings.length > next);
      renderings[next]?.finish(done);
    }
    expect(await Promise.all(requests)).toEqual([200, 200, 200, 200]);
  });

  it('returns 503 with Retry-After when too many pages of a caller wait', async () => {
    const renderings = suspendRendering();
    const bytes = buildPicture('png', 40, 20);
    const pages = await Promise.all(
      Array.from({ length: 51 }, async () => {
        const document = await saveDocument(tenant, editor);
        await saveVersion(tenant, editor, document.id, { bytes, mediaType: 'image/png' });
        return document.id;
      }),
    );
    const statuses: number[] = [];
    const requests = pages.map(async (one) => {
      const response = await get(one);
      statuses.push(response.status);
      if (response.status === 503) {
        expectProblem(response, 'service.unavailable');
        expect(response.headers['retry-after']).toBe('5');
      }
    });
    await waitUntil(() => statuses.length === 1);
    expect(statuses).toEqual([503]);
    for (let next = 0; next < 50; next += 1) {
      await waitUntil(() => renderings.length > next);
      renderings[next]?.finish(done);
    }
    await Promise.all(requests);
    expect(statuses.filter((status) => status === 200)).toHaveLength(50);
  });

  it('returns 404 to a caller who has lost the right while the page was rendered', async () => {
    const renderings = suspendRendering();
    const viewer = await tenant.as('viewer');
    const result = get(id, viewer).then((response) => response);
    await waitUntil(() => renderings.length === 1);
    await editor.put(`/documents/${id}/confidentiality`, { isConfidential: true });
    renderings[0]?.finish(done);
    expectProblem(await result, 'resource.not-found');
  });

  it('returns 503 for a failure that is not in the file, and does not try it again for a minute', async () => {
    const renderings = suspendRendering();
    const result = get().then((response) => response);
    await waitUntil(() => renderings.length === 1);
    renderings[0]?.finish(new ReadingFailed('A reading process did not start'));
    const response = await result;
    expectProblem(response, 'service.unavailable');
    expect(response.headers['retry-after']).toBe('60');
    expect(await count()).toBe(0);
    expectProblem(await get(), 'service.unavailable');
    expect(renderings).toHaveLength(1);
  });

  it('returns 404 document.without-preview if the native package is missing', async () => {
    jest.spyOn(previewer, 'isAvailable').mockResolvedValue(false);
    expectProblem(await get(), 'document.without-preview');
    expect(await count()).toBe(0);
  });

  it('renders again if another version of the renderer made the stored picture', async () => {
    await savePreview(tenant, id, { renderer: 0 });
    const render = jest.spyOn(previewer, 'render');
    expect((await get()).headers['content-length']).not.toBe('5');
    expect(render).toHaveBeenCalledTimes(1);
    expect(await count()).toBe(1);
  });

  it('deletes the oldest previews of the tenant beyond the limit', async () => {
    const other = await service.tenant();
    const otherEditor = await other.as('editor');
    const otherId = await saved(other, otherEditor);
    const image = Buffer.alloc(9 * 1024);
    for (const [of, document] of [[tenant, id] as const, [other, otherId] as const])
      for (let page = 1; page <= 10; page += 1)
        await savePreview(of, document, { page, image, age: `${page} hours` });
    const repository = service.app.get(DocumentPreviewsRepository);
    const limit = (most: number) =>
      service.app
        .get(UnitOfWork)
        .write(serviceContext(tenant.id), (tx) => repository.limit(tx, most * 1024, 0.5 * most * 1024));
    await limit(100);
    expect(await count()).toBe(10);
    await limit(99);
    const pages = await service.query<{ page: number }>(
      'SELECT page FROM document_previews WHERE tenant_id = $1 ORDER BY page',
      [tenant.id],
    );
    expect(pages.map(({ page }) => page)).toEqual([1, 2, 3, 4]);
    expect(await count(other)).toBe(10);
  });

  it('deletes pictures after 30 days and failures after one day', async () => {
    await savePreview(tenant, id, { page: 1, age: '30 days' });
    await savePreview(tenant, id, { page: 2, age: '29 days' });
    await savePreview(tenant, id, { page: 3, age: '1 day', image: null });
    await savePreview(tenant, id, { page: 4, age: '23 hours', image: null });
    await service.app.get(ExpirySweep).sweep();
    const pages = await service.query<{ page: number }>(
      'SELECT page FROM document_previews WHERE tenant_id = $1 ORDER BY page',
      [tenant.id],
    );
    expect(pages.map(({ page }) => page)).toEqual([2, 4]);
  });

  it('deletes the previews of a purged document', async () => {
    await get();
    await service.query(
      `UPDATE documents SET status = 'Deleted', status_before_deletion = 'Active', deleted_at = now() - interval '31 days'
        WHERE tenant_id = $1 AND id = $2`,
      [tenant.id, id],
    );
    expect(await count()).toBe(1);
    await service.app.get(BinPurge).purge();
    expect(await count()).toBe(0);
  });
});
