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
import { listedUsers } from './listed-users.js';

describe('AddConfidentialUser', () => {
  let tenant: TestTenant;
  /** The creator of the document, on its list. */
  let editor: Actor;
  let manager: Actor;
  let viewer: Actor;
  let document: { id: string; title: string };
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor', 'Edda Editor');
    manager = await tenant.with('documents.confidential.manage');
    viewer = await tenant.as('viewer', 'Vera Viewer');
    document = await saveDocument(tenant, editor, { title: 'Abmahnung', confidentialTo: [editor] });
  });

  const send = (actor: Actor, user: Pick<Actor, 'userId'> = viewer, id = document.id) =>
    actor.put(`/documents/${id}/confidential-access/${user.userId}`);

  const listed = (id = document.id) => listedUsers(id);
  const ids = (...actors: Actor[]) => actors.map(({ userId }) => userId).sort();

  async function expectNoChange(test: ReturnType<typeof send>) {
    const before = await tenant.fingerprint();
    expect((await test).status).toBe(204);
    expect(await tenant.fingerprint()).toEqual(before);
  }

  describe('for a caller with only documents.confidential.manage', () => {
    it('returns 204, gives the member access, writes an audit entry and notifies the member', async () => {
      expectProblem(await viewer.get(`/documents/${document.id}`), 'resource.not-found');

      const response = await send(manager);

      expect([response.status, response.text, response.headers.etag]).toEqual([204, '', undefined]);
      expect(await listed()).toEqual(ids(editor, viewer));
      expect((await viewer.get(`/documents/${document.id}`)).body).toMatchObject({ title: 'Abmahnung' });
      expect(await tenant.audit()).toEqual([
        manager.entry('ConfidentialUserAdded', 'Document', document.id, 'Abmahnung: Vera Viewer'),
      ]);
      expect(await tenant.notifications()).toEqual([
        {
          user_id: viewer.userId,
          type: 'ConfidentialAccessGranted',
          parameters: { documentId: document.id, actorName: manager.name },
        },
      ]);
    });

    it("returns 204 for the caller's own id and notifies all others on the list", async () => {
      const admin = await tenant.as('administrator', 'Ada Admin');
      const other = await saveDocument(tenant, editor, { confidentialTo: [editor, viewer] });
      expectProblem(await admin.get(`/documents/${other.id}`), 'resource.not-found');

      expect((await send(admin, admin, other.id)).status).toBe(204);

      expect((await admin.get(`/documents/${other.id}`)).status).toBe(200);
      expect(await tenant.audit()).toMatchObject([
        { action: 'ConfidentialUserAdded', subject_id: other.id, actor_id: admin.userId },
      ]);
      const notice = { documentId: other.id, userId: admin.userId, actorName: 'Ada Admin' };
      const notifications = await tenant.notifications();
      expect(notifications.map(({ user_id }) => user_id).sort()).toEqual(ids(editor, viewer));
      for (const { type, parameters } of notifications) {
        expect({ type, parameters }).toEqual({ type: 'ConfidentialUserAdded', parameters: notice });
      }
    });

    it('returns 204 for an empty list', async () => {
      await service.query('DELETE FROM document_confidential_users WHERE document_id = $1', [document.id]);
      expect((await send(manager)).status).toBe(204);
      expect(await listed()).toEqual(ids(viewer));
    });

    it('returns 204, after which a listed member still needs documents.read', async () => {
      expect((await send(manager, manager)).status).toBe(204);
      expectProblem(await manager.get(`/documents/${document.id}`), 'permission.missing');
      const guest = await tenant.as('guest');
      expect((await send(manager, guest)).status).toBe(204);
      expect((await guest.get(`/documents/${document.id}`)).status).toBe(200);
    });
  });

  it('returns 204 and writes nothing for a user who is already on the list', () =>
    expectNoChange(send(manager, editor)));

  it('returns 204 for uppercase ids', async () => {
    const response = await send(manager, { userId: viewer.userId.toUpperCase() }, document.id.toUpperCase());
    expect(response.status).toBe(204);
    expect(await listed()).toEqual(ids(editor, viewer));
  });

  it('returns 204 and ignores a body', async () => {
    const path = `/documents/${document.id}/confidential-access/${viewer.userId}`;
    expect((await manager.put(path).set('Content-Type', 'text/plain').send('{')).status).toBe(204);
  });

  describe('for a caller on the list', () => {
    it('returns 204 with documents.update', async () => {
      expect((await send(editor)).status).toBe(204);
      expect(await listed()).toEqual(ids(editor, viewer));
      expect(await tenant.notifications()).toMatchObject([
        { user_id: viewer.userId, type: 'ConfidentialAccessGranted' },
      ]);
    });

    it("returns 204 and writes nothing for the caller's own id", () => expectNoChange(send(editor, editor)));

    it('returns 403 without documents.update', async () => {
      const { id } = await saveDocument(tenant, editor, { confidentialTo: [editor, viewer] });
      await expectRefused(tenant, send(viewer, viewer, id), 'permission.missing');
    });

    it('returns 204 without access to any file; 404 without documents.read', async () => {
      const [member, blind] = [
        await tenant.with('documents.update', 'documents.read'),
        await tenant.with('documents.update'),
      ];
      const { id } = await saveDocument(tenant, editor, { confidentialTo: [editor, member, blind] });
      await expectRefused(tenant, send(blind, viewer, id), 'resource.not-found');
      expect((await send(member, viewer, id)).status).toBe(204);
    });

    it('returns 204 with a Write grant on a file of the document; 403 with a Read grant', async () => {
      const [writer, reader] = [await tenant.as('guest'), await tenant.as('guest')];
      const file = await saveFile(tenant, editor);
      await saveAccessGrant(tenant, writer, { file: file.id }, { level: 'Write' });
      await saveAccessGrant(tenant, reader, { file: file.id });
      const confidentialTo = [editor, reader, writer];
      const { id } = await saveDocument(tenant, editor, { fileIds: [file.id], confidentialTo });
      await expectRefused(tenant, send(reader, viewer, id), 'permission.missing');
      expect((await send(writer, viewer, id)).status).toBe(204);
    });
  });

  it('returns 403 to an editor who is not on the list, as for an unknown document', async () => {
    const other = await tenant.as('editor');
    await expectRefused(tenant, send(other, other), 'permission.missing');
    await expectRefused(tenant, send(other, other, viewer.userId), 'permission.missing');
    const { id } = await saveDocument(tenant, editor, { confidentialTo: [viewer] });
    await expectRefused(tenant, send(editor, editor, id), 'permission.missing');
  });

  it.each(['Processing', 'Archived'] as const)('returns 204 for a document that is %s', async (status) => {
    const { id } = await saveDocument(tenant, editor, { status, confidentialTo: [editor] });
    expect((await send(manager, viewer, id)).status).toBe(204);
  });

  it('returns 204 for a document in a Closed file', async () => {
    const closed = await saveFile(tenant, editor, { status: 'Closed' });
    const { id } = await saveDocument(tenant, editor, { fileIds: [closed.id], confidentialTo: [editor] });
    expect((await send(manager, viewer, id)).status).toBe(204);
  });

  it('returns 409 for a document in the bin, even when the user is already on the list', async () => {
    const { id } = await saveDocument(tenant, editor, { status: 'Deleted', confidentialTo: [editor] });
    for (const user of [viewer, editor])
      await expectRefused(tenant, send(manager, user, id), 'document.deleted');
    await expectRefused(tenant, send(editor, viewer, id), 'document.deleted');
  });

  it('returns 409 for a visible document that is not confidential; 404 if the caller cannot see it', async () => {
    const { id } = await saveDocument(tenant, editor);
    await expectRefused(
      tenant,
      send(await tenant.as('records_manager'), viewer, id),
      'document.not-confidential',
    );
    await expectRefused(tenant, send(manager, viewer, id), 'resource.not-found');
  });

  it('checks the user (404) before the status of the document (409)', async () => {
    const { id } = await saveDocument(tenant, editor, { status: 'Deleted', confidentialTo: [editor] });
    await expectRefused(tenant, send(manager, { userId: id }, id), 'resource.not-found');
  });

  it('returns 204 to several concurrent requests, with one audit entry and one notification', async () => {
    const responses = await Promise.all([1, 2, 3, 4].map(() => send(manager)));
    expect(responses.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
    expect(await listed()).toEqual(ids(editor, viewer));
    expect(await tenant.audit()).toHaveLength(1);
    expect(await tenant.notifications()).toHaveLength(1);
  });

  it('returns 404 for a user who is removed from the tenant at the same time', async () => {
    const response = await duringTransaction(
      service,
      'DELETE FROM members WHERE tenant_id = $1 AND user_id = $2',
      [tenant.id, viewer.userId],
      () => send(manager),
    );
    expectProblem(response, 'resource.not-found');
    expect(await listed()).toEqual(ids(editor));
  });

  it('returns 404 when the caller is removed from the list at the same time', async () => {
    const { id } = await saveDocument(tenant, viewer, { confidentialTo: [editor, viewer] });
    const response = await duringTransaction(
      service,
      `WITH locked AS (SELECT FROM documents WHERE tenant_id = $1 AND id = $2 FOR UPDATE)
       DELETE FROM document_confidential_users
        WHERE tenant_id = $1 AND document_id = $2 AND user_id = $3 AND EXISTS (SELECT FROM locked)`,
      [tenant.id, id, editor.userId],
      () => send(editor, editor, id),
    );
    expectProblem(response, 'resource.not-found');
    expect(await listed(id)).toEqual(ids(viewer));
  });

  it('returns 409 when confidentiality is switched off at the same time', async () => {
    const response = await duringTransaction(
      service,
      'UPDATE documents SET is_confidential = false WHERE id = $1',
      [document.id],
      () => send(editor),
    );
    expectProblem(response, 'document.not-confidential');
    expect(await listed()).toEqual(ids(editor));
  });
});
