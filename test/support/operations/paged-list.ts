import { expect, it } from '@jest/globals';
import { type Actor } from '../actor.js';
import { expectProblem } from '../expect-problem.js';
import { type TestTenant } from '../tenant.js';

export interface PagedListUnderTest {
  readonly tenant: () => TestTenant;
  readonly actor: () => Actor;
  /** Somebody else of the tenant who may list, too. */
  readonly other: () => Promise<Actor>;
  /** Path without query. */
  readonly path: string;
  /** Another paged list that the actor may read. */
  readonly otherPath: string;
  /** Makes so many items in the tenant; returns the ids of all there are then, in the order of the list. */
  readonly fill: (tenant: TestTenant, count: number) => Promise<string[]>;
  /** Member that tells the items apart; `id` by default. */
  readonly key?: string;
  /** There is something in the list of every tenant. */
  readonly neverEmpty?: boolean;
}

export interface PageBody {
  items: { id: string }[];
  nextCursor: string | null;
}

/** All pages of a list, `limit` items each; checks that only the last is short and without cursor. */
export async function readAll(actor: Actor, path: string, limit: number): Promise<{ id: string }[]> {
  const items: { id: string }[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query = `${path.includes('?') ? '&' : '?'}limit=${limit}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const response = await actor.get(`${path}${query}`);
    expect(response.status).toBe(200);
    const page = response.body as PageBody;
    expect(Object.keys(page).sort()).toEqual(['items', 'nextCursor']);
    if (page.nextCursor !== null) {
      expect(page.items).toHaveLength(limit);
      expect(page.nextCursor).toMatch(/^[A-Za-z0-9_-]+$/);
    }
    items.push(...page.items);
    cursor = page.nextCursor;
  }
  return items;
}

/** What every cursor-paged list has in common: limits, cursors, and that nothing is skipped or repeated. */
export function pagedList({
  tenant,
  actor,
  other,
  path,
  otherPath,
  fill,
  key = 'id',
  neverEmpty = false,
}: PagedListUnderTest): void {
  const idsOf = (items: object[]) => items.map((item) => (item as Record<string, unknown>)[key]);
  const get = async (query: string, who = actor()) => who.get(`${path}${query}`);
  const cursorOf = async (query = '?limit=1') => ((await get(query)).body as PageBody).nextCursor ?? '';

  if (!neverEmpty) {
    it('200: an empty page without cursor when there is nothing', async () => {
      const response = await get('');
      expect([response.status, response.body]).toEqual([200, { items: [], nextCursor: null }]);
    });
  }

  it('200: 50 items by default', async () => {
    const ids = await fill(tenant(), 51);
    const page = (await get('')).body as PageBody;
    expect(idsOf(page.items)).toEqual(ids.slice(0, 50));
    expect(page.nextCursor).not.toBeNull();
  });

  it.each([1, 2, 3, 7, 8, 200])('200: everything once and in order, %i at a time', async (limit) => {
    const ids = await fill(tenant(), 7);
    expect(idsOf(await readAll(actor(), path, limit))).toEqual(ids);
  });

  it('200: a limit with leading zeros, and unknown parameters', async () => {
    await fill(tenant(), 3);
    expect(((await get('?limit=002&unknown=name&%5B%5D=1')).body as PageBody).items).toHaveLength(2);
  });

  it.each([
    '0',
    '201',
    '-1',
    '%2B5',
    '+5',
    '0x10',
    '1e1',
    '1.0',
    '%2010',
    '10%20',
    '',
    'ten',
    '%D9%A5',
    '99999999999',
  ])('400: for a limit of %s', async (limit) =>
    expectProblem(await get(`?limit=${limit}`), 'request.invalid', ['limit']),
  );

  it('400: for parameters given twice, all of them named', async () => {
    expectProblem(await get('?limit=1&limit=2&cursor=a&cursor=b'), 'request.invalid', ['cursor', 'limit']);
  });

  it('400: for a cursor that nobody gave', async () => {
    await fill(tenant(), 2);
    const cursor = await cursorOf();
    const flipped = `${cursor.startsWith('A') ? 'B' : 'A'}${cursor.slice(1)}`;
    const forged = [
      '',
      'x',
      'null',
      '%00',
      `${cursor}A`,
      cursor.slice(0, -1),
      `${cursor}%3D`,
      `%20${cursor}`,
      flipped,
    ];
    for (const wrong of [
      ...forged,
      'A'.repeat(64),
      'A'.repeat(5000),
      Buffer.from('[]').toString('base64url'),
    ]) {
      expectProblem(await get(`?limit=1&cursor=${wrong}`), 'request.invalid', ['cursor']);
    }
    expect((await get(`?limit=1&cursor=${cursor}`)).status).toBe(200);
  });

  it('400: for a cursor of another list, caller or tenant', async () => {
    await fill(tenant(), 2);
    const cursor = await cursorOf();
    expectProblem(await actor().get(`${otherPath}?cursor=${cursor}`), 'request.invalid', ['cursor']);
    expectProblem(await get(`?cursor=${cursor}`, await other()), 'request.invalid', ['cursor']);
    const elsewhere = await tenant().service.tenant();
    await elsewhere.addMember(actor(), 'administrator');
    expectProblem(await get(`?cursor=${cursor}`, actor().inTenant(elsewhere)), 'request.invalid', ['cursor']);
  });

  it('200: with a cursor and another limit', async () => {
    const ids = await fill(tenant(), 3);
    const page = (await get(`?limit=2&cursor=${await cursorOf()}`)).body as PageBody;
    expect(idsOf(page.items)).toEqual(ids.slice(1, 3));
  });

  it('200: nothing of another tenant', async () => {
    await fill(await tenant().service.tenant(), 2);
    const ids = await fill(tenant(), 2);
    expect(idsOf(await readAll(actor(), path, 1))).toEqual(ids);
  });
}
