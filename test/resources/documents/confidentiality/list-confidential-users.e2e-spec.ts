import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../../../factories/access-grants.js';
import { saveDocument } from '../../../factories/documents.js';
import { saveFile } from '../../../factories/files.js';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { pagedList } from '../../../support/operations/paged-list.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';

/** Id of a document with an empty list in every tenant of the test: ids are unique only within a tenant. */
const EMPTY = '0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d';

describe('ListConfidentialUsers', () => {
  let tenant: TestTenant;
  let editor: Actor;
  let manager: Actor;
  let viewer: Actor;
  let document: { id: string };
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor', 'Edda Editor');
    manager = await tenant.with('documents.confidential.manage');
    viewer = await tenant.as('viewer', 'Vera Viewer');
    document = await saveDocument(tenant, editor, { confidentialTo: [editor] });
    await saveDocument(tenant, editor, { id: EMPTY, confidentialTo: [] });
  });

  const send = (actor: Actor, id = document.id) => actor.get(`/documents/${id}/confidential-access`);
  const usersOf = async (actor: Actor, id = document.id) => {
    const response = await send(actor, id);
    expect(response.status).toBe(200);
    return (response.body as { items: { userId: string }[] }).items.map(({ userId }) => userId);
  };

  it('returns 200 with names and addresses, last added first, and writes nothing', async () => {
    await service.query(
      `UPDATE document_confidential_users SET created_at = '2026-01-01T08:15:30.123Z' WHERE document_id = $1`,
      [document.id],
    );
    await manager.put(`/documents/${document.id}/confidential-access/${viewer.userId}`).expect(204);
    await service.query('UPDATE users SET display_name = NULL, email = NULL WHERE id = $1', [viewer.userId]);
    const before = await tenant.fingerprint();

    const response = await send(manager, document.id.toUpperCase());

    expect([response.status, response.body, response.headers.etag]).toEqual([
      200,
      {
        items: [
          {
            userId: viewer.userId,
            displayName: null,
            email: null,
            addedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          },
          {
            userId: editor.userId,
            displayName: 'Edda Editor',
            email: editor.email,
            addedAt: '2026-01-01T08:15:30.123Z',
          },
        ],
        nextCursor: null,
      },
      undefined,
    ]);
    expect(await tenant.fingerprint()).toEqual(before);
  });

  pagedList({
    actor: () => manager,
    other: () => tenant.as('administrator'),
    path: `/documents/${EMPTY}/confidential-access`,
    otherPath: '/confidential-documents',
    key: 'userId',
    fill: async (where, count) => {
      if (where !== tenant) await saveDocument(where, editor, { id: EMPTY, confidentialTo: [] });
      const users: string[] = [];
      for (let n = 0; n < count; n += 1) users.push((await where.as('viewer')).userId);
      // The same time for all, so that the id decides the order.
      await service.query(
        `INSERT INTO document_confidential_users (tenant_id, document_id, user_id, created_at, document_created_at)
         SELECT $1, d.id, u.id, '2026-01-01', d.created_at FROM documents d, unnest($3::uuid[]) AS u (id)
          WHERE d.tenant_id = $1 AND d.id = $2`,
        [where.id, EMPTY, users],
      );
      return users.sort().reverse();
    },
  });

  describe('for a caller on the list', () => {
    it('returns 200 with documents.read', async () => {
      const { id } = await saveDocument(tenant, editor, { confidentialTo: [editor, viewer] });
      expect((await usersOf(viewer, id)).sort()).toEqual([editor.userId, viewer.userId].sort());
    });

    it('returns 200 to a guest, with or without a visible file; 403 without documents.read', async () => {
      const [guest, other] = [await tenant.as('guest'), await tenant.as('guest')];
      const auditor = await tenant.as('auditor');
      const file = await saveFile(tenant, editor);
      await saveAccessGrant(tenant, guest, { file: file.id });
      const { id } = await saveDocument(tenant, editor, {
        fileIds: [file.id],
        confidentialTo: [guest, other, auditor],
      });
      expect(await usersOf(guest, id)).toHaveLength(3);
      expect(await usersOf(other, id)).toHaveLength(3);
      expectProblem(await send(auditor, id), 'permission.missing');
    });

    it('returns 200 without the addresses of others when the caller cannot see members', async () => {
      const [guest, auditor] = [
        await tenant.as('guest'),
        await tenant.with('documents.read', 'files.read', 'members.read'),
      ];
      const file = await saveFile(tenant, editor);
      await saveAccessGrant(tenant, guest, { file: file.id });
      const confidentialTo = [editor, guest, auditor];
      const { id } = await saveDocument(tenant, editor, { fileIds: [file.id], confidentialTo });
      const addresses = async (actor: Actor) => {
        const { items } = (await send(actor, id)).body as {
          items: { userId: string; email: string | null }[];
        };
        return confidentialTo.map(({ userId }) => items.find((item) => item.userId === userId)?.email);
      };
      expect(await addresses(guest)).toEqual([null, guest.email, null]);
      expect(await addresses(auditor)).toEqual([editor.email, guest.email, auditor.email]);
    });

    it('returns 403 without documents.read', async () => {
      const member = await tenant.with('documents.update', 'files.read');
      const { id } = await saveDocument(tenant, editor, { confidentialTo: [member] });
      expectProblem(await send(member, id), 'permission.missing');
    });
  });

  it('returns 403 to an editor who is not on the list, as for an unknown document', async () => {
    const { id } = await saveDocument(tenant, editor, { confidentialTo: [viewer] });
    for (const other of [id, tenant.id]) expectProblem(await send(editor, other), 'permission.missing');
  });

  describe('for a document that is not confidential', () => {
    it('returns 200 with an empty list to a manager who can see it, ignoring former entries', async () => {
      const { id } = await saveDocument(tenant, editor, { confidentialTo: [editor] });
      await service.query('UPDATE documents SET is_confidential = false WHERE id = $1', [id]);
      expect(await usersOf(await tenant.as('records_manager'), id)).toEqual([]);
      expectProblem(await send(editor, id), 'permission.missing');
    });

    it('returns 404 to a manager who cannot see it', async () => {
      const { id } = await saveDocument(tenant, editor);
      expectProblem(await send(manager, id), 'resource.not-found');
    });
  });

  describe('for a document in the bin', () => {
    it.each(['documents.delete', 'documents.restore'] as const)('returns 200 with %s', async (permission) => {
      const { id } = await saveDocument(tenant, editor, { status: 'Deleted', confidentialTo: [editor] });
      const member = await tenant.with('documents.confidential.manage', permission);
      expect(await usersOf(member, id)).toEqual([editor.userId]);
    });

    it('returns 404 without documents.delete and documents.restore, on the list or not', async () => {
      const confidentialTo = [editor, viewer];
      const { id } = await saveDocument(tenant, editor, { status: 'Deleted', confidentialTo });
      for (const actor of [viewer, manager]) expectProblem(await send(actor, id), 'resource.not-found');
    });
  });
});
