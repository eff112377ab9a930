import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../../../factories/access-grants.js';
import { setCreatedAt, saveDocument, saveTag, saveVersion } from '../../../factories/documents.js';
import { saveFile } from '../../../factories/files.js';
import { saveView } from '../../../factories/saved-views.js';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { type PageBody, pagedList, readAll } from '../../../support/operations/paged-list.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';

describe('ListDocuments', () => {
  let tenant: TestTenant;
  let editor: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor', 'Emma');
  });

  const ids = async (query = '', actor = editor) => {
    const response = await actor.get(`/documents${query}`);
    expect(response.status).toBe(200);
    return (response.body as { items: { id: string }[] }).items.map(({ id }) => id);
  };

  pagedList({
    actor: () => editor,
    other: () => tenant.as('viewer'),
    path: '/documents',
    otherPath: '/files',
    fill: async (where, count) => {
      const made: string[] = [];
      for (let n = 0; n < count; n += 1) {
        const { id } = await saveDocument(where, editor);
        // Two documents at each time, so that the id decides between them.
        await setCreatedAt(where, id, `2026-01-01T00:00:${String(Math.floor(n / 2)).padStart(2, '0')}Z`);
      }
      const rows = await service.query<{ id: string }>(
        'SELECT id FROM documents WHERE tenant_id = $1 ORDER BY created_at DESC, id DESC',
        [where.id],
      );
      made.push(...rows.map(({ id }) => id));
      return made;
    },
  });

  it('returns 200 with documents as in GetDocument, and writes no audit entry', async () => {
    const { id: fileId } = await saveFile(tenant, editor);
    const { id: tagId } = await saveTag(tenant);
    const { id } = await saveDocument(tenant, editor, { fileIds: [fileId], tagIds: [tagId] });
    const response = await editor.get('/documents');
    expect(response.body).toEqual({ items: [(await editor.get(`/documents/${id}`)).body], nextCursor: null });
    expect(await tenant.audit()).toEqual([]);
  });

  it('returns 200 filtered by file, tags (all of them) and status', async () => {
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

  it.each(['Pending', 'Available', 'None', 'Failed'])(
    'returns 200 filtered by what became of the text: %s',
    async (text) => {
      const byText = new Map<string, string>();
      for (const state of ['Pending', 'Available', 'None', 'Failed']) {
        const { id } = await saveDocument(tenant, editor);
        await saveVersion(tenant, editor, id, { bytes: state });
        await service.query(
          `UPDATE documents SET content_text = $3, content_failure = CASE WHEN $3 = 'Failed' THEN 'Corrupted' END
            WHERE tenant_id = $1 AND id = $2`,
          [tenant.id, id, state],
        );
        byText.set(state, id);
      }
      await saveDocument(tenant, editor);
      expect(await ids(`?text=${text}`)).toEqual([byText.get(text)]);
      expect(await ids(`?text=${text}&status=Archived`)).toEqual([]);
      const searched = await editor.post('/documents/search', { text, filter: null });
      expect((searched.body as { items: object[] }).items).toMatchObject([
        { id: byText.get(text), content: { text, failure: text === 'Failed' ? 'Corrupted' : null } },
      ]);
    },
  );

  it('returns 200 with an empty page for unknown ids and those of another tenant', async () => {
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

  it('returns 200 with the bin only for status=Deleted, to callers who may see it', async () => {
    const { id: live } = await saveDocument(tenant, editor);
    const { id: binned } = await saveDocument(tenant, editor, { status: 'Deleted' });
    expect(await ids()).toEqual([live]);
    expect(await ids('?status=Deleted')).toEqual([binned]);
    expect(await ids('?status=Deleted', await tenant.as('viewer'))).toEqual([]);
  });

  it('returns 200 with confidential documents only for their lists, and granted files for a guest', async () => {
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

  it("returns 200 filtered by the caller's saved view and other parameters together", async () => {
    const { id: tagId } = await saveTag(tenant);
    const { id } = await saveDocument(tenant, editor, { tagIds: [tagId] });
    await saveDocument(tenant, editor);
    const view = await saveView(tenant, editor, { filter: { tagIds: [tagId] } });
    expect(await ids(`?savedViewId=${view.id}`)).toEqual([id]);
    expect(await ids(`?savedViewId=${view.id}&status=Archived`)).toEqual([]);
  });

  describe('createdFrom and createdTo', () => {
    const MOMENTS = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z', '2026-01-02T00:00:00.000Z'];
    let made: string[];
    beforeEach(async () => {
      made = [];
      for (const moment of MOMENTS) {
        const { id } = await saveDocument(tenant, editor);
        await setCreatedAt(tenant, id, moment);
        made.unshift(id);
      }
    });
    const between = (...moments: [string, string]) =>
      ids(`?createdFrom=${encodeURIComponent(moments[0])}&createdTo=${encodeURIComponent(moments[1])}`);

    it('returns 200 from createdFrom (inclusive) to createdTo (exclusive)', async () => {
      const [first = '', second = '', third = ''] = MOMENTS;
      const [newest = '', middle = '', oldest = ''] = made;
      expect(await ids(`?createdFrom=${second}`)).toEqual([newest, middle]);
      expect(await ids(`?createdTo=${second}`)).toEqual([oldest]);
      expect(await between(first, third)).toEqual([middle, oldest]);
      expect(await between(first, first)).toEqual([]);
      expect(await between('2026-01-01T01:00:00.001+01:00', '2026-01-01T02:00+01:00')).toEqual([middle]);
    });

    it('returns 200 combined with a tag', async () => {
      const tag = await saveTag(tenant);
      const { id } = await saveDocument(tenant, editor, { tagIds: [tag.id] });
      await saveDocument(tenant, editor, { tagIds: [tag.id] });
      await setCreatedAt(tenant, id, '2025-01-01T00:00:00Z');
      expect(await ids(`?tagIds=${tag.id}&createdTo=2025-01-02T00:00:00Z`)).toEqual([id]);
      expect(await ids(`?tagIds=${tag.id}&createdTo=2025-01-01T00:00:00Z`)).toEqual([]);
    });

    it('returns 200 for a cursor with the same time in another offset, 400 with another time', async () => {
      const path = (from: string, rest: string) =>
        `/documents?createdFrom=${encodeURIComponent(from)}${rest}`;
      const { nextCursor } = (await editor.get(path('2026-01-01T00:00:00Z', '&limit=1'))).body as {
        nextCursor: string;
      };
      const rest = `&cursor=${nextCursor}`;
      const again = await editor.get(path('2026-01-01T01:00+01:00', rest));
      expect((again.body as { items: { id: string }[] }).items.map(({ id }) => id)).toEqual(made.slice(1));
      for (const other of [path('2026-01-01T00:00:00.001Z', rest), `/documents?${rest}`])
        expectProblem(await editor.get(other), 'request.invalid', ['cursor']);
    });

    it.each([
      ['createdFrom=2026-01-01', 'createdFrom'],
      ['createdTo=2026-01-01T00:00:00', 'createdTo'],
      ['createdFrom=', 'createdFrom'],
      ['createdFrom=2026-01-02T00:00:00Z&createdTo=2026-01-01T00:00:00Z', 'createdTo'],
    ])('returns 400 for %s', async (query, path) =>
      expectProblem(await editor.get(`/documents?${query}`), 'request.invalid', [path]),
    );
  });

  describe('sort', () => {
    const TITLES = ['_x', '10', '2', 'a', 'Ab', 'aß', 'asz', 'Äx', 'b', 'É', 'z', 'ж', '漢'];
    let byTitle: string[];
    beforeEach(async () => {
      const made = new Map<string, string>();
      // Creation, update and title give three different orders.
      for (const [n, title] of TITLES.toReversed().entries()) {
        const { id } = await saveDocument(tenant, editor, { title });
        made.set(title, id);
        await setCreatedAt(tenant, id, `2026-01-01T00:00:${String(10 + n)}Z`);
        await service.query('UPDATE documents SET updated_at = $3 WHERE tenant_id = $1 AND id = $2', [
          tenant.id,
          id,
          `2026-02-01T00:00:${String(10 + ((n * 5) % 7))}Z`,
        ]);
      }
      byTitle = TITLES.map((title) => made.get(title) ?? '');
    });
    const inOrder = async (columns: string) =>
      (
        await service.query<{ id: string }>(
          `SELECT id FROM documents WHERE tenant_id = $1 ORDER BY ${columns}`,
          [tenant.id],
        )
      ).map(({ id }) => id);
    const paged = async (query: string, limit: number) =>
      (await readAll(editor, `/documents?${query}`, limit)).map(({ id }) => id);

    it('returns 200 by title in the root collation, in both directions', async () => {
      expect(await ids('?sort=title')).toEqual(byTitle);
      expect(await ids('?sort=-title')).toEqual(byTitle.toReversed());
    });

    it.each([
      ['createdAt', 'created_at, id'],
      ['-createdAt', 'created_at DESC, id DESC'],
      ['updatedAt', 'updated_at, id'],
      ['-updatedAt', 'updated_at DESC, id DESC'],
    ])('returns 200 by %s', async (sort, columns) => {
      expect(await ids(`?sort=${sort}`)).toEqual(await inOrder(columns));
    });

    it('returns 200 with the newest first without sort', async () => {
      expect(await ids()).toEqual(await ids('?sort=-createdAt'));
    });

    it.each(['createdAt', '-createdAt', 'title', '-title', 'updatedAt', '-updatedAt'])(
      'returns 200 with each document once by %s, for several page sizes',
      async (sort) => {
        const all = await ids(`?sort=${sort}`);
        for (const limit of [1, 3, 13]) expect(await paged(`sort=${sort}`, limit)).toEqual(all);
      },
    );

    it('returns 200 by id for equal titles', async () => {
      await service.query(`UPDATE documents SET title = 'same' WHERE tenant_id = $1`, [tenant.id]);
      expect(await paged('sort=title', 2)).toEqual(await inOrder('id'));
      expect(await paged('sort=-title', 2)).toEqual(await inOrder('id DESC'));
    });

    it('returns 200 by title without gaps or repetitions when documents are added and deleted', async () => {
      const page = (await editor.get('/documents?sort=title&limit=4')).body as PageBody;
      await saveDocument(tenant, editor, { title: '0 before' });
      await service.query('DELETE FROM documents WHERE tenant_id = $1 AND id = $2', [tenant.id, byTitle[3]]);
      const rest = await ids(`?sort=title&cursor=${page.nextCursor}`);
      expect([...page.items.map(({ id }) => id), ...rest]).toEqual(byTitle);
    });

    it('returns 200 for the documents of a file, to a guest with a grant on it', async () => {
      const file = await saveFile(tenant, editor);
      const guest = await tenant.as('guest');
      await saveAccessGrant(tenant, guest, { file: file.id });
      const [b, a] = [
        await saveDocument(tenant, editor, { title: 'Bb', fileIds: [file.id] }),
        await saveDocument(tenant, editor, { title: 'aa', fileIds: [file.id] }),
      ];
      expect(await ids('?sort=title', guest)).toEqual([a.id, b.id]);
      expect(await ids(`?sort=-title&fileId=${file.id}`, guest)).toEqual([b.id, a.id]);
    });

    it('returns 200 for a saved view, and for words', async () => {
      const { id: tagId } = await saveTag(tenant);
      const view = await saveView(tenant, editor, { filter: { tagIds: [tagId] } });
      const made: string[] = [];
      for (const title of ['Brücke Süd', 'Brücke Nord', 'Tunnel']) {
        const created = await editor.post('/documents', { title, tagIds: [tagId] });
        made.push((created.body as { id: string }).id);
      }
      const [south, north, tunnel] = made;
      expect(await ids(`?savedViewId=${view.id}&sort=title`)).toEqual([north, south, tunnel]);
      expect(await ids(`?q=br%C3%BCcke&sort=-title`)).toEqual([south, north]);
    });

    it('returns 400 for a cursor of another sort', async () => {
      const { nextCursor } = (await editor.get('/documents?sort=title&limit=1')).body as PageBody;
      for (const sort of ['sort=-title', 'sort=createdAt', 'x=1'])
        expectProblem(await editor.get(`/documents?${sort}&cursor=${nextCursor}`), 'request.invalid', [
          'cursor',
        ]);
      expect((await editor.get(`/documents?sort=title&cursor=${nextCursor}`)).status).toBe(200);
    });

    it.each(['', 'Title', 'name', '+title', '--title', 'title,createdAt', 'title&sort=title'])(
      'returns 400 for sort=%s',
      async (sort) => expectProblem(await editor.get(`/documents?sort=${sort}`), 'request.invalid', ['sort']),
    );

    it.each(['newest', 'relevance'])('returns 400 together with order=%s', async (order) =>
      expectProblem(await editor.get(`/documents?q=a&order=${order}&sort=title`), 'request.invalid', [
        'sort',
      ]),
    );
  });

  it('returns 400 for an unknown saved view, or one of another user or tenant', async () => {
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
    ['text=none', 'text'],
    ['savedViewId=1', 'savedViewId'],
    [`fileId=${randomUUID()}&fileId=${randomUUID()}`, 'fileId'],
    [`tagIds=${Array.from({ length: 21 }, () => randomUUID()).join(',')}`, 'tagIds'],
  ])('returns 400 for %s', async (query, path) => {
    const response = await editor.get(`/documents?${query}`);
    expectProblem(response, 'request.invalid');
    const [first = ''] = Object.keys((response.body as { errors: object }).errors);
    expect(first.replace(/\[\d+\]$/, '')).toBe(path);
  });
});
