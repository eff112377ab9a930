import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveDocument, saveTag } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { conditionalWrites } from '../../support/operations/conditional-writes.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('DeleteDocument', () => {
  let tenant: TestTenant;
  let editor: Actor;
  let document: { id: string; title: string };
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor', 'Edda Editor');
    document = await saveDocument(tenant, editor, { title: 'Bauplan' });
  });

  const remove = (actor = editor, id = document.id) => actor.delete(`/documents/${id}`);

  conditionalWrites({
    actor: () => editor,
    path: () => `/documents/${document.id}`,
    send: (actor, path) => actor.delete(path),
    success: 204,
  });

  describe('204', () => {
    it.each(['Active', 'Archived'] as const)(
      'returns 204, moves a document that is %s to the bin and keeps its files and tags',
      async (status) => {
        const [file, tag] = [await saveFile(tenant, editor), await saveTag(tenant)];
        const { id } = await saveDocument(tenant, editor, {
          title: 'Bauplan',
          status,
          fileIds: [file.id],
          tagIds: [tag.id],
        });

        const response = await remove(editor, id);

        expect([response.status, response.text]).toEqual([204, '']);
        expect((await editor.get(`/documents/${id}`)).body).toMatchObject({
          status: 'Deleted',
          fileIds: [file.id],
          tagIds: [tag.id],
        });
        expect(await tenant.audit()).toEqual([editor.entry('DocumentDeleted', 'Document', id, 'Bauplan')]);
        expect(await tenant.notifications()).toEqual([]);
      },
    );

    it('returns 204; viewers find the document only in the document list of its file', async () => {
      const viewer = await tenant.as('viewer');
      const file = await saveFile(tenant, editor);
      const { id } = await saveDocument(tenant, editor, { fileIds: [file.id] });
      await remove(editor, id);
      expectProblem(await viewer.get(`/documents/${id}`), 'resource.not-found');
      expect((await viewer.get(`/files/${file.id}/documents`)).body).toMatchObject({
        items: [{ documentId: id, status: 'Deleted' }],
      });
    });
  });

  it.each([
    ['Processing', 'document.processing'],
    ['Deleted', 'document.deleted'],
  ] as const)('returns 409 for a document that is %s', async (status, code) => {
    const { id } = await saveDocument(tenant, editor, { status });
    await expectRefused(tenant, remove(editor, id), code);
  });

  it('returns 409 for a document in a Closed file', async () => {
    const closed = await saveFile(tenant, editor, { status: 'Closed' });
    const { id } = await saveDocument(tenant, editor, { fileIds: [closed.id] });
    await expectRefused(tenant, remove(editor, id), 'file.closed');
  });

  it('returns 204 to exactly one of several concurrent requests, 409 to the others', async () => {
    const responses = await Promise.all([1, 2, 3].map(() => remove()));
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 409, 409]);
    expect(await tenant.audit()).toHaveLength(1);
  });
});
