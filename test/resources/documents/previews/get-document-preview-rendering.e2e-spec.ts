import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { BinPurge } from '../../../../src/resources/documents/bin/bin-purge.js';
import { DocumentPreviewsRepository } from '../../../../src/resources/documents/previews/document-previews.repository.js';
import { ReadingFailed } from '../../../../src/platform/extraction/extractor.js';
import { type Preview, Previewer } from '../../../../src/platform/extraction/previewer.js';
import { UnitOfWork } from '../../../../src/platform/database/transactions/unit-of-work.js';
import { serviceContext } from '../../../../src/platform/tenancy/access/access.directory.js';
import { ExpirySweep } from '../../../../src/platform/tenancy/tenants/expiry-sweep.js';
import { type PreviewerPool } from '../../../../src/platform/extraction/previewer-pool.js';
import { RateLimiter } from '../../../../src/platform/http/rate-limit/rate-limiter.js';
import { PreviewRenderer } from '../../../../src/resources/documents/previews/preview-renderer.js';
import { buildPdf } from '../../../factories/content/pdf-files.js';
import { savePreview } from '../../../factories/document-previews.js';
import { saveDocument, saveVersion } from '../../../factories/documents.js';
import { buildPicture } from '../../../factories/content/pictures.js';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';
import { waitUntil } from '../../../support/wait-until.js';

const PICTURE = { bytes: buildPicture('png', 40, 20), mediaType: 'image/png' };
const PDF = { bytes: buildPdf([['eins'], ['zwei']]), mediaType: 'application/pdf' };

/** A rendering that the test ends. */
interface Rendering {
  readonly owner: string;
  readonly finish: (preview: Preview | Error) => void;
}

