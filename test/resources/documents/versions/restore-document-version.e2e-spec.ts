import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../../../factories/access-grants.js';
import { type DocumentOverrides, saveDocument, saveVersion } from '../../../factories/documents.js';
import { saveFile } from '../../../factories/files.js';
import { type Actor } from '../../../support/actor.js';
import { expectRefused } from '../../../support/expect-refused.js';
import { waitUntilProcessed } from '../../../support/wait-until-processed.js';
import { service } from '../../../support/service/shared-service.js';
import { sha256Of } from '../../../support/content-fixtures.js';
import { asBytes, storedHashes } from '../../../support/stored-content.js';
import { type TestTenant } from '../../../support/tenant.js';

describe('RestoreDocumentVersion', () => {
  let tenant: TestTenant;
  let editor: Actor;
  let id: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor');
    id = await saved();
  });

  async function saved(overrides: DocumentOverrides = {}, where = tenant, actor = editor): Promise<string> {
    const document = await saveDocument(where, actor, { title: 'Bauplan', ...overrides });
    await saveVersion(where, actor, document.id, { bytes: 'first', fileName: 'Alt.txt' });
    await saveVersion(where, actor, document.id, { bytes: 'second', fileName: 'Neu.txt' });
    return document.id;
  }

  const restore = (number: number | string = 1, actor = editor, documentId = id) =>
    actor.post(`/documents/${documentId}/versions/${number}/restore`);
  const versions = async () =>
    ((await editor.get(`/documents/${id}/versions`)).body as { items: object[] }).items;

  describe('200', () => {
    it('returns 200 with a new version of the same content, keeps all versions and writes an audit entry', async () => {
      await service.query('UPDATE documents SET content_page_count = 7 WHERE tenant_id = $1 AND id = $2', [
        tenant.id,
        id,
      ]);
      await service.query(
        `UPDATE document_versions SET media_type = 'text/markdown' WHERE tenant_id = $1 AND number = 1`,
        [tenant.id],
      );
      const before = (await editor.get(`/documents/${id}`)).body as { updatedAt: string };
      const other = await tenant.as('editor', 'Otto Other');

      const response = await restore(1, other);

      expect(response.status).toBe(200);
      expect(response.body).toEqual({
        ...before,
        status: 'Processing',
        content: {
          fileName: 'Alt.txt',
          mediaType: 'text/markdown',
          size: 5,
          sha256: sha256Of('first'),
          pageCount: null,
          text: 'Pending',
          failure: null,
        },
        updatedAt: expect.any(String),
      });
      expect((response.body as typeof before).updatedAt > before.updatedAt).toBe(true);
      const bytes = await asBytes(editor.get(`/documents/${id}/content`));
      expect((bytes.body as Buffer).toString()).toBe('first');
      expect(await versions()).toMatchObject([
        {
          number: 3,
          isNewest: true,
          sha256: sha256Of('first'),
          fileName: 'Alt.txt',
          restoredFrom: 1,
          createdById: other.userId,
        },
        { number: 2, isNewest: false, sha256: sha256Of('second'), restoredFrom: null },
        { number: 1, isNewest: false, sha256: sha256Of('first'), restoredFrom: null },
      ]);
      expect(await storedHashes(tenant)).toEqual([sha256Of('first'), sha256Of('second')].sort());
      expect(await tenant.jobs()).toMatchObject([{ payload: { documentId: id, version: 3 } }]);
      const changes = (await tenant.audit()).filter(({ action }) => action !== 'DocumentDownloaded');
      expect(changes).toEqual([
        other.entry('DocumentUpdated', 'Document', id, 'Bauplan: version 3, restored from version 1'),
      ]);
      expect(await tenant.notifications()).toEqual([]);
    });

    it('returns 200 and writes nothing for the newest version, or a former one with the same content', async () => {
      await restore(1);
      await waitUntilProcessed(tenant, id);
      const before = await tenant.fingerprint();
      const document = (await editor.get(`/documents/${id}`)).body as object;
      for (const number of [3, 1]) {
        const response = await restore(number);
        expect([response.status, response.body]).toEqual([200, document]);
      }
      expect(await tenant.fingerprint()).toEqual(before);
    });

    it('returns 200 for several restores in sequence', async () => {
      for (const number of [1, 2, 1]) {
        expect((await restore(number)).status).toBe(200);
        await waitUntilProcessed(tenant, id);
      }
      expect(await versions()).toMatchObject([
        { number: 5, restoredFrom: 1 },
        { number: 4, restoredFrom: 2 },
        { number: 3, restoredFrom: 1 },
        { number: 2 },
        { number: 1 },
      ]);
    });

    it('returns 200 with a Write grant on a file of the document', async () => {
      const file = await saveFile(tenant, editor);
      const filed = await saved({ fileIds: [file.id] });
      const guest = await tenant.as('guest');
      await saveAccessGrant(tenant, guest, { file: file.id }, { level: 'Write' });
      expect((await restore(1, guest, filed)).status).toBe(200);
    });

    it('returns 200 to exactly one of several concurrent requests, 409 to the others', async () => {
      const responses = await Promise.all([restore(1), restore(1), restore(1)]);
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
      expect(await versions()).toHaveLength(3);
    });
  });

  describe('404', () => {
    it.each(['0', '3', '-1', '01', 'x', '99999999999', '%00'])('returns 404 for the version %s', (number) =>
      expectRefused(tenant, restore(number), 'resource.not-found'),
    );

    it('returns 404 for a confidential document to a caller who is not on its access list', async () => {
      const secret = await saved({ confidentialTo: [editor] });
      await expectRefused(tenant, restore(1, await tenant.as('administrator'), secret), 'resource.not-found');
      expect((await restore(1, editor, secret)).status).toBe(200);
    });

    it('returns 404 for an unknown version rather than 409 for an Archived document', async () => {
      await expectRefused(
        tenant,
        restore(3, editor, await saved({ status: 'Archived' })),
        'resource.not-found',
      );
    });
  });

  describe('409', () => {
    it.each([
      ['Processing', 'document.processing'],
      ['Archived', 'document.archived'],
      ['Deleted', 'document.deleted'],
    ] as const)('returns 409 for a document that is %s, for every version', async (status, problem) => {
      const other = await saved({ status });
      await expectRefused(tenant, restore(1, editor, other), problem);
      await expectRefused(tenant, restore(2, editor, other), problem);
    });

    it('returns 409 for a document in a Closed file', async () => {
      const file = await saveFile(tenant, editor, { status: 'Closed' });
      await expectRefused(tenant, restore(1, editor, await saved({ fileIds: [file.id] })), 'file.closed');
    });
  });
});
