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

describe('FileDocument', () => {
  let tenant: TestTenant;
  let editor: Actor;
  let author: Actor;
  let document: { id: string; title: string };
  let file: { id: string; number: string; name: string };
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor', 'Edda Editor');
    author = await tenant.as('editor', 'Arno Author');
    document = await saveDocument(tenant, author, { title: 'Bauplan' });
    file = await saveFile(tenant, editor, { number: 'AZ-1', name: 'Feuerwache' });
  });

  const put = (actor = editor, documentId = document.id, fileId = file.id) =>
    actor.put(`/documents/${documentId}/files/${fileId}`);
  const links = () =>
    service.query<{ document_id: string; file_id: string }>(
      'SELECT document_id, file_id FROM document_files WHERE tenant_id = $1 ORDER BY document_id, file_id',
      [tenant.id],
    );

  describe('204', () => {
    it('returns 204, files the document, writes an audit entry and notifies its creator', async () => {
      const before = (await editor.get(`/documents/${document.id}`)).body as { updatedAt: string };

      const response = await put().send({ ignored: true });

      expect([response.status, response.text]).toEqual([204, '']);
      const after = (await editor.get(`/documents/${document.id}`)).body as {
        fileIds: string[];
        updatedAt: string;
      };
      expect(after.fileIds).toEqual([file.id]);
      expect(after.updatedAt > before.updatedAt).toBe(true);
      expect(await tenant.audit()).toEqual([
        {
          actor_id: editor.userId,
          actor_name: 'Edda Editor',
          action: 'DocumentFiled',
          subject_type: 'Document',
          subject_id: document.id,
          summary: 'Bauplan → AZ-1: Feuerwache',
        },
      ]);
      expect(await tenant.notifications()).toEqual([
        {
          user_id: author.userId,
          type: 'DocumentFiled',
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

    it('returns 204 and writes nothing when repeated', async () => {
      await put();
      const before = await tenant.fingerprint();
      expect((await put()).status).toBe(204);
      expect(await tenant.fingerprint()).toEqual(before);
    });

    it('returns 204 to several concurrent requests, with one audit entry and one notification', async () => {
      const responses = await Promise.all([1, 2, 3, 4].map(() => put()));
      expect(responses.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
      expect(await tenant.audit()).toHaveLength(1);
      expect(await tenant.notifications()).toHaveLength(1);
    });

    it('returns 204 without a notification when the caller created the document', async () => {
      expect((await put(author)).status).toBe(204);
      expect(await tenant.notifications()).toEqual([]);
    });

    it.each(['Processing', 'Archived'] as const)('returns 204 for a document that is %s', async (status) => {
      const { id } = await saveDocument(tenant, author, { status });
      expect((await put(editor, id)).status).toBe(204);
      expect((await editor.get(`/documents/${id}`)).body).toMatchObject({ status, fileIds: [file.id] });
    });

    it('returns 204 for a document that is also in a Closed file', async () => {
      const closed = await saveFile(tenant, editor, { status: 'Closed' });
      const { id } = await saveDocument(tenant, author, { fileIds: [closed.id] });
      expect((await put(editor, id)).status).toBe(204);
      expect(await links()).toHaveLength(2);
    });

    it('returns 204 and ignores If-Match, since a link has no entity tag', async () => {
      expect((await put().set('If-Match', '"other"')).status).toBe(204);
    });

    it('returns 204 for a confidential document to a caller on its access list', async () => {
      const { id } = await saveDocument(tenant, author, { confidentialTo: [editor] });
      expect((await put(editor, id)).status).toBe(204);
    });
  });

  describe('with a Write grant instead of the permission', () => {
    let guest: Actor;
    let own: { id: string };
    beforeEach(async () => {
      guest = await tenant.as('guest');
      own = await saveDocument(tenant, guest);
    });

    it('returns 204 for the granted file', async () => {
      await saveAccessGrant(tenant, guest, { file: file.id }, { level: 'Write' });
      expect((await put(guest, own.id)).status).toBe(204);
      expect(await links()).toEqual([{ document_id: own.id, file_id: file.id }]);
    });

    it('returns 404 for a document that the caller cannot see', async () => {
      await saveAccessGrant(tenant, guest, { file: file.id }, { level: 'Write' });
      await expectRefused(tenant, put(guest, document.id), 'resource.not-found');
    });

    it.each([
      ['a Read grant', { level: 'Read' }],
      ['a revoked Write grant', { level: 'Write', revoked: true }],
      ['an expired Write grant', { level: 'Write', expiresAt: "now() - interval '1 second'" }],
    ] as const)('returns 403 with %s', async (_, overrides) => {
      await saveAccessGrant(tenant, guest, { file: file.id }, overrides);
      await expectRefused(tenant, put(guest, own.id), 'permission.missing');
    });

    it('returns 403 for another file', async () => {
      await saveAccessGrant(tenant, guest, { file: file.id }, { level: 'Write' });
      const other = await saveFile(tenant, editor);
      await expectRefused(tenant, put(guest, own.id, other.id), 'permission.missing');
    });
  });

  describe('404', () => {
    it('returns 404 for a confidential document to a caller who is not on its access list', async () => {
      const { id } = await saveDocument(tenant, author, { confidentialTo: [author] });
      await expectRefused(tenant, put(editor, id), 'resource.not-found');
      await expectRefused(tenant, put(await tenant.as('administrator'), id), 'resource.not-found');
    });

    it('returns 404 for a file without a grant when the caller lacks files.read', async () => {
      const member = await tenant.with('documents.read', 'documents.file');
      const own = await saveDocument(tenant, member);
      await expectRefused(tenant, put(member, own.id), 'resource.not-found');
    });

    it('returns 404 for an unknown file rather than 409 for a document in the bin', async () => {
      const { id } = await saveDocument(tenant, author, { status: 'Deleted' });
      await expectRefused(tenant, put(editor, id, id), 'resource.not-found');
    });
  });

  describe('409', () => {
    it('returns 409 for a document in the bin, even when it is already in the file', async () => {
      const binned = await saveDocument(tenant, author, { status: 'Deleted' });
      const filed = await saveDocument(tenant, author, { status: 'Deleted', fileIds: [file.id] });
      await expectRefused(tenant, put(editor, binned.id), 'document.deleted');
      await expectRefused(tenant, put(editor, filed.id), 'document.deleted');
    });

    it('returns 409 for a Closed file', async () => {
      const closed = await saveFile(tenant, editor, { status: 'Closed' });
      await expectRefused(tenant, put(editor, document.id, closed.id), 'file.closed');
    });

    it('returns 409 after waiting for a transaction that closes the file', async () => {
      const response = await duringTransaction(
        service,
        `UPDATE files SET status = 'Closed', closed_at = now() WHERE tenant_id = $1 AND id = $2`,
        [tenant.id, file.id],
        () => put(),
      );
      expectProblem(response, 'file.closed');
      expect(await links()).toEqual([]);
    });

    it('returns 409 after waiting for a transaction that deletes the document', async () => {
      const response = await duringTransaction(
        service,
        `UPDATE documents SET status = 'Deleted', status_before_deletion = 'Active', deleted_at = now()
          WHERE tenant_id = $1 AND id = $2`,
        [tenant.id, document.id],
        () => put(),
      );
      expectProblem(response, 'document.deleted');
      expect(await links()).toEqual([]);
    });
  });

  it('returns 404 when the file is deleted at the same time', async () => {
    const response = await duringTransaction(
      service,
      'DELETE FROM files WHERE tenant_id = $1 AND id = $2',
      [tenant.id, file.id],
      () => put(),
    );
    expectProblem(response, 'resource.not-found');
  });

  it('returns 404 when the document is made confidential at the same time', async () => {
    const response = await duringTransaction(
      service,
      'UPDATE documents SET is_confidential = true WHERE tenant_id = $1 AND id = $2',
      [tenant.id, document.id],
      () => put(),
    );
    expectProblem(response, 'resource.not-found');
  });

  it('makes a concurrent CloseFile wait', async () => {
    const response = await duringTransaction(
      service,
      'SELECT FROM files WHERE tenant_id = $1 AND id = $2 FOR SHARE',
      [tenant.id, file.id],
      () => editor.post(`/files/${file.id}/close`),
    );
    expect(response.status).toBe(200);
  });

  it('runs without deadlocks beside CloseFile, UnfileDocument and UpdateDocument', async () => {
    const files = [file, await saveFile(tenant, editor), await saveFile(tenant, editor)];
    const documents = [document, await saveDocument(tenant, author), await saveDocument(tenant, author)];
    const administrator = await tenant.as('administrator');
    const pairs = documents.flatMap(({ id }) => files.map((target) => [id, target.id] as const));

    const work = [
      ...pairs.map(([id, target]) => put(editor, id, target)),
      ...pairs.map(([id, target]) => editor.delete(`/documents/${id}/files/${target}`)),
      ...files.map(({ id }) => administrator.post(`/files/${id}/close`)),
      ...files.map(({ id }) => administrator.post(`/files/${id}/reopen`)),
      ...documents.map(({ id }) => editor.put(`/documents/${id}`, { title: `Neu ${id}` })),
      ...documents.map(() =>
        editor.post('/documents', { title: 'Neu', fileIds: files.map(({ id }) => id).toReversed() }),
      ),
    ];
    const responses = await Promise.all(work);

    expect(responses.filter(({ status }) => ![200, 201, 204, 404, 409].includes(status))).toEqual([]);
    // Every link has an audit entry: filed minus unfiled is the number of links.
    const audit = await tenant.audit();
    const count = (action: string) => audit.filter((entry) => entry.action === action).length;
    expect(count('DocumentFiled') - count('DocumentUnfiled')).toBe((await links()).length);
  });
});
