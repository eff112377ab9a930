import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Actor } from '../../support/actor.js';
import { pagedList, readAll } from '../../support/operations/paged-list.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('ListTags', () => {
  let tenant: TestTenant;
  let editor: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor');
  });

  const create = async (name: string, actor = editor): Promise<string> => {
    const response = await actor.post('/tags', { name });
    expect(response.status).toBe(201);
    return (response.body as { id: string }).id;
  };
  const names = async (limit = 200) =>
    (await readAll(editor, '/tags', limit)).map((tag) => (tag as unknown as { name: string }).name);

  pagedList({
    actor: () => editor,
    other: () => tenant.as('viewer'),
    path: '/tags',
    otherPath: '/file-types',
    fill: async (where, count) => {
      const actor = where === tenant ? editor : await where.as('editor');
      const ids: string[] = [];
      for (let n = 0; n < count; n += 1) ids.push(await create(`Tag ${String(n).padStart(3, '0')}`, actor));
      return ids;
    },
  });

  it('returns 200 with the tags to every caller with tags.read', async () => {
    const tag = (await editor.post('/tags', { name: 'Dringend' })).body as object;
    const response = await (await tenant.with('tags.read')).get('/tags');
    expect([response.status, response.body]).toEqual([200, { items: [tag], nextCursor: null }]);
    expect(response.headers.etag).toBeUndefined();
  });

  it('returns 200 sorted by name in the root collation, ignoring case', async () => {
    const sorted = '_x 😀 1 10 2 a Ab aß asz Äx Az b É f z ж 한 漢'.split(' ');
    for (const name of sorted.toReversed()) await create(name);
    expect(await names()).toEqual(sorted);
    expect(await names(1)).toEqual(sorted);
  });

  it('returns 200 page by page for names of any length', async () => {
    const long = ['😀', 'ᾷ', '"', '\\', 'ﬃ', 'ß', '\u{1d160}'.normalize('NFC').slice(0, 2)].map((c) =>
      c.repeat(200),
    );
    for (const name of long) await create(name);
    expect((await names(1)).sort()).toEqual([...long].sort());
  });

  it('returns 200 without gaps or repetitions when tags are added and deleted between pages', async () => {
    const kept: string[] = [];
    for (const letter of 'bdfhjl') kept.push(await create(letter));
    const gone = await create('g');
    const page = (await editor.get('/tags?limit=3')).body as { items: { id: string }[]; nextCursor: string };
    await create('a');
    await create('c');
    await create('k');
    await editor.delete(`/tags/${gone}`);
    // The tag that the cursor points to is deleted, too.
    await editor.delete(`/tags/${page.items.at(-1)?.id}`);
    const rest = (await editor.get(`/tags?limit=50&cursor=${page.nextCursor}`)).body as {
      items: { id: string }[];
    };
    const seen = [...page.items, ...rest.items].map(({ id }) => id).filter((id) => kept.includes(id));
    expect(seen).toEqual(kept);
  });
});
