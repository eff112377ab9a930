import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { saveFile, saveFileType } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { type PageBody, pagedList, readAll } from '../../support/operations/paged-list.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

const SAME_TIME = '2026-03-01T12:00:00.123Z';

describe('ListFiles', () => {
  let tenant: TestTenant;
  let editor: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor');
  });

  const list = async (query = '', actor = editor): Promise<PageBody> => {
    const response = await actor.get(`/files${query}`);
    expect(response.status).toBe(200);
    return response.body as PageBody;
  };
  const idsOf = ({ items }: PageBody) => items.map(({ id }) => id);

  pagedList({
    actor: () => editor,
    other: () => tenant.as('viewer'),
    path: '/files',
    otherPath: '/tags',
    fill: async (where, count) => {
      // The same time for all, so that the id decides the order; random ids do not follow the creation order.
      const creator = await where.as('editor');
      const { id: fileTypeId } = await saveFileType(where);
      const ids: string[] = [];
      for (let n = 0; n < count; n += 1) {
        ids.push((await saveFile(where, creator, { id: randomUUID(), fileTypeId, createdAt: SAME_TIME })).id);
      }
      return ids.sort().reverse();
    },
  });

  it('returns 200 with the files to every caller with files.read', async () => {
    const { id: fileTypeId } = await saveFileType(tenant);
    const file = (await editor.post('/files', { fileTypeId, number: 'AZ-1', name: 'Feuerwache' })).body as {
      id: string;
    };
    await editor.post(`/files/${file.id}/close`);
    const closed = (await editor.get(`/files/${file.id}`)).body as object;
    const response = await (await tenant.with('files.read')).get('/files');
    expect([response.status, response.body]).toEqual([200, { items: [closed], nextCursor: null }]);
    expect(closed).toEqual({
      ...file,
      status: 'Closed',
      closedAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(response.headers.etag).toBeUndefined();
  });

  it('returns 200 with the newest first, then by descending id', async () => {
    const at = (createdAt: string) => saveFile(tenant, editor, { createdAt });
    const [second, oldest, newest] = [
      await at('2026-03-01T12:00:00.002Z'),
      await at('2025-12-31T23:59:59.999Z'),
      await at('2026-03-01T12:00:00.003Z'),
    ];
    const tie = await at('2026-03-01T12:00:00.002Z');
    const expected = [newest.id, tie.id, second.id, oldest.id];
    expect(idsOf(await list())).toEqual(expected);
    for (const limit of [1, 2, 3]) {
      expect((await readAll(editor, '/files', limit)).map(({ id }) => id)).toEqual(expected);
    }
  });

  it('returns 200 by descending id for files of the same time, with every filter', async () => {
    const { id: fileTypeId } = await saveFileType(tenant);
    const ids: string[] = [];
    for (let n = 0; n < 9; n += 1) {
      const overrides = { id: randomUUID(), fileTypeId, name: 'Sache', createdAt: SAME_TIME };
      ids.push((await saveFile(tenant, editor, overrides)).id);
    }
    for (const query of ['', '?q=sache', '?q=sa', '?q=ß', `?fileTypeId=${fileTypeId}&status=Open&q=ach`]) {
      const expected = query === '?q=ß' ? [] : ids.toSorted().reverse();
      expect((await readAll(editor, `/files${query}`, 2)).map(({ id }) => id)).toEqual(expected);
    }
  });

  it('returns 200 without gaps or repetitions when files are added, deleted and renamed between pages', async () => {
    const kept: string[] = [];
    const passing: string[] = [];
    for (let n = 0; n < 9; n += 1) {
      // Three times two files at each time, so that pages begin and end among files of the same time.
      const createdAt = `2026-03-01T12:00:00.00${Math.floor(n / 3)}Z`;
      kept.push((await saveFile(tenant, editor, { createdAt })).id);
      passing.push((await saveFile(tenant, editor, { createdAt })).id);
    }
    const seen: string[] = [];
    let cursor: string | null = '';
    for (let page = 0; cursor !== null; page += 1) {
      const body: PageBody = await list(`?limit=4${cursor && `&cursor=${cursor}`}`);
      seen.push(...idsOf(body));
      cursor = body.nextCursor;
      // Includes the file that the cursor points to.
      for (const id of [
        ...idsOf(body)
          .filter((id) => passing.includes(id))
          .slice(-1),
        passing[page],
      ]) {
        await service.query('DELETE FROM files WHERE tenant_id = $1 AND id = $2', [tenant.id, id]);
      }
      await saveFile(tenant, editor);
      await saveFile(tenant, editor, { createdAt: `2026-03-01T12:00:00.00${page % 3}Z` });
      await editor.put(`/files/${kept[page]}`, { name: `Renamed ${page}` });
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((id) => kept.includes(id)).sort()).toEqual(kept.toSorted());
  });

  it('returns 200 filtered by type, status or both', async () => {
    const [one, two] = [await saveFileType(tenant), await saveFileType(tenant)];
    const save = async (fileTypeId: string, status: 'Open' | 'Closed') =>
      (await saveFile(tenant, editor, { fileTypeId, status })).id;
    const open = [await save(one.id, 'Open'), await save(two.id, 'Open')];
    const closed = [await save(one.id, 'Closed'), await save(two.id, 'Closed')];
    expect(idsOf(await list(`?fileTypeId=${one.id}`))).toEqual([closed[0], open[0]]);
    expect(idsOf(await list(`?fileTypeId=${two.id.toUpperCase()}`))).toEqual([closed[1], open[1]]);
    expect(idsOf(await list('?status=Open'))).toEqual(open.toReversed());
    expect(idsOf(await list('?status=Closed'))).toEqual(closed.toReversed());
    expect(idsOf(await list(`?status=Closed&fileTypeId=${one.id}`))).toEqual([closed[0]]);
    expect((await readAll(editor, `/files?status=Open&fileTypeId=${two.id}`, 1)).map(({ id }) => id)).toEqual(
      [open[1]],
    );
  });

  it('returns 200 with an empty page for an unknown type, or one of another tenant', async () => {
    await saveFile(tenant, editor);
    const other = await service.tenant();
    const foreign = await saveFile(other, await other.as('editor'));
    for (const id of [randomUUID(), foreign.fileTypeId]) {
      expect(await list(`?fileTypeId=${id}`)).toEqual({ items: [], nextCursor: null });
    }
  });

  it.each([
    [
      'fileTypeId',
      ['', 'x', '1', '0199f7a46c1e7b529d2e3c5f0a1b2c3d', '%7B0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d%7D'],
    ],
    ['status', ['', 'open', 'OPEN', 'Open,Closed', '%20Open', 'Deleted', 'null']],
    [
      'q',
      [
        'a%00b',
        'a%0Ab',
        'a%7Fb',
        'a%C2%85b',
        '%FF',
        'a%ED%A0%80',
        'x'.repeat(201),
        encodeURIComponent('😀'.repeat(201)),
      ],
    ],
  ])('returns 400 for an invalid %s', async (parameter, values) => {
    for (const value of values) {
      expectProblem(await editor.get(`/files?${parameter}=${value}`), 'request.invalid', [parameter]);
    }
    expectProblem(await editor.get(`/files?${parameter}=a&${parameter}=a`), 'request.invalid', [parameter]);
  });

  it('returns 400 and lists all errors of the query together', async () => {
    const response = await editor.get('/files?fileTypeId=x&status=x&q=%00&limit=0&cursor=');
    expectProblem(response, 'request.invalid', ['cursor', 'fileTypeId', 'limit', 'q', 'status']);
  });

  it('returns 400 for a cursor with other filters', async () => {
    const { id: fileTypeId } = await saveFileType(tenant);
    for (const name of ['Feuer', 'Feuerwache']) await saveFile(tenant, editor, { fileTypeId, name });
    const { nextCursor } = await list(`?limit=1&status=Open&q=Feuer&fileTypeId=${fileTypeId}`);
    const filters = ['status=Open', 'q=Feuer', `fileTypeId=${fileTypeId}`];
    const others = [
      [],
      ...filters.map((filter) => [filter]),
      filters.slice(1),
      ['status=Closed', ...filters.slice(1)],
      ['q=Feuerw', 'status=Open', filters[2]],
      ['status=Open', 'q=Feuer', `fileTypeId=${randomUUID()}`],
    ];
    for (const query of others) {
      const response = await editor.get(`/files?${[...query, `cursor=${nextCursor}`].join('&')}`);
      expectProblem(response, 'request.invalid', ['cursor']);
    }
    // The same filters in another notation.
    const same = `?q=%20Feuer&fileTypeId=${fileTypeId.toUpperCase()}&status=Open&cursor=${nextCursor}`;
    expect((await list(same)).items).toHaveLength(1);
    const all = await list('?limit=1&q=');
    expect((await list(`?cursor=${all.nextCursor}`)).items).toHaveLength(1);
  });

  it('writes nothing', async () => {
    await saveFile(tenant, editor);
    const before = await tenant.fingerprint();
    await list('?q=file');
    expect(await tenant.fingerprint()).toEqual(before);
  });
});
