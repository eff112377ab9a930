import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../../../factories/access-grants.js';
import { saveDocument } from '../../../factories/documents.js';
import { saveFile } from '../../../factories/files.js';
import { type Actor } from '../../../support/actor.js';
import { everyOperation } from '../../../support/operations/every-operation.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { duringTransaction } from '../../../support/locks.js';
import { TestService } from '../../../support/service/service.js';
import { type TestTenant } from '../../../support/tenant.js';
import { unknownIds } from '../../../support/operations/unknown-ids.js';

describe('FileDocument', () => {
  let service: TestService;
  let tenant: TestTenant;
  let editor: Actor;
  let author: Actor;
  let document: { id: string; title: string };
  let file: { id: string; number: string; name: string };
  beforeAll(async () => {
    service = await TestService.shared();
  });
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

  /** Refused with this problem, and nothing was written. */
  async function refused(test: ReturnType<typeof put>, code: Parameters<typeof expectProblem>[1]) {
    const before = await tenant.fingerprint();
    expectProblem(await test, code);
    expect(await tenant.fingerprint()).toEqual(before);
  }

  everyOperation({
    service: () => service,
    tenant: () => tenant,
    permitted: () => editor,
    permission: 'documents.file',
    send: (actor) => put(actor),
  });

  describe('of documents', () =>
    unknownIds({
      tenant: () => tenant,
      send: (id) => put(editor, id),
      foreign: async () => {
        const elsewhere = await service.tenant();
        return (await saveDocument(elsewhere, await elsewhere.as('editor'))).id;
      },
    }));

  describe('of files', () =>
    unknownIds({
      tenant: () => tenant,
      send: (id) => put(editor, document.id, id),
      foreign: async () => {
        const elsewhere = await service.tenant();
        return (await saveFile(elsewhere, await elsewhere.as('editor'))).id;
      },
    }));

  describe('204', () => {
    it('files the document; audited, and its creator notified', async () => {
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

    it('once more changes nothing: no audit entry, no notification, no new updatedAt', async () => {
      await put();
      const before = await tenant.fingerprint();
      expect((await put()).status).toBe(204);
      expect(await tenant.fingerprint()).toEqual(before);
    });

    it('several at the same time make one link, one audit entry and one notification', async () => {
      const responses = await Promise.all([1, 2, 3, 4].map(() => put()));
      expect(responses.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
      expect(await tenant.audit()).toHaveLength(1);
      expect(await tenant.notifications()).toHaveLength(1);
    });

    it('nobody is notified of their own filing', async () => {
      expect((await put(author)).status).toBe(204);
      expect(await tenant.notifications()).toEqual([]);
    });

    it.each(['Processing', 'Archived'] as const)('one that is %s', async (status) => {
      const { id } = await saveDocument(tenant, author, { status });
      expect((await put(editor, id)).status).toBe(204);
      expect((await editor.get(`/documents/${id}`)).body).toMatchObject({ status, fileIds: [file.id] });
    });

    it('one that is in a Closed file already, into an open one', async () => {
      const closed = await saveFile(tenant, editor, { status: 'Closed' });
      const { id } = await saveDocument(tenant, author, { fileIds: [closed.id] });
      expect((await put(editor, id)).status).toBe(204);
      expect(await links()).toHaveLength(2);
    });

    it('an If-Match is ignored: a link has no entity tag', async () => {
      expect((await put().set('If-Match', '"other"')).status).toBe(204);
    });

    it('a confidential one by somebody on its list', async () => {
      const { id } = await saveDocument(tenant, author, { confidentialTo: [editor] });
      expect((await put(editor, id)).status).toBe(204);
    });
  });

  describe('with a Write grant in place of the permission', () => {
    let guest: Actor;
    let own: { id: string };
    beforeEach(async () => {
      guest = await tenant.as('guest');
      own = await saveDocument(tenant, guest);
    });

    it('204: into the granted file', async () => {
      await saveAccessGrant(tenant, guest, { file: file.id }, { level: 'Write' });
      expect((await put(guest, own.id)).status).toBe(204);
      expect(await links()).toEqual([{ document_id: own.id, file_id: file.id }]);
    });

    it('404: a document that the caller does not see', async () => {
      await saveAccessGrant(tenant, guest, { file: file.id }, { level: 'Write' });
      await refused(put(guest, document.id), 'resource.not-found');
    });

    it.each([
      ['for reading only', { level: 'Read' }],
      ['revoked', { level: 'Write', revoked: true }],
      ['expired', { level: 'Write', expiresAt: "now() - interval '1 second'" }],
    ] as const)('403: with a grant that is %s', async (_, overrides) => {
      await saveAccessGrant(tenant, guest, { file: file.id }, overrides);
      await refused(put(guest, own.id), 'permission.missing');
    });

    it('403: into another file', async () => {
      await saveAccessGrant(tenant, guest, { file: file.id }, { level: 'Write' });
      const other = await saveFile(tenant, editor);
      await refused(put(guest, own.id, other.id), 'permission.missing');
    });
  });

  describe('404', () => {
    it('for a confidential document, to whoever is not on its list', async () => {
      const { id } = await saveDocument(tenant, author, { confidentialTo: [author] });
      await refused(put(editor, id), 'resource.not-found');
      await refused(put(await tenant.as('administrator'), id), 'resource.not-found');
    });

    it('for a file that is not granted, to somebody without files.read', async () => {
      const member = await tenant.with('documents.read', 'documents.file');
      const own = await saveDocument(tenant, member);
      await refused(put(member, own.id), 'resource.not-found');
    });

    it('before 409: an unknown file, for a document in the bin', async () => {
      const { id } = await saveDocument(tenant, author, { status: 'Deleted' });
      await refused(put(editor, id, id), 'resource.not-found');
    });
  });

  describe('409', () => {
    it('for a document in the bin, even if it is in the file', async () => {
      const binned = await saveDocument(tenant, author, { status: 'Deleted' });
      const filed = await saveDocument(tenant, author, { status: 'Deleted', fileIds: [file.id] });
      await refused(put(editor, binned.id), 'document.deleted');
      await refused(put(editor, filed.id), 'document.deleted');
    });

    it('for a Closed file', async () => {
      const closed = await saveFile(tenant, editor, { status: 'Closed' });
      await refused(put(editor, document.id, closed.id), 'file.closed');
    });

    it('for a file that is being closed: filing waits, and finds it Closed', async () => {
      const response = await duringTransaction(
        service,
        `UPDATE files SET status = 'Closed', closed_at = now() WHERE tenant_id = $1 AND id = $2`,
        [tenant.id, file.id],
        () => put(),
      );
      expectProblem(response, 'file.closed');
      expect(await links()).toEqual([]);
    });

    it('for a document that is being put into the bin: filing waits, and finds it there', async () => {
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

  it('404: for a file that is being deleted', async () => {
    const response = await duringTransaction(
      service,
      'DELETE FROM files WHERE tenant_id = $1 AND id = $2',
      [tenant.id, file.id],
      () => put(),
    );
    expectProblem(response, 'resource.not-found');
  });

  it('404: for a document that is being made confidential: filing waits, and does not see it any more', async () => {
    const response = await duringTransaction(
      service,
      'UPDATE documents SET is_confidential = true WHERE tenant_id = $1 AND id = $2',
      [tenant.id, document.id],
      () => put(),
    );
    expectProblem(response, 'resource.not-found');
  });

  it('closing waits for a filing that is under way', async () => {
    const response = await duringTransaction(
      service,
      'SELECT FROM files WHERE tenant_id = $1 AND id = $2 FOR SHARE',
      [tenant.id, file.id],
      () => editor.post(`/files/${file.id}/close`),
    );
    expect(response.status).toBe(200);
  });

  it('closing, filing, tagging and taking out at the same time end in no deadlock and in one truth', async () => {
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
    // What the audit log tells of filing and taking out adds up to the links that there are.
    const audit = await tenant.audit();
    const count = (action: string) => audit.filter((entry) => entry.action === action).length;
    expect(count('DocumentFiled') - count('DocumentUnfiled')).toBe((await links()).length);
  });
});
