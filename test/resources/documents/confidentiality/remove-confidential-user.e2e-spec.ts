import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { saveDocument } from '../../../factories/documents.js';
import { saveFile } from '../../../factories/files.js';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { expectRefused } from '../../../support/expect-refused.js';
import { duringTransaction } from '../../../support/locks.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';
import { listedUsers } from './listed-users.js';

describe('RemoveConfidentialUser', () => {
  let tenant: TestTenant;
  let editor: Actor;
  let manager: Actor;
  let viewer: Actor;
  let document: { id: string; title: string };
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor', 'Edda Editor');
    manager = await tenant.with('documents.confidential.manage');
    viewer = await tenant.as('viewer', 'Vera Viewer');
    document = await saveDocument(tenant, editor, { title: 'Abmahnung', confidentialTo: [editor, viewer] });
  });

  const send = (actor = manager, user: Pick<Actor, 'userId'> = viewer, id = document.id) =>
    actor.delete(`/documents/${id}/confidential-access/${user.userId}`);

  const listed = (id = document.id) => listedUsers(id);

  it("returns 204, ends the user's access, writes an audit entry and notifies the user", async () => {
    expect((await viewer.get(`/documents/${document.id}`)).status).toBe(200);

    const response = await send().set('If-Match', '"other"');

    expect([response.status, response.text, response.headers.etag]).toEqual([204, '', undefined]);
    expectProblem(await viewer.get(`/documents/${document.id}`), 'resource.not-found');
    expect(await listed()).toEqual([editor.userId]);
    expect(await tenant.audit()).toEqual([
      manager.entry('ConfidentialUserRemoved', 'Document', document.id, 'Abmahnung: Vera Viewer'),
    ]);
    expect(await tenant.notifications()).toEqual([
      {
        user_id: viewer.userId,
        type: 'ConfidentialAccessRevoked',
        parameters: { documentId: document.id, actorName: manager.name },
      },
    ]);
    const { items } = (await viewer.get('/notifications')).body as { items: object[] };
    expect(items).toMatchObject([{ type: 'ConfidentialAccessRevoked' }]);
  });

  it('returns 204 for the creator of the document', async () => {
    expect((await send(manager, editor)).status).toBe(204);
    expectProblem(await editor.get(`/documents/${document.id}`), 'resource.not-found');
  });

  it("returns 204 for the caller's own id, without a notification", async () => {
    const { id } = await saveDocument(tenant, editor, { confidentialTo: [editor, manager] });
    expect((await send(manager, manager, id)).status).toBe(204);
    expect(await tenant.notifications()).toEqual([]);
    expect(await tenant.audit()).toHaveLength(1);
  });

  it.each(['Processing', 'Archived'] as const)('returns 204 for a document that is %s', async (status) => {
    const confidentialTo = [editor, viewer];
    const { id } = await saveDocument(tenant, editor, { status, confidentialTo });
    expect((await send(manager, viewer, id)).status).toBe(204);
  });

  it('returns 204 for a document in a Closed file', async () => {
    const closed = await saveFile(tenant, editor, { status: 'Closed' });
    const confidentialTo = [editor, viewer];
    const { id } = await saveDocument(tenant, editor, { fileIds: [closed.id], confidentialTo });
    expect((await send(manager, viewer, id)).status).toBe(204);
  });

  it('returns 403 to a user on the list with documents.update', async () => {
    await expectRefused(tenant, send(editor, viewer), 'permission.missing');
    await expectRefused(tenant, send(editor, editor), 'permission.missing');
  });

  it('returns 404 for a member who is not on the list', async () => {
    await expectRefused(tenant, send(manager, manager), 'resource.not-found');
    expect((await send()).status).toBe(204);
    await expectRefused(tenant, send(), 'resource.not-found');
  });

  it('returns 404 for a document that is not confidential, whether the caller can see it or not', async () => {
    const { id } = await saveDocument(tenant, editor);
    await expectRefused(tenant, send(manager, editor, id), 'resource.not-found');
    await expectRefused(tenant, send(await tenant.as('records_manager'), editor, id), 'resource.not-found');
  });

  it('returns 409 for the last user on the list', async () => {
    expect((await send()).status).toBe(204);
    await expectRefused(tenant, send(manager, editor), 'confidentiality.last-user');
  });

  it('returns 409 to one of two requests that remove the last two users at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await saveDocument(tenant, editor, { confidentialTo: [editor, viewer] });
      const responses = await Promise.all([send(manager, editor, id), send(manager, viewer, id)]);
      expect(responses.map(({ status }) => status).sort()).toEqual([204, 409]);
      expect(await listed(id)).toHaveLength(1);
    }
  });

  it('returns 409 when the only other user is removed at the same time', async () => {
    const response = await duringTransaction(
      service,
      'DELETE FROM document_confidential_users WHERE document_id = $1 AND user_id = $2',
      [document.id, viewer.userId],
      () => send(manager, editor),
    );
    expectProblem(response, 'confidentiality.last-user');
  });

  it('returns 404 for a user who is removed from the tenant at the same time', async () => {
    const response = await duringTransaction(
      service,
      `WITH places AS (DELETE FROM document_confidential_users WHERE tenant_id = $1 AND user_id = $2)
       DELETE FROM members WHERE tenant_id = $1 AND user_id = $2`,
      [tenant.id, viewer.userId],
      () => send(),
    );
    expectProblem(response, 'resource.not-found');
    expect(await tenant.audit()).toEqual([]);
  });

  it('returns 409 for a document in the bin; 404 for a user who is not on its access list', async () => {
    const confidentialTo = [editor, viewer];
    const { id } = await saveDocument(tenant, editor, { status: 'Deleted', confidentialTo });
    await expectRefused(tenant, send(manager, viewer, id), 'document.deleted');
    await expectRefused(tenant, send(manager, manager, id), 'resource.not-found');
    await expectRefused(tenant, send(manager, { userId: randomUUID() }, id), 'resource.not-found');
  });
});
