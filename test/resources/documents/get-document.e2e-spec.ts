import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../../factories/access-grants.js';
import { saveDocument, saveTag } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('GetDocument', () => {
  let tenant: TestTenant;
  let editor: Actor;
  let viewer: Actor;
  let document: { id: string; title: string };
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor');
    viewer = await tenant.as('viewer');
    document = await saveDocument(tenant, editor);
  });

  const get = (actor: Actor, id = document.id) => actor.get(`/documents/${id}`);

  it('returns 200 with all members of the document, and writes nothing', async () => {
    const [one, two] = [await saveFile(tenant, editor), await saveFile(tenant, editor, { status: 'Closed' })];
    const tags = [await saveTag(tenant), await saveTag(tenant)].map(({ id }) => id);
    const { id } = await saveDocument(tenant, editor, {
      title: 'Bauplan',
      status: 'Archived',
      fileIds: [two.id, one.id],
      tagIds: tags.toReversed(),
    });
    await editor.get('/me');
    const before = await tenant.fingerprint();

    const response = await get(viewer, id.toUpperCase());

    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      id,
      title: 'Bauplan',
      documentTypeId: null,
      status: 'Archived',
      fields: {},
      tagIds: tags,
      fileIds: [one.id, two.id],
      isConfidential: false,
      content: null,
      createdById: editor.userId,
      createdByName: editor.name,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: (response.body as { createdAt: string }).createdAt,
    });
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it('returns 200 without the name of a creator who is no longer a member', async () => {
    const administrator = await tenant.as('administrator');
    const created = { createdById: editor.userId, createdByName: editor.name };
    await editor.get('/me');
    expect((await administrator.get('/documents')).body).toMatchObject({ items: [created] });

    await administrator.delete(`/members/${editor.userId}`);

    expect((await get(viewer)).body).toMatchObject({ ...created, createdByName: null });
  });

  it('returns 304 for a current If-None-Match, 200 with a new entity tag after a change', async () => {
    const first = await get(viewer);
    const tag = first.headers.etag ?? '';
    expect(tag).toMatch(/^"[\w-]+"$/);
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const response = await get(viewer).set('If-None-Match', known);
      expect([response.status, response.text, response.headers.etag]).toEqual([304, '', tag]);
    }
    expect((await get(viewer).set('If-None-Match', '"other"')).status).toBe(200);

    await editor.put(`/documents/${document.id}`, { title: 'Anders' });

    const changed = await get(viewer).set('If-None-Match', tag);
    expect([changed.status, changed.headers.etag === tag]).toEqual([200, false]);
  });

  it('returns 200 to HEAD with the same entity tag and no body', async () => {
    const [whole, head] = [await get(viewer), await viewer.send('head', `/documents/${document.id}`)];
    expect([head.status, head.text ?? '', head.headers.etag]).toEqual([200, '', whole.headers.etag]);
  });

  describe('for a caller without files.read', () => {
    let guest: Actor;
    beforeEach(async () => {
      guest = await tenant.as('guest');
    });

    it('returns 404 for a document in no file, or in files without a grant', async () => {
      const file = await saveFile(tenant, editor);
      const filed = await saveDocument(tenant, editor, { fileIds: [file.id] });
      await saveAccessGrant(tenant, guest, { file: (await saveFile(tenant, editor)).id });
      expectProblem(await get(guest), 'resource.not-found');
      expectProblem(await get(guest, filed.id), 'resource.not-found');
    });

    it.each([
      ['a Read grant on the file', {}],
      ['a Write grant on the file', { level: 'Write' }],
      ['a grant to the role', { toRole: true }],
      ['a grant that has not expired yet', { expiresAt: "now() + interval '1 hour'" }],
    ] as const)('returns 200 with %s, and only the granted file in fileIds', async (_, overrides) => {
      const [granted, other] = [await saveFile(tenant, editor), await saveFile(tenant, editor)];
      const { id } = await saveDocument(tenant, editor, { fileIds: [granted.id, other.id] });
      await saveAccessGrant(tenant, guest, { file: granted.id }, overrides);
      expect((await get(guest, id)).body).toMatchObject({ id, fileIds: [granted.id] });
      expect((await get(viewer, id)).body).toMatchObject({ fileIds: [granted.id, other.id] });
    });

    it('returns 200 with a grant on the file type', async () => {
      const file = await saveFile(tenant, editor);
      const { id } = await saveDocument(tenant, editor, { fileIds: [file.id] });
      await saveAccessGrant(tenant, guest, { fileType: file.fileTypeId });
      expect((await get(guest, id)).body).toMatchObject({ fileIds: [file.id] });
    });

    it.each([
      ['revoked', { revoked: true }],
      ['expired', { expiresAt: "now() - interval '1 second'" }],
    ] as const)('returns 404 with a grant that is %s', async (_, overrides) => {
      const file = await saveFile(tenant, editor);
      const { id } = await saveDocument(tenant, editor, { fileIds: [file.id] });
      await saveAccessGrant(tenant, guest, { file: file.id }, overrides);
      expectProblem(await get(guest, id), 'resource.not-found');
    });

    it("returns 200 for the caller's own document, without files that the caller cannot see", async () => {
      const file = await saveFile(tenant, editor);
      const own = await saveDocument(tenant, guest, { fileIds: [file.id] });
      expect((await get(guest, own.id)).body).toMatchObject({ id: own.id, fileIds: [] });
    });
  });

  describe('for a confidential document', () => {
    it('returns 200 to users on its access list and 404 to all others, whatever the role', async () => {
      const { id } = await saveDocument(tenant, editor, { confidentialTo: [viewer] });
      expect((await get(viewer, id)).body).toMatchObject({ id, isConfidential: true });
      const administrator = await tenant.as('administrator');
      // The creator is not on the list any more.
      for (const actor of [administrator, editor]) expectProblem(await get(actor, id), 'resource.not-found');
    });

    it('returns 404 in spite of a grant', async () => {
      const file = await saveFile(tenant, editor);
      const guest = await tenant.as('guest');
      await saveAccessGrant(tenant, guest, { file: file.id }, { level: 'Write' });
      const { id } = await saveDocument(tenant, editor, { fileIds: [file.id], confidentialTo: [editor] });
      expectProblem(await get(guest, id), 'resource.not-found');
    });

    it('returns 200 to all once it is not confidential, ignoring the former list', async () => {
      const { id } = await saveDocument(tenant, editor, { confidentialTo: [editor] });
      await service.query('UPDATE documents SET is_confidential = false WHERE tenant_id = $1 AND id = $2', [
        tenant.id,
        id,
      ]);
      expect((await get(viewer, id)).status).toBe(200);
    });
  });

  describe('for a document in the bin', () => {
    it.each(['documents.delete', 'documents.restore'] as const)('returns 200 with %s', async (permission) => {
      const { id } = await saveDocument(tenant, editor, { status: 'Deleted' });
      const member = await tenant.with('files.read', 'documents.read', permission);
      expect((await get(member, id)).body).toMatchObject({ id, status: 'Deleted' });
    });

    it('returns 404 without documents.delete and documents.restore, even to its creator', async () => {
      const { id } = await saveDocument(tenant, viewer, { status: 'Deleted' });
      expectProblem(await get(viewer, id), 'resource.not-found');
    });
  });
});
