import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../../../factories/access-grants.js';
import { putContent, saveDocument, saveVersion } from '../../../factories/documents.js';
import { saveFile } from '../../../factories/files.js';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { pagedList } from '../../../support/operations/paged-list.js';
import { service } from '../../../support/service/shared-service.js';
import { sha256Of } from '../../../support/content-fixtures.js';
import { type TestTenant } from '../../../support/tenant.js';

/** Id of a document in every tenant of the test: ids are unique only within a tenant. */
const DOCUMENT = '0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d';
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

interface Version {
  number: number;
  isNewest: boolean;
}

describe('ListDocumentVersions', () => {
  let tenant: TestTenant;
  let editor: Actor;
  let viewer: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor');
    viewer = await tenant.as('viewer');
    await saveDocument(tenant, editor, { id: DOCUMENT });
  });

  async function fill(where: TestTenant, count: number): Promise<string[]> {
    const creator = where === tenant ? editor : await where.as('editor');
    if (where !== tenant) await saveDocument(where, creator, { id: DOCUMENT });
    let newest = 0;
    for (let n = 0; n < count; n += 1) {
      newest = await saveVersion(where, creator, DOCUMENT, { bytes: `bytes ${n}` });
    }
    return Array.from({ length: newest }, (_, n) => newest - n) as unknown as string[];
  }

  const get = (actor = viewer, id = DOCUMENT) => actor.get(`/documents/${id}/versions`);
  const list = async (actor = viewer, id = DOCUMENT) => {
    const response = await get(actor, id);
    expect(response.status).toBe(200);
    return (response.body as { items: Version[] }).items;
  };

  pagedList({
    actor: () => viewer,
    other: () => tenant.as('viewer'),
    path: `/documents/${DOCUMENT}/versions`,
    otherPath: '/files',
    fill,
    key: 'number',
  });

  it('returns 200 with exactly these members, newest first', async () => {
    await saveVersion(tenant, editor, DOCUMENT, { bytes: 'one', fileName: 'a.txt' });
    await saveVersion(tenant, viewer, DOCUMENT, {
      bytes: 'scan',
      fileName: 'scan.jpg',
      mediaType: 'image/jpeg',
    });
    await service.query(
      `UPDATE document_versions SET page_count = 1, image_width = 1240, image_height = 1754, word_count = 312
        WHERE tenant_id = $1 AND number = 2`,
      [tenant.id],
    );
    await service.query(
      `UPDATE document_versions SET failure = 'Encrypted' WHERE tenant_id = $1 AND number = 1`,
      [tenant.id],
    );
    const common = { createdAt: expect.stringMatching(TIMESTAMP), restoredFrom: null };
    expect(await list()).toEqual([
      {
        number: 2,
        isNewest: true,
        fileName: 'scan.jpg',
        mediaType: 'image/jpeg',
        size: 4,
        sha256: sha256Of('scan'),
        pageCount: 1,
        image: { width: 1240, height: 1754 },
        wordCount: 312,
        failure: null,
        createdById: viewer.userId,
        ...common,
      },
      {
        number: 1,
        isNewest: false,
        fileName: 'a.txt',
        mediaType: 'text/plain',
        size: 3,
        sha256: sha256Of('one'),
        pageCount: null,
        image: null,
        wordCount: null,
        failure: 'Encrypted',
        createdById: editor.userId,
        ...common,
      },
    ]);
    expect(await tenant.audit()).toEqual([]);
  });

  it('returns 200 with the upload of CreateDocument as the first version', async () => {
    const created = await editor
      .post('/documents')
      .field('document', '{"title":"Bauplan"}')
      .attach('content', Buffer.from('bytes'), { filename: 'a.txt', contentType: 'text/plain' });
    const { id } = created.body as { id: string };
    expect(await list(viewer, id)).toMatchObject([
      {
        number: 1,
        isNewest: true,
        fileName: 'a.txt',
        sha256: sha256Of('bytes'),
        createdById: editor.userId,
        restoredFrom: null,
      },
    ]);
  });

  it('returns 200 for a cursor after a new version was added', async () => {
    await fill(tenant, 3);
    const page = (await viewer.get(`/documents/${DOCUMENT}/versions?limit=2`)).body as {
      items: Version[];
      nextCursor: string;
    };
    await putContent(editor, DOCUMENT, 'newer');
    const next = await viewer.get(`/documents/${DOCUMENT}/versions?limit=2&cursor=${page.nextCursor}`);
    expect([...page.items, ...(next.body as { items: Version[] }).items].map(({ number }) => number)).toEqual(
      [3, 2, 1],
    );
  });

  it('returns 400 for a cursor of another document', async () => {
    await fill(tenant, 2);
    const { nextCursor } = (await viewer.get(`/documents/${DOCUMENT}/versions?limit=1`)).body as {
      nextCursor: string;
    };
    const other = await saveDocument(tenant, editor);
    expectProblem(
      await viewer.get(`/documents/${other.id}/versions?cursor=${nextCursor}`),
      'request.invalid',
      ['cursor'],
    );
  });

  describe('404', () => {
    it('returns 404 for a confidential document to a caller who is not on its access list', async () => {
      const { id } = await saveDocument(tenant, editor, { confidentialTo: [editor] });
      expect(await list(editor, id)).toEqual([]);
      expectProblem(await get(await tenant.as('administrator'), id), 'resource.not-found');
    });

    it('returns 404 for a document in the bin, unless the caller may restore it', async () => {
      const { id } = await saveDocument(tenant, editor, { status: 'Deleted' });
      expect(await list(editor, id)).toEqual([]);
      expectProblem(await get(viewer, id), 'resource.not-found');
    });

    it('returns 404 without a grant on its file; 200 with one', async () => {
      const guest = await tenant.as('guest');
      const file = await saveFile(tenant, editor);
      const { id } = await saveDocument(tenant, editor, { fileIds: [file.id] });
      expectProblem(await get(guest, id), 'resource.not-found');
      await saveAccessGrant(tenant, guest, { file: file.id });
      expect(await list(guest, id)).toEqual([]);
    });
  });
});
