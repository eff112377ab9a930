import { expect, it } from '@jest/globals';
import { type Actor } from '../actor.js';
import { expectProblem } from '../expect-problem.js';
import { type TestTenant } from '../tenant.js';

export interface PagedListUnderTest {
  readonly actor: () => Actor;
  /** Another member who may read the list. */
  readonly other: () => Promise<Actor>;
  /** Path without query. */
  readonly path: string;
  /** Another paged list that the actor may read. */
  readonly otherPath: string;
  /** Creates `count` items; returns the ids of all items of the tenant in list order. */
  readonly fill: (tenant: TestTenant, count: number) => Promise<string[]>;
  /** Member that identifies an item; `id` by default. */
  readonly key?: string;
  /** Whether the list of a new tenant already has items. */
  readonly neverEmpty?: boolean;
  /** Whether every page has a cursor. The last page is then the first one without items. */
  readonly hasNoEnd?: boolean;
}

export interface PageBody {
  items: { id: string }[];
  nextCursor: string | null;
}

/** Reads all pages of a list. Expects `limit` items and a cursor on every page but the last. */
export async function readAll(
  actor: Actor,
  path: string,
  limit: number,
  hasNoEnd = false,
): Promise<{ id: string }[]> {
  const items: { id: string }[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query = `${path.includes('?') ? '&' : '?'}limit=${limit}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const response = await actor.get(`${path}${query}`);
    expect(response.status).toBe(200);
    const page = response.body as PageBody;
    expect(Object.keys(page).sort()).toEqual(['items', 'nextCursor']);
    if (page.nextCursor !== null) {
      if (!hasNoEnd) expect(page.items).toHaveLength(limit);
      expect(page.nextCursor).toMatch(/^[A-Za-z0-9_-]+$/);
    }
    items.push(...page.items);
    cursor = hasNoEnd && page.items.length === 0 ? null : page.nextCursor;
  }
  return items;
}

const INVALID_LIMITS = [
  ...['0', '201', '-1', '%2B5', '+5', '0x10', '1e1', '1.0', '%2010', '10%20', '', 'ten', '%D9%A5'],
  '99999999999',
];

/** Tests of cursor paging: limits, cursors, and that no item is missing or repeated. */
export function pagedList({
  actor,
  other,
  path,
  otherPath,
  fill,
  key = 'id',
  neverEmpty = false,
  hasNoEnd = false,
}: PagedListUnderTest): void {
  const tenant = () => actor().tenant;
  const idsOf = (items: object[]) => items.map((item) => (item as Record<string, unknown>)[key]);
  const get = async (query: string, who = actor()) => who.get(`${path}${query}`);
  const cursorOf = async (query = '?limit=1') => ((await get(query)).body as PageBody).nextCursor ?? '';

  if (!neverEmpty) {
    it('returns 200 with an empty page and no cursor when there are no items', async () => {
      const response = await get('');
      expect([response.status, response.body]).toEqual([200, { items: [], nextCursor: null }]);
    });
  }

  it('returns 200 with 50 items by default', async () => {
    const ids = await fill(tenant(), 51);
    const page = (await get('')).body as PageBody;
    expect(idsOf(page.items)).toEqual(ids.slice(0, 50));
    expect(page.nextCursor).not.toBeNull();
  });

  it('returns 200 with every item of the tenant once and in order, with each limit', async () => {
    await fill(await tenant().service.tenant(), 2);
    const ids = await fill(tenant(), 7);
    for (const limit of [1, 2, 3, 7, 8, 200])
      expect(idsOf(await readAll(actor(), path, limit, hasNoEnd))).toEqual(ids);
    const another = (await get(`?limit=2&cursor=${await cursorOf()}`)).body as PageBody;
    expect(idsOf(another.items)).toEqual(ids.slice(1, 3));
    const two = (await get('?limit=002&unknown=name&%5B%5D=1')).body as PageBody;
    expect(idsOf(two.items)).toEqual(ids.slice(0, 2));
  });

  it('returns 400 for an invalid limit, a repeated parameter and a forged or foreign cursor', async () => {
    for (const limit of INVALID_LIMITS)
      expectProblem(await get(`?limit=${limit}`), 'request.invalid', ['limit']);
    expectProblem(await get('?limit=1&limit=2&cursor=a&cursor=b'), 'request.invalid', ['cursor', 'limit']);
    await fill(tenant(), 2);
    const cursor = await cursorOf();
    const flipped = `${cursor.startsWith('A') ? 'B' : 'A'}${cursor.slice(1)}`;
    for (const forged of [
      ...['', 'x', 'null', '%00', 'A'.repeat(64), 'A'.repeat(5000), Buffer.from('[]').toString('base64url')],
      ...[`${cursor}A`, cursor.slice(0, -1), `${cursor}%3D`, `%20${cursor}`, flipped],
    ])
      expectProblem(await get(`?limit=1&cursor=${forged}`), 'request.invalid', ['cursor']);
    expectProblem(await actor().get(`${otherPath}?cursor=${cursor}`), 'request.invalid', ['cursor']);
    expectProblem(await get(`?cursor=${cursor}`, await other()), 'request.invalid', ['cursor']);
    const elsewhere = await tenant().service.tenant();
    await elsewhere.addMember(actor(), 'administrator');
    expectProblem(await get(`?cursor=${cursor}`, actor().inTenant(elsewhere)), 'request.invalid', ['cursor']);
    expect((await get(`?limit=1&cursor=${cursor}`)).status).toBe(200);
  });
}
