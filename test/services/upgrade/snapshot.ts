import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

type Item = Readonly<Record<string, unknown>>;

/** Answers of the API about a tenant: lists by path, and details of files and documents by id. */
export interface Snapshot {
  readonly [list: string]: readonly Item[] | Readonly<Record<string, unknown>>;
}

const LISTS = [
  ...['files', 'file-types', 'documents', 'documents?status=Deleted', 'documents?status=Archived'],
  ...['document-types', 'tags', 'saved-views', 'roles', 'members', 'invitations', 'access-grants'],
  ...['notifications', 'audit-log', 'confidential-documents'],
];

/** @param url base URL of the tenant: `http://127.0.0.1:3000/api/v1/t/demo` */
export async function takeSnapshot(url: string, token: string): Promise<Snapshot> {
  const get = async (path: string): Promise<Response> => {
    for (;;) {
      const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
      if (response.status !== 429) return response;
      await sleep(1000 * Number(response.headers.get('retry-after') ?? 1));
    }
  };
  const all = async (path: string): Promise<Item[]> => {
    const items: Item[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query = `${path.includes('?') ? '&' : '?'}limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
      const response = await get(path + query);
      if (response.status !== 200) throw new Error(`${path} returned ${response.status}`);
      const page = (await response.json()) as Item[] | { items: Item[]; nextCursor: string | null };
      if (Array.isArray(page)) return page;
      items.push(...page.items);
      cursor = page.nextCursor;
    }
    return items;
  };

  const snapshot: Record<string, Snapshot[string]> = {};
  for (const list of LISTS) snapshot[list] = await all(`/${list}`);
  const fileDocuments: Record<string, Item[]> = {};
  for (const id of idsOf(snapshot.files)) fileDocuments[id] = await all(`/files/${id}/documents`);
  const contents: Record<string, Item> = {};
  const versions: Record<string, Item[]> = {};
  for (const document of snapshot.documents as Item[]) {
    const { id, content } = document as { id: string; content: { sha256: string } | null };
    if (!content) continue;
    versions[id] = await all(`/documents/${id}/versions`);
    const bytes = Buffer.from(await (await get(`/documents/${id}/content`)).arrayBuffer());
    contents[id] = { sha256: createHash('sha256').update(bytes).digest('hex'), expected: content.sha256 };
  }
  return { ...snapshot, fileDocuments, versions, contents };
}

function idsOf(items: Snapshot[string] | undefined): string[] {
  return (items as Item[]).map(({ id }) => id as string);
}

/**
 * Paths of values that are missing or different in the later snapshot. Added members, added list items and expired
 * invitations or grants do not count as differences.
 */
export function differences(before: unknown, after: unknown, path = ''): string[] {
  if (Array.isArray(before)) {
    if (!Array.isArray(after)) return [`${path}: ${JSON.stringify(after)}`];
    if (!isRecord(before[0]) || before[0].id === undefined) return sameItems(before, after, path);
    const found = new Map(after.map((item: Item) => [item.id, item]));
    const ids = (before as Item[]).map(({ id }) => id);
    const kept = (after as Item[]).map(({ id }) => id).filter((id) => ids.includes(id));
    const order =
      kept.length === ids.length && kept.some((id, index) => id !== ids[index]) ? [`${path}: order`] : [];
    return [
      ...order,
      ...(before as Item[]).flatMap((item) =>
        differences(item, found.get(item.id), `${path}[${String(item.id)}]`),
      ),
    ];
  }
  if (isRecord(before)) {
    if (!isRecord(after)) return [`${path}: ${JSON.stringify(after)}`];
    return Object.entries(before)
      .filter(([key]) => !(key === 'status' && hasExpired(before) && after.status === 'Expired'))
      .flatMap(([key, value]) => differences(value, after[key], `${path}.${key}`));
  }
  return before === after ? [] : [`${path}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`];
}

function sameItems(before: unknown[], after: unknown[], path: string): string[] {
  // A release can give built-in roles more permissions.
  if (path.endsWith('.permissions'))
    return before.filter((item) => !after.includes(item)).map((item) => `${path}: no ${String(item)}`);
  if (before.length !== after.length) return [`${path}: ${before.length} → ${after.length}`];
  return before.flatMap((item, index) => differences(item, after[index], `${path}[${index}]`));
}

function isRecord(value: unknown): value is Item {
  return typeof value === 'object' && value !== null;
}

function hasExpired({ expiresAt }: Item): boolean {
  return typeof expiresAt === 'string' && Date.parse(expiresAt) < Date.now();
}
