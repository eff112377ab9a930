import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../../../factories/access-grants.js';
import { saveDocument } from '../../../factories/documents.js';
import { saveFile } from '../../../factories/files.js';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { type PageBody, pagedList, readAll } from '../../../support/operations/paged-list.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';

/** Id of a file in every tenant of the test: ids are unique only within a tenant. */
const FILE = '0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d';

describe('ListFileDocuments', () => {
  let tenant: TestTenant;
  let editor: Actor;
  let viewer: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor');
    viewer = await tenant.as('viewer');
    await saveFixedFile(tenant, editor);
  });

  async function saveFixedFile(where: TestTenant, creator: Actor): Promise<void> {
    const { id } = await saveFile(where, creator);
    await service.query('UPDATE files SET id = $3 WHERE tenant_id = $1 AND id = $2', [where.id, id, FILE]);
  }

  /** Saves documents filed one millisecond apart; returns their ids, last filed first. */
  async function fill(where: TestTenant, count: number): Promise<string[]> {
    const creator = where === tenant ? editor : await where.as('editor');
    if (where !== tenant) await saveFixedFile(where, creator);
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) {
      const filedAt = new Date(Date.UTC(2026, 0, 1) + n).toISOString();
      ids.unshift((await saveDocument(where, creator, { fileIds: [FILE], filedAt })).id);
    }
    return ids;
  }

  const list = async (actor: Actor, query = '') => actor.get(`/files/${FILE}/documents${query}`);
  const idsOf = (items: object[]) => items.map((item) => (item as { documentId: string }).documentId);
  const listed = async (actor: Actor) => idsOf(((await list(actor)).body as PageBody).items);

  pagedList({
    actor: () => viewer,
    other: () => tenant.as('viewer'),
    path: `/files/${FILE}/documents`,
    otherPath: '/files',
    fill,
    key: 'documentId',
  });

  it('returns 200 with exactly these members, last filed first', async () => {
    const { id } = await saveDocument(tenant, editor, { title: 'Bauplan', fileIds: [FILE] });
    await fill(tenant, 1);
    const response = await list(viewer);
    expect(response.status).toBe(200);
    expect((response.body as PageBody).items[0]).toEqual({
      documentId: id,
      title: 'Bauplan',
      documentTypeId: null,
      status: 'Active',
      filedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  it('returns 200 with documents of every status to every reader', async () => {
    const states = ['Processing', 'Active', 'Archived', 'Deleted'] as const;
    for (const [n, status] of states.entries()) {
      await saveDocument(tenant, editor, { status, fileIds: [FILE], filedAt: `2026-01-01T00:00:0${n}Z` });
    }
    const { items } = (await list(viewer)).body as unknown as { items: { status: string }[] };
    expect(items.map(({ status }) => status)).toEqual(states.toReversed());
  });

  it('returns 200 by descending id for documents filed at the same time', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      ids.push((await saveDocument(tenant, editor, { fileIds: [FILE], filedAt: '2026-01-01T00:00:00Z' })).id);
    }
    expect(idsOf(await readAll(viewer, `/files/${FILE}/documents`, 2))).toEqual(ids.sort().toReversed());
  });

  it('returns 200 in the order of filing, not of creation', async () => {
    const first = await saveDocument(tenant, editor);
    const second = await saveDocument(tenant, editor, { fileIds: [FILE] });
    await editor.put(`/documents/${first.id}/files/${FILE}`);
    expect(await listed(viewer)).toEqual([first.id, second.id]);
  });

  it('returns 200 without gaps or repetitions when documents are filed and unfiled between pages', async () => {
    const ids = await fill(tenant, 6);
    const first = (await list(viewer, '?limit=2')).body as PageBody;
    await saveDocument(tenant, editor, { fileIds: [FILE] });
    // The document that the cursor points to is removed.
    await editor.delete(`/documents/${ids[1] ?? ''}/files/${FILE}`);
    const second = (await list(viewer, `?limit=4&cursor=${first.nextCursor ?? ''}`)).body as PageBody;
    expect([...idsOf(first.items), ...idsOf(second.items)]).toEqual(ids);
  });

  it('returns 200 without documents of other files', async () => {
    const other = await saveFile(tenant, editor);
    await saveDocument(tenant, editor, { fileIds: [other.id] });
    const { id } = await saveDocument(tenant, editor, { fileIds: [other.id, FILE] });
    expect(await listed(viewer)).toEqual([id]);
  });

  it('returns 200 with confidential documents only to users on their lists, and full pages', async () => {
    const [open, secret, last] = [
      await saveDocument(tenant, editor, { fileIds: [FILE], filedAt: '2026-01-01T00:00:00Z' }),
      await saveDocument(tenant, editor, {
        fileIds: [FILE],
        filedAt: '2026-01-02T00:00:00Z',
        confidentialTo: [editor],
      }),
      await saveDocument(tenant, editor, { fileIds: [FILE], filedAt: '2026-01-03T00:00:00Z' }),
    ];
    expect(await listed(editor)).toEqual([last.id, secret.id, open.id]);
    for (const actor of [viewer, await tenant.as('administrator')]) {
      const page = (await list(actor, '?limit=2')).body as PageBody;
      expect([idsOf(page.items), page.nextCursor]).toEqual([[last.id, open.id], null]);
    }
  });

  describe('for a caller without files.read', () => {
    let guest: Actor;
    beforeEach(async () => {
      guest = await tenant.as('guest');
    });

    it.each([
      ['a Read grant on the file', {}],
      ['a Write grant on the file', { level: 'Write' }],
      ['a grant to the role', { toRole: true }],
    ] as const)('returns 200 with %s', async (_, overrides) => {
      const [id] = await fill(tenant, 1);
      await saveDocument(tenant, editor, { fileIds: [FILE], confidentialTo: [editor] });
      await saveAccessGrant(tenant, guest, { file: FILE }, overrides);
      expect(await listed(guest)).toEqual([id]);
    });

    it('returns 404 without a grant, even if the caller created a document in the file', async () => {
      await saveDocument(tenant, guest, { fileIds: [FILE] });
      await saveAccessGrant(tenant, guest, { file: (await saveFile(tenant, editor)).id });
      expectProblem(await list(guest), 'resource.not-found');
    });

    it.each([
      ['revoked', { revoked: true }],
      ['expired', { expiresAt: "now() - interval '1 second'" }],
    ] as const)('returns 404 with a grant that is %s', async (_, overrides) => {
      await saveAccessGrant(tenant, guest, { file: FILE }, overrides);
      expectProblem(await list(guest), 'resource.not-found');
    });
  });

  it('returns 400 for an invalid limit rather than 404 for an unknown file', async () => {
    expectProblem(
      await viewer.get('/files/0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3e/documents?limit=0'),
      'request.invalid',
      ['limit'],
    );
  });

  it('returns 403 with a grant but without documents.read', async () => {
    const member = await tenant.with('files.read');
    await saveAccessGrant(tenant, member, { file: FILE }, { level: 'Write' });
    expectProblem(await list(member), 'permission.missing');
  });
});
