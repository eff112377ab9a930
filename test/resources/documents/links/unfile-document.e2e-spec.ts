import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../../../factories/access-grants.js';
import { saveDocument } from '../../../factories/documents.js';
import { saveFile } from '../../../factories/files.js';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { expectRefused } from '../../../support/expect-refused.js';
import { duringTransaction } from '../../../support/locks.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';

describe('UnfileDocument', () => {
  let tenant: TestTenant;
  let editor: Actor;
  let author: Actor;
  let document: { id: string; title: string };
  let file: { id: string; number: string; name: string };
  let other: { id: string };
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor', 'Edda Editor');
    author = await tenant.as('editor', 'Arno Author');
    file = await saveFile(tenant, editor, { number: 'AZ-1', name: 'Feuerwache' });
    other = await saveFile(tenant, editor);
    document = await saveDocument(tenant, author, { title: 'Bauplan', fileIds: [file.id, other.id] });
  });

  const remove = (actor = editor, documentId = document.id, fileId = file.id) =>
    actor.delete(`/documents/${documentId}/files/${fileId}`);

  describe('204', () => {
    it('returns 204, unfiles the document, writes an audit entry and notifies its creator', async () => {
      const response = await remove().send({ ignored: true });

      expect([response.status, response.text]).toEqual([204, '']);
      const after = (await editor.get(`/documents/${document.id}`)).body as { updatedAt: string };
      expect(after).toMatchObject({ fileIds: [other.id] });
      const [row] = await service.query<{ fresh: boolean }>(
        `SELECT updated_at > now() - interval '1 minute' AS fresh FROM documents WHERE tenant_id = $1 AND id = $2`,
        [tenant.id, document.id],
      );
      expect(row?.fresh).toBe(true);
      expect(await tenant.audit()).toEqual([
        {
          actor_id: editor.userId,
          actor_name: 'Edda Editor',
          action: 'DocumentUnfiled',
          subject_type: 'Document',
          subject_id: document.id,
          summary: 'Bauplan ← AZ-1: Feuerwache',
        },
      ]);
      expect(await tenant.notifications()).toEqual([
        {
          user_id: author.userId,
          type: 'DocumentUnfiled',
          parameters: {
            documentId: document.id,
            documentTitle: 'Bauplan',
            fileId: file.id,
            fileNumber: 'AZ-1',
            fileName: 'Feuerwache',
            actorName: 'Edda Editor',
          },
        },
      ]);
    });

    it('returns 204 to exactly one of several concurrent requests, 404 to the others', async () => {
      const responses = await Promise.all([1, 2, 3, 4].map(() => remove()));
      expect(responses.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404]);
      expect(await tenant.audit()).toHaveLength(1);
      expect(await tenant.notifications()).toHaveLength(1);
    });

    it('returns 204 without a notification when the caller created the document', async () => {
      expect((await remove(author)).status).toBe(204);
      expect(await tenant.notifications()).toEqual([]);
    });

    it('returns 204 for an Archived document', async () => {
      const { id } = await saveDocument(tenant, author, { status: 'Archived', fileIds: [file.id] });
      expect((await remove(editor, id)).status).toBe(204);
    });

    it('returns 204 for an open file when the document is also in a Closed one', async () => {
      const closed = await saveFile(tenant, editor, { status: 'Closed' });
      const { id } = await saveDocument(tenant, author, { fileIds: [file.id, closed.id] });
      expect((await remove(editor, id)).status).toBe(204);
    });

    it('returns 204 for a confidential document to a caller on its access list', async () => {
      const { id } = await saveDocument(tenant, author, { fileIds: [file.id], confidentialTo: [editor] });
      expect((await remove(editor, id)).status).toBe(204);
    });

    it('returns 204 and ignores If-Match, since a link has no entity tag', async () => {
      expect((await remove().set('If-Match', '"other"')).status).toBe(204);
    });
  });

  describe('with a Write grant instead of the permission', () => {
    let guest: Actor;
    beforeEach(async () => {
      guest = await tenant.as('guest');
    });

    it('returns 204 for the granted file', async () => {
      await saveAccessGrant(tenant, guest, { file: file.id }, { level: 'Write' });
      expect((await remove(guest)).status).toBe(204);
    });

    it('returns 403 for a file with only a Read grant', async () => {
      await saveAccessGrant(tenant, guest, { file: file.id });
      await saveAccessGrant(tenant, guest, { file: other.id }, { level: 'Write' });
      await expectRefused(tenant, remove(guest), 'permission.missing');
    });
  });

  describe('404', () => {
    it('returns 404 when the document is not in the file', async () => {
      const { id } = await saveDocument(tenant, author, { fileIds: [other.id] });
      await expectRefused(tenant, remove(editor, id), 'resource.not-found');
    });

    it('returns 404 to a repeated request', async () => {
      await remove();
      await expectRefused(tenant, remove(), 'resource.not-found');
    });

    it('returns 404 for a confidential document to a caller who is not on its access list', async () => {
      const { id } = await saveDocument(tenant, author, { fileIds: [file.id], confidentialTo: [author] });
      await expectRefused(tenant, remove(editor, id), 'resource.not-found');
    });

    it('returns 404 for a file that the caller cannot see', async () => {
      const member = await tenant.with('documents.read', 'documents.file');
      const own = await saveDocument(tenant, member, { fileIds: [file.id] });
      await expectRefused(tenant, remove(member, own.id), 'resource.not-found');
    });

    it('returns 404 for a missing link rather than 409 for a document in the bin or a Closed file', async () => {
      const closed = await saveFile(tenant, editor, { status: 'Closed' });
      const { id } = await saveDocument(tenant, author, { status: 'Deleted' });
      await expectRefused(tenant, remove(editor, id, closed.id), 'resource.not-found');
    });
  });

  describe('409', () => {
    it.each([
      ['Processing', 'document.processing'],
      ['Deleted', 'document.deleted'],
    ] as const)('returns 409 for a document that is %s', async (status, code) => {
      const { id } = await saveDocument(tenant, author, { status, fileIds: [file.id] });
      await expectRefused(tenant, remove(editor, id), code);
    });

    it('returns 409 for a Closed file', async () => {
      const closed = await saveFile(tenant, editor, { status: 'Closed' });
      const { id } = await saveDocument(tenant, author, { fileIds: [closed.id] });
      await expectRefused(tenant, remove(editor, id, closed.id), 'file.closed');
    });

    it('returns 409 for a file that is closed at the same time', async () => {
      const response = await duringTransaction(
        service,
        `UPDATE files SET status = 'Closed', closed_at = now() WHERE tenant_id = $1 AND id = $2`,
        [tenant.id, file.id],
        () => remove(),
      );
      expectProblem(response, 'file.closed');
    });
  });
});