describe('GetDocumentPreview, rendering', () => {
  let previewer: Previewer;
  let tenant: TestTenant;
  let editor: Actor;
  let id: string;
  let done: Preview;
  beforeAll(async () => {
    previewer = service.app.get(Previewer);
    done = { image: buildPicture('webp', 40, 20), failure: null, pages: 1, isLegible: false };
  });
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor');
    id = await saved();
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  async function saved(of = tenant, creator = editor, file = PICTURE): Promise<string> {
    const document = await saveDocument(of, creator);
    await saveVersion(of, creator, document.id, file);
    return document.id;
  }

  const get = (of = id, actor = editor, query = '') => actor.get(`/documents/${of}/preview${query}`);
  const storedPages = async (of = tenant) => {
    const rows = await service.query<{ page: number }>(
      'SELECT page FROM document_previews WHERE tenant_id = $1 ORDER BY page',
      [of.id],
    );
    return rows.map(({ page }) => page);
  };

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
    const pages = await Promise.all(Array.from({ length: 51 }, () => saved()));
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
    expect(await storedPages()).toEqual([]);
    expectProblem(await get(), 'service.unavailable');
    expect(renderings).toHaveLength(1);
  });

  it('returns 404 document.preview-not-installed if the native package is missing', async () => {
    jest.spyOn(previewer as PreviewerPool, 'isAvailable').mockResolvedValue(false);
    expectProblem(await get(), 'document.preview-not-installed');
    expect(await storedPages()).toEqual([]);
  });

  it('returns 404 document.preview-not-installed for an Office file without a converter', async () => {
    const render = jest.spyOn(previewer, 'render');
    const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
    const office = await saved(tenant, editor, { bytes: Buffer.from('PK'), mediaType: docx });
    expectProblem(await get(office), 'document.preview-not-installed');
    expect(render).not.toHaveBeenCalled();
  });

  describe('of a content that fails before its pages are counted', () => {
    const failed: Preview = { image: null, failure: 'TimeLimitExceeded', pages: null };
    let first: string;
    beforeEach(async () => {
      first = await saved(tenant, editor, PDF);
    });

    it('tries it once for all pages, widths and documents', async () => {
      const render = jest.spyOn(previewer, 'render').mockResolvedValue(failed);
      const second = await saved(tenant, editor, PDF);
      for (const query of ['', '?page=2', '?width=800', '?page=7&width=1600'])
        for (const document of [first, second])
          expectProblem(await get(document, editor, query), 'document.without-preview');
      expect(render).toHaveBeenCalledTimes(1);
    });

    it('tries it once for pages that are requested at the same time', async () => {
      const renderings = suspendRendering();
      const requests = ['', '?page=2', '?width=800'].map(
        async (query) => (await get(first, editor, query)).status,
      );
      await waitUntil(() => renderings.length === 1);
      renderings[0]?.finish(failed);
      expect(await Promise.all(requests)).toEqual([404, 404, 404]);
      expect(renderings).toHaveLength(1);
    });

    it('tries it again for another tenant', async () => {
      const render = jest.spyOn(previewer, 'render').mockResolvedValue(failed);
      const other = await service.tenant();
      const otherEditor = await other.as('editor');
      await get(first);
      await get(await saved(other, otherEditor, PDF), otherEditor);
      expect(render).toHaveBeenCalledTimes(2);
    });

    it.each([
      ['after a day', `preview_failed_at = now() - interval '24 hours 1 minute'`],
      ['after the converter has changed', `previewer = 'another one'`],
    ])('tries it again %s', async (_, change) => {
      const render = jest.spyOn(previewer, 'render').mockResolvedValue(failed);
      await get(first);
      await service.query(`UPDATE contents SET ${change} WHERE tenant_id = $1`, [tenant.id]);
      render.mockResolvedValue({ ...done, pages: 2 });
      expect((await get(first)).status).toBe(200);
      expect((await get(first, editor, '?page=2')).status).toBe(200);
    });

    it('tries other pages again if only one page cannot be drawn', async () => {
      const render = jest.spyOn(previewer, 'render').mockResolvedValue({ ...failed, pages: 2 });
      expectProblem(await get(first), 'document.without-preview');
      render.mockResolvedValue({ ...done, pages: 2 });
      expect((await get(first, editor, '?page=2')).status).toBe(200);
      expectProblem(await get(first), 'document.without-preview');
      expect(render).toHaveBeenCalledTimes(2);
    });
  });

  it('returns 404 for pages after the last one without rendering, once their number is known', async () => {
    const render = jest.spyOn(previewer, 'render');
    const pdf = await saved(tenant, editor, PDF);
    for (const query of ['?page=3', '?page=3', '?page=4&width=800', '?page=1000000'])
      expectProblem(await get(pdf, editor, query), 'document.without-page');
    expect(render).toHaveBeenCalledTimes(1);
    expect((await get(pdf, editor, '?page=2')).status).toBe(200);
  });

  it('tells the previewer whether pages of other contents wait', async () => {
    const answers: (boolean | undefined)[] = [];
    const other = await saved(tenant, editor, PDF);
    const renderings: (() => void)[] = [];
    jest.spyOn(previewer, 'render').mockImplementation(async ({ othersWait }) => {
      await new Promise<void>((resolve) => renderings.push(resolve));
      answers.push(othersWait?.());
      return done;
    });
    const waiting = () =>
      service.app.get<{ readonly waiting: readonly string[] }>(PreviewRenderer).waiting.length;
    const requests = [get(), get(id, editor, '?width=800')].map(async (test) => (await test).status);
    await waitUntil(() => renderings.length === 1 && waiting() === 1);
    renderings[0]?.();
    await waitUntil(() => renderings.length === 2);
    requests.push(get(other).then(({ status }) => status));
    await waitUntil(() => waiting() === 1);
    renderings[1]?.();
    await waitUntil(() => renderings.length === 3);
    renderings[2]?.();
    expect(await Promise.all(requests)).toEqual([200, 200, 200]);
    expect(answers).toEqual([false, true, false]);
  });

  it('does not render a page that another process has stored while it waited', async () => {
    const second = await saved(tenant, editor, PDF);
    let finish: ((preview: Preview) => void) | undefined;
    let othersWait: (() => boolean) | undefined;
    const render = jest.spyOn(previewer, 'render').mockImplementation((request) => {
      ({ othersWait } = request);
      return new Promise((resolve) => (finish = resolve));
    });
    const first = get().then(({ status }) => status);
    await waitUntil(() => finish !== undefined);
    const waiting = get(second).then(({ status }) => status);
    await waitUntil(() => othersWait?.() === true);
    await savePreview(tenant, second);
    finish?.(done);
    expect(await Promise.all([first, waiting])).toEqual([200, 200]);
    expect(render).toHaveBeenCalledTimes(1);
  });

  it('charges the time of rendering to the caller, and nothing for a stored picture', async () => {
    const debit = jest.spyOn(service.app.get(RateLimiter), 'debit');
    const now = performance.now.bind(performance);
    let skipped = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now() + skipped);
    jest.spyOn(previewer, 'render').mockImplementation(() => {
      skipped = 2000;
      return Promise.resolve(done);
    });
    await get();
    expect(Math.max(...debit.mock.calls.map(([, , cost]) => cost))).toBeGreaterThanOrEqual(10);
    debit.mockClear();
    expect((await get()).status).toBe(200);
    expect(debit).not.toHaveBeenCalled();
  });

  it('returns 200 for four stored pictures at the price of one request', async () => {
    const viewer = await tenant.as('viewer');
    await get();
    await tenant.limitRequests(1, 1);
    for (let n = 0; n < 4; n += 1) expect((await get(id, viewer)).status).toBe(200);
  });

  it('renders again if another version of the renderer made the stored picture', async () => {
    await savePreview(tenant, id, { renderer: 0 });
    const render = jest.spyOn(previewer, 'render');
    expect((await get()).headers['content-length']).not.toBe('5');
    expect(render).toHaveBeenCalledTimes(1);
    expect(await storedPages()).toHaveLength(1);
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
    expect(await storedPages()).toHaveLength(10);
    await limit(99);
    expect(await storedPages()).toEqual([1, 2, 3, 4]);
    expect(await storedPages(other)).toHaveLength(10);
  });

  it('deletes pictures after 30 days and failures after one day', async () => {
    await savePreview(tenant, id, { page: 1, age: '30 days' });
    await savePreview(tenant, id, { page: 2, age: '29 days' });
    await savePreview(tenant, id, { page: 3, age: '1 day', image: null });
    await savePreview(tenant, id, { page: 4, age: '23 hours', image: null });
    await service.app.get(ExpirySweep).sweep();
    expect(await storedPages()).toEqual([2, 4]);
  });

  it('deletes the previews of a purged document', async () => {
    await get();
    await service.query(
      `UPDATE documents SET status = 'Deleted', status_before_deletion = 'Active', deleted_at = now() - interval '31 days'
        WHERE tenant_id = $1 AND id = $2`,
      [tenant.id, id],
    );
    expect(await storedPages()).toHaveLength(1);
    await service.app.get(BinPurge).purge();
    expect(await storedPages()).toEqual([]);
  });
});
