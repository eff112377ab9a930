import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../../../factories/access-grants.js';
import { saveDocument } from '../../../factories/documents.js';
import { saveFile } from '../../../factories/files.js';
import { type Actor } from '../../../support/actor.js';
import { conditionalWrites } from '../../../support/operations/conditional-writes.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { expectRefused } from '../../../support/expect-refused.js';
import { duringTransaction } from '../../../support/locks.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';
import { listedUsers } from './listed-users.js';

describe('ChangeConfidentiality', () => {
  let tenant: TestTenant;
  /** The creator of both documents. */
  let editor: Actor;
  /** Has documents.confidential.manage and sees all documents that are not confidential. */
  let manager: Actor;
  let viewer: Actor;
  let document: { id: string; title: string };
  /** A confidential document with its creator and the viewer on the list. */
  let hidden: { id: string; title: string };
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor', 'Edda Editor');
    manager = await tenant.as('records_manager', 'Rita');
    viewer = await tenant.as('viewer');
    document = await saveDocument(tenant, editor, { title: 'Bauplan' });
    hidden = await saveDocument(tenant, editor, { title: 'Abmahnung', confidentialTo: [editor, viewer] });
  });

  const change = (actor: Actor, isConfidential: unknown, id = document.id) =>
    actor.put(`/documents/${id}/confidentiality`, { isConfidential });

  const listed = (id = document.id) => listedUsers(id);

  conditionalWrites({
    actor: () => editor,
    path: () => `/documents/${document.id}`,
    send: (actor, path) => actor.put(`${path}/confidentiality`, { isConfidential: true }),
    success: 200,
  });

  describe('switched on', () => {
    it('returns 200 to the creator, who is then the only one to see it; writes an audit entry only', async () => {
      const before = (await editor.get(`/documents/${document.id}`)).body as { updatedAt: string };

      const response = await change(editor, true, document.id.toUpperCase());

      const after = await editor.get(`/documents/${document.id}`);
      expect([response.status, response.body]).toEqual([
        200,
        { ...before, isConfidential: true, updatedAt: expect.any(String) },
      ]);
      expect((response.body as typeof before).updatedAt > before.updatedAt).toBe(true);
      expect([after.body, after.headers.etag]).toEqual([response.body, response.headers.etag]);
      expect(await listed()).toEqual([editor.userId]);
      for (const actor of [manager, viewer]) {
        expectProblem(await actor.get(`/documents/${document.id}`), 'resource.not-found');
      }
      expect(await tenant.audit()).toEqual([
        editor.entry('ConfidentialityChanged', 'Document', document.id, 'Bauplan: confidential'),
      ]);
      expect(await tenant.notifications()).toEqual([]);
    });

    it('returns 200 with the document to a manager, who cannot see it afterwards', async () => {
      const response = await change(manager, true);
      expect([response.status, response.body]).toMatchObject([
        200,
        { id: document.id, title: 'Bauplan', isConfidential: true },
      ]);
      expect(await listed()).toEqual([editor.userId]);
      expectProblem(await manager.get(`/documents/${document.id}`), 'resource.not-found');
      await expectRefused(tenant, change(manager, true), 'resource.not-found');
    });

    it('returns 200 and lists the manager when the creator has left the tenant', async () => {
      const gone = await tenant.nonMember();
      const { id } = await saveDocument(tenant, gone, { title: 'Altlast' });
      expect((await change(manager, true, id)).status).toBe(200);
      expect(await listed(id)).toEqual([manager.userId]);
      expect(await tenant.audit()).toMatchObject([
        { action: 'ConfidentialityChanged', subject_id: id, summary: 'Altlast: confidential' },
        { action: 'ConfidentialUserAdded', subject_id: id, summary: 'Altlast: Rita' },
      ]);
    });

    it('returns 200 to a creator with a Write grant on a file of it; 403 with a Read grant', async () => {
      const [writer, reader] = [await tenant.as('guest'), await tenant.as('guest')];
      const file = await saveFile(tenant, editor);
      await saveAccessGrant(tenant, writer, { file: file.id }, { level: 'Write' });
      await saveAccessGrant(tenant, reader, { file: file.id });
      const written = await saveDocument(tenant, writer, { fileIds: [file.id] });
      const other = await saveDocument(tenant, reader, { fileIds: [file.id] });
      await expectRefused(tenant, change(reader, true, other.id), 'permission.missing');
      await expectRefused(tenant, change(writer, true, other.id), 'permission.missing');
      expect((await change(writer, true, written.id)).body).toMatchObject({ fileIds: [file.id] });
      expect(await listed(written.id)).toEqual([writer.userId]);
    });

    it('returns 200 with a new list, without the users of the former one', async () => {
      expect((await change(editor, false, hidden.id)).status).toBe(200);
      expect((await change(editor, true, hidden.id)).status).toBe(200);
      expect(await listed(hidden.id)).toEqual([editor.userId]);
    });

    it('returns 403 to an editor who did not create it', async () => {
      await expectRefused(tenant, change(await tenant.as('editor'), true), 'permission.missing');
    });

    it('returns 403 to its creator without documents.update', async () => {
      const { id } = await saveDocument(tenant, viewer);
      await expectRefused(tenant, change(viewer, true, id), 'permission.missing');
    });

    it('returns 404 to a manager who cannot see it', async () => {
      const blind = await tenant.with('documents.confidential.manage', 'documents.update');
      await expectRefused(tenant, change(blind, true), 'resource.not-found');
    });
  });

  describe('switched off', () => {
    it('returns 200 to the creator on the list, empties the list and writes an audit entry', async () => {
      const response = await change(editor, false, hidden.id);
      expect([response.status, response.body]).toMatchObject([
        200,
        { id: hidden.id, title: 'Abmahnung', isConfidential: false },
      ]);
      expect((await manager.get(`/documents/${hidden.id}`)).body).toEqual(response.body);
      expect(await listed(hidden.id)).toEqual([]);
      expect(await tenant.audit()).toMatchObject([
        {
          action: 'ConfidentialityChanged',
          subject_type: 'Document',
          subject_id: hidden.id,
          summary: 'Abmahnung: not confidential',
        },
      ]);
      expect(await tenant.notifications()).toEqual([]);
    });

    it('returns 200 to a manager on the list', async () => {
      const { id } = await saveDocument(tenant, editor, { confidentialTo: [manager] });
      expect((await change(manager, false, id)).body).toMatchObject({ id, isConfidential: false });
    });

    it('returns 404 to a manager who is not on the list, as for an unknown document', async () => {
      await expectRefused(tenant, change(manager, false, hidden.id), 'resource.not-found');
      await expectRefused(tenant, change(manager, false, viewer.userId), 'resource.not-found');
    });

    it('returns 403 to its creator who is not on the list, as for an unknown document', async () => {
      const { id } = await saveDocument(tenant, editor, { confidentialTo: [viewer] });
      for (const isConfidential of [true, false]) {
        await expectRefused(tenant, change(editor, isConfidential, id), 'permission.missing');
        await expectRefused(tenant, change(editor, isConfidential, viewer.userId), 'permission.missing');
      }
    });

    it('returns 403 to a user on the list who neither created it nor manages confidentiality', async () => {
      const other = await tenant.as('editor');
      const { id } = await saveDocument(tenant, editor, { confidentialTo: [editor, other] });
      await expectRefused(tenant, change(other, false, id), 'permission.missing');
    });
  });

  describe('left unchanged', () => {
    it.each([true, false])(
      'returns 200 and writes nothing when isConfidential stays %s',
      async (isConfidential) => {
        const { id } = isConfidential ? hidden : document;
        const before = await tenant.fingerprint();
        const response = await change(editor, isConfidential, id);
        expect([response.status, response.body]).toEqual([200, (await editor.get(`/documents/${id}`)).body]);
        expect(await tenant.fingerprint()).toEqual(before);
      },
    );
  });

  it.each(['Processing', 'Archived'] as const)('returns 200 for a document that is %s', async (status) => {
    const { id } = await saveDocument(tenant, editor, { status });
    expect((await change(editor, true, id)).body).toMatchObject({ status, isConfidential: true });
  });

  it('returns 200 for a document in a Closed file', async () => {
    const closed = await saveFile(tenant, editor, { status: 'Closed' });
    const { id } = await saveDocument(tenant, editor, { fileIds: [closed.id] });
    expect((await change(editor, true, id)).status).toBe(200);
  });

  it.each([
    ['absent', undefined],
    ['null', null],
    ['a string', 'true'],
    ['a number', 1],
  ])('returns 400 when isConfidential is %s', (_, value) =>
    expectRefused(tenant, change(manager, value), 'request.invalid', ['isConfidential']),
  );

  it('checks the body (400) before it looks for the document (404)', () =>
    expectRefused(tenant, change(manager, 'yes', tenant.id), 'request.invalid', ['isConfidential']));

  it('returns 409 for a document in the bin, even when nothing would change', async () => {
    const { id } = await saveDocument(tenant, editor, { status: 'Deleted' });
    for (const isConfidential of [true, false])
      await expectRefused(tenant, change(editor, isConfidential, id), 'document.deleted');
  });

  it('checks If-Match (412) before the status of the document (409)', async () => {
    const { id } = await saveDocument(tenant, editor, { status: 'Deleted' });
    await expectRefused(
      tenant,
      change(editor, true, id).set('If-Match', '"other"'),
      'request.precondition-failed',
    );
  });

  it('returns 404 to the second of two managers with concurrent requests', async () => {
    const other = await tenant.as('administrator');
    const responses = await Promise.all([change(manager, true), change(other, true)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(await tenant.audit()).toHaveLength(1);
  });

  it('returns 200 and lists the caller when the creator leaves the tenant at the same time', async () => {
    const leaving = await tenant.as('editor');
    const { id } = await saveDocument(tenant, leaving);
    const response = await duringTransaction(
      service,
      'DELETE FROM members WHERE tenant_id = $1 AND user_id = $2',
      [tenant.id, leaving.userId],
      () => change(manager, true, id),
    );
    expect(response.status).toBe(200);
    expect(await listed(id)).toEqual([manager.userId]);
  });
});
