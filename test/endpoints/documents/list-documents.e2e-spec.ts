import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../../factories/access-grants.js';
import { moveInTime, saveDocument, saveTag } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { saveView } from '../../factories/saved-views.js';
import { type Actor } from '../../support/actor.js';
import { everyOperation } from '../../support/every-operation.js';
import { expectProblem } from '../../support/expect-problem.js';
import { pagedList } from '../../support/paged-list.js';
import { TestService } from '../../support/service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('ListDocuments', () => {
  let service: TestService;
  let tenant: TestTenant;
  let editor: Actor;
  beforeAll(async () => {
    service = await TestService.shared();
  });
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor', 'Emma');
  });

  const ids = async (query = '', actor = editor) => {
    const response = await actor.get(`/documents${query}`);
    expect(response.status).toBe(200);
    return (response.body as { items: { id: string }[] }).items.map(({ id }) => id);
  };

  everyOperation({
    service: () => service,
    tenant: () => tenant,
    permitted: () => editor,
    permission: 'documents.read',
    send: (actor) => actor.get('/documents'),
  });
  pagedList({
    tenant: () => tenant,
    actor: () => editor,
    other: () => tenant.as('viewer'),
    path: '/documents',
    otherPath: '/files',
    fill: async (where, count) => {
      const made: string[] = [];
      for (let n = 0; n < count; n += 1) {
        const { id } = await saveDocument(where, editor);
        // Two at a time, so that there are ties.
        await moveInTime(where, id, `2026-01-01T00:00:${String(Math.floor(n / 2)).padStart(2, '0')}Z`);
      }
      const rows = await service.query<{ id: string }>(
        'SELECT id FROM documents WHERE tenant_id = $1 ORDER BY created_at DESC, id DESC',
        [where.id],
      );
      made.push(...rows.map(({ id }) => id));
      return made;
    },
  });

  it('200: documents as they are read one by one, nothing of it recorded', async () => {
    const { id: fileId } = await saveFile(tenant, editor);
    const { id: tagId } = await saveTag(tenant);
    const { id } = await saveDocument(tenant, editor, { fileIds: [fileId], tagIds: [tagId] });
    const response = await editor.get('/documents');
    expect(response.body).toEqual({ items: [(await editor.get(`/documents/${id}`)).body], nextCursor: null });
    expect(await tenant.audit()).toEqual([]);
  });

  it('200: by file, tags, all of them, and status', async () => {
    const { id: fileId } = await saveFile(tenant, editor);
    const [one, two] = [(await saveTag(tenant)).id, (await saveTag(tenant)).id];
    const filed = (await saveDocument(tenant, editor, { fileIds: [fileId], tagIds: [one] })).id;
    const both = (await saveDocument(tenant, editor, { tagIds: [one, two], status: 'Archived' })).id;
    await saveDocument(tenant, editor);
    expect(await ids(`?fileId=${fileId.toUpperCase()}`)).toEqual([filed]);
    expect((await ids(`?tagIds=${one}`)).sort()).toEqual([filed, both].sort());
    expect(await ids(`?tagIds=${one},${two}`)).toEqual([both]);
    expect(await ids(`?tagIds=${one}&status=Archived`)).toEqual([both]);
    expect(await ids(`?fileId=${fileId}&tagIds=${two}`)).toEqual([]);
  });

  it('200: an empty page for ids that name nothing, another tenant’s among them', async () => {
    await saveDocument(tenant, editor);
    const other = await service.tenant();
    const foreign = await saveFile(other, await other.as('editor'));
    for (const query of [
      `fileId=${foreign.id}`,
      `documentTypeId=${randomUUID()}`,
      `tagIds=${(await saveTag(other)).id}`,
    ]) {
      expect(await ids(`?${query}`)).toEqual([]);
    }
  });

  it('200: the bin only with status=Deleted, and only for those who may read it', async () => {
    const { id: live } = await saveDocument(tenant, editor);
    const { id: binned } = await saveDocument(tenant, editor, { status: 'Deleted' });
    expect(await ids()).toEqual([live]);
    expect(await ids('?status=Deleted')).toEqual([binned]);
    expect(await ids('?status=Deleted', await tenant.as('viewer'))).toEqual([]);
  });

  it('200: what is confidential to its list only; to a guest what lies in granted files', async () => {
    const granted = await saveFile(tenant, editor);
    const { id: open } = await saveDocument(tenant, editor, { fileIds: [granted.id] });
    const { id: hidden } = await saveDocument(tenant, editor, {
      fileIds: [granted.id],
      confidentialTo: [editor],
    });
    const { id: elsewhere } = await saveDocument(tenant, editor);
    const guest = await tenant.as('guest');
    expect((await ids()).sort()).toEqual([open, hidden, elsewhere].sort());
    expect((await ids('', await tenant.as('administrator'))).sort()).toEqual([open, elsewhere].sort());
    expect(await ids('', guest)).toEqual([]);
    await saveAccessGrant(tenant, guest, { file: granted.id });
    expect(await ids('', guest)).toEqual([open]);
  });

  it('200: by a saved view of one’s own, together with what is asked besides', async () => {
    const { id: tagId } = await saveTag(tenant);
    const { id } = await saveDocument(tenant, editor, { tagIds: [tagId] });
    await saveDocument(tenant, editor);
    const view = await saveView(tenant, editor, { filter: { tagIds: [tagId] } });
    expect(await ids(`?savedViewId=${view.id}`)).toEqual([id]);
    expect(await ids(`?savedViewId=${view.id}&status=Archived`)).toEqual([]);
  });

  it('400: for a saved view that is unknown, somebody else’s or another tenant’s', async () => {
    const theirs = await saveView(tenant, await tenant.as('editor'));
    const other = await service.tenant();
    const foreign = await saveView(other, await other.as('editor'));
    for (const id of [randomUUID(), theirs.id, foreign.id]) {
      expectProblem(await editor.get(`/documents?savedViewId=${id}`), 'request.invalid', ['savedViewId']);
    }
  });

  it.each([
    ['documentTypeId=x', 'documentTypeId'],
    ['fileId=', 'fileId'],
    ['tagIds=x', 'tagIds'],
    ['status=deleted', 'status'],
    ['savedViewId=1', 'savedViewId'],
    [`fileId=${randomUUID()}&fileId=${randomUUID()}`, 'fileId'],
    [`tagIds=${Array.from({ length: 21 }, () => randomUUID()).join(',')}`, 'tagIds'],
  ])('400: for %s', async (query, path) => {
    const response = await editor.get(`/documents?${query}`);
    expectProblem(response, 'request.invalid');
    const [first = ''] = Object.keys((response.body as { errors: object }).errors);
    expect(first.replace(/\[\d+\]$/, '')).toBe(path);
  });
});
