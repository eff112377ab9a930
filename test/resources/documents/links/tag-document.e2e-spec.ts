import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../../../factories/access-grants.js';
import { saveDocument, saveTag } from '../../../factories/documents.js';
import { saveFile } from '../../../factories/files.js';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { expectRefused } from '../../../support/expect-refused.js';
import { duringTransaction } from '../../../support/locks.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';

describe('TagDocument', () => {
  let tenant: TestTenant;
  let editor: Actor;
  let document: { id: string; title: string };
  let tag: { id: string; name: string };
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor', 'Edda Editor');
    tag = await saveTag(tenant, 'dringend');
    document = await make();
  });

  const make = (overrides: Parameters<typeof saveDocument>[2] = {}) =>
    saveDocument(tenant, editor, { title: 'Bauplan', ...overrides });
  const send = (actor = editor, id = document.id, tagId = tag.id) =>
    actor.put(`/documents/${id}/tags/${tagId}`);
  const tagsOf = async (id = document.id) =>
    ((await editor.get(`/documents/${id}`)).body as { tagIds: string[] }).tagIds;

  describe('204', () => {
    it('returns 204, adds the tag, writes an audit entry and sends no notification', async () => {
      const before = (await editor.get(`/documents/${document.id}`)).body as { updatedAt: string };

      const response = await send(await tenant.as('editor'));

      expect([response.status, response.text]).toEqual([204, '']);
      const after = (await editor.get(`/documents/${document.id}`)).body as typeof before;
      expect(after).toMatchObject({ tagIds: [tag.id] });
      expect(after.updatedAt > before.updatedAt).toBe(true);
      expect(await tenant.audit()).toMatchObject([
        {
          action: 'DocumentTagged',
          subject_type: 'Document',
          subject_id: document.id,
          summary: 'Bauplan: dringend',
        },
      ]);
      expect(await tenant.notifications()).toEqual([]);
    });

    it('returns 204 and writes nothing when repeated', async () => {
      await send();
      const before = await tenant.fingerprint();
      expect((await send()).status).toBe(204);
      expect(await tenant.fingerprint()).toEqual(before);
    });

    it('returns 204 to several concurrent requests, with one audit entry', async () => {
      const responses = await Promise.all([1, 2, 3, 4].map(() => send()));
      expect(responses.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
      expect(await tenant.audit()).toHaveLength(1);
    });

    it('returns 204 for a second tag', async () => {
      const other = await saveTag(tenant);
      await send();
      await send(editor, document.id, other.id);
      expect(await tagsOf()).toEqual([tag.id, other.id]);
    });

    it('returns 204 for a document that is Processing', async () => {
      const { id } = await make({ status: 'Processing' });
      expect((await send(editor, id)).status).toBe(204);
    });
  });

  it('returns 204 with a Write grant on a file of the document; 403 with a Read grant', async () => {
    const [writer, reader] = [await tenant.as('guest'), await tenant.as('guest')];
    const file = await saveFile(tenant, editor);
    const { id } = await make({ fileIds: [file.id] });
    await saveAccessGrant(tenant, writer, { file: file.id }, { level: 'Write' });
    await saveAccessGrant(tenant, reader, { file: file.id });
    await expectRefused(tenant, send(reader, id), 'permission.missing');
    expect((await send(writer, id)).status).toBe(204);
  });

  it('returns 404 for a confidential document to a caller who is not on its access list', async () => {
    const { id } = await make({ confidentialTo: [editor] });
    await expectRefused(tenant, send(await tenant.as('administrator'), id), 'resource.not-found');
    expect((await send(editor, id)).status).toBe(204);
  });

  it.each([
    ['Archived', 'document.archived'],
    ['Deleted', 'document.deleted'],
  ] as const)('returns 409 for a document that is %s', async (status, code) => {
    const { id } = await make({ status });
    await expectRefused(tenant, send(editor, id), code);
  });

  it('returns 409 for a document in a Closed file', async () => {
    const closed = await saveFile(tenant, editor, { status: 'Closed' });
    const { id } = await make({ fileIds: [closed.id] });
    await expectRefused(tenant, send(editor, id), 'file.closed');
  });

  it('returns 404 for a tag that is deleted at the same time', async () => {
    const response = await duringTransaction(
      service,
      'DELETE FROM tags WHERE tenant_id = $1 AND id = $2',
      [tenant.id, tag.id],
      () => send(),
    );
    expectProblem(response, 'resource.not-found');
  });
});
