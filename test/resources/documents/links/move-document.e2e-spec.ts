import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../../../factories/access-grants.js';
import { saveDocument } from '../../../factories/documents.js';
import { saveFile } from '../../../factories/files.js';
import { saveHold } from '../../../factories/holds.js';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { expectRefused } from '../../../support/expect-refused.js';
import { duringTransaction } from '../../../support/locks.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';

describe('MoveDocument', () => {
  let tenant: TestTenant;
  let editor: Actor;
  let author: Actor;
  let document: { id: string };
  let from: { id: string };
  let to: { id: string };
  let other: { id: string };
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor', 'Edda Editor');
    author = await tenant.as('editor', 'Arno Author');
    from = await saveFile(tenant, editor, { number: 'AZ-1', name: 'Feuerwache' });
    to = await saveFile(tenant, editor, { number: 'AZ-2', name: 'Rathaus' });
    other = await saveFile(tenant, editor);
    document = await saveDocument(tenant, author, { title: 'Bauplan', fileIds: [from.id, other.id] });
  });

  const move = (actor = editor, body: object = {}, documentId = document.id) =>
    actor.post(`/documents/${documentId}/move`, { fromFileId: from.id, toFileId: to.id, ...body });

  const fileIds = async () => {
    const response = await editor.get(`/documents/${document.id}`);
    return new Set((response.body as { fileIds: string[] }).fileIds);
  };

  describe('204', () => {
    it('returns 204, moves the document, writes two audit entries and two notifications', async () => {
      const response = await move();

      expect([response.status, response.text]).toEqual([204, '']);
      expect(await fileIds()).toEqual(new Set([to.id, other.id]));
      const entry = {
        actor_id: editor.userId,
        actor_name: 'Edda Editor',
        subject_type: 'Document',
        subject_id: document.id,
      };
      expect(await tenant.audit()).toEqual([
        { ...entry, action: 'DocumentUnfiled', summary: 'Bauplan ← AZ-1: Feuerwache' },
        { ...entry, action: 'DocumentFiled', summary: 'Bauplan → AZ-2: Rathaus' },
      ]);
      const parameters = { documentId: document.id, documentTitle: 'Bauplan', actorName: 'Edda Editor' };
      expect(await tenant.notifications()).toEqual([
        {
          user_id: author.userId,
          type: 'DocumentUnfiled',
          parameters: { ...parameters, fileId: from.id, fileNumber: 'AZ-1', fileName: 'Feuerwache' },
        },
        {
          user_id: author.userId,
          type: 'DocumentFiled',
          parameters: { ...parameters, fileId: to.id, fileNumber: 'AZ-2', fileName: 'Rathaus' },
        },
      ]);
    });

    it('returns 204 for a document that is already in the other file, and only unfiles it', async () => {
      expect((await move(editor, { toFileId: other.id })).status).toBe(204);
      expect(await fileIds()).toEqual(new Set([other.id]));
      expect((await tenant.audit()).map(({ action }) => action)).toEqual(['DocumentUnfiled']);
    });

    it('returns 204 to concurrent and repeated requests, which change the document once', async () => {
      const responses = await Promise.all([1, 2, 3, 4].map(() => move()));
      expect(responses.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
      expect(await tenant.audit()).toHaveLength(2);
      expect(await tenant.notifications()).toHaveLength(2);
      const before = await tenant.fingerprint();
      expect((await move()).status).toBe(204);
      expect(await tenant.fingerprint()).toEqual(before);
    });
  });

  describe('with Write grants instead of the permission', () => {
    let guest: Actor;
    beforeEach(async () => {
      guest = await tenant.as('guest');
      await saveAccessGrant(tenant, guest, { file: from.id }, { level: 'Write' });
    });

    it('returns 204 for two granted files', async () => {
      await saveAccessGrant(tenant, guest, { file: to.id }, { level: 'Write' });
      expect((await move(guest)).status).toBe(204);
    });

    it('returns 403 for a file with only a Read grant', async () => {
      await saveAccessGrant(tenant, guest, { file: to.id });
      await expectRefused(tenant, move(guest), 'permission.missing');
    });
  });

  describe('400', () => {
    it.each(['fromFileId', 'toFileId'])(
      'returns 400 for a file in %s that the caller does not see',
      async (member) => {
        const elsewhere = await service.tenant();
        const foreign = await saveFile(elsewhere, await elsewhere.as('editor'));
        for (const id of [foreign.id, randomUUID()]) {
          await expectRefused(tenant, move(editor, { [member]: id }), 'request.invalid', [member]);
        }
      },
    );

    it('returns 400 for the same file twice', async () => {
      await expectRefused(tenant, move(editor, { toFileId: from.id }), 'request.invalid', ['toFileId']);
    });
  });

  describe('409', () => {
    it('returns 409 for a document that is in neither file', async () => {
      const { id } = await saveDocument(tenant, author, { fileIds: [other.id] });
      await expectRefused(tenant, move(editor, {}, id), 'document.not-in-file');
    });

    it.each([
      ['Processing', 'document.processing'],
      ['Deleted', 'document.deleted'],
    ] as const)('returns 409 for a document that is %s', async (status, code) => {
      const { id } = await saveDocument(tenant, author, { status, fileIds: [from.id] });
      await expectRefused(tenant, move(editor, {}, id), code);
    });

    it.each(['fromFileId', 'toFileId'])('returns 409 for a Closed file in %s', async (member) => {
      const closed = await saveFile(tenant, editor, { status: 'Closed' });
      const { id } = await saveDocument(tenant, author, { fileIds: [from.id, closed.id] });
      await expectRefused(tenant, move(editor, { [member]: closed.id }, id), 'file.closed');
    });

    it.each([
      ['from', 409],
      ['to', 204],
    ] as const)('returns for a held file to move %s: %i', async (side, status) => {
      await saveHold(tenant, editor, { fileIds: [side === 'from' ? from.id : to.id] });
      const response = await move();
      expect(response.status).toBe(status);
      if (status === 409) expectProblem(response, 'hold.active');
    });

    it('returns 409 for a file that is closed at the same time', async () => {
      const response = await duringTransaction(
        service,
        `UPDATE files SET status = 'Closed', closed_at = now() WHERE tenant_id = $1 AND id = $2`,
        [tenant.id, to.id],
        () => move(),
      );
      expectProblem(response, 'file.closed');
    });
  });
});
