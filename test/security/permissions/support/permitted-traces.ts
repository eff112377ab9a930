import { expect } from '@jest/globals';
import { type Observer } from './confidentiality-fixture.js';

export interface Listing {
  readonly items: Record<string, unknown>[];
}

type Items = Listing['items'];

/** They see nothing at all. */
const STRANGERS: readonly Observer[] = ['somebody from outside', 'an administrator of another tenant'];

/** By operation. */
const TRACES: Record<string, (items: Items, hidden: string, observer: Observer) => Items> = {
  // That something was done to it, by whom, and what; not what it is.
  ListAuditEntries: (items, hidden) => {
    const [about, others] = split(items, ({ subjectId }) => subjectId === hidden);
    expect(about.length).toBeGreaterThan(5);
    expect(about.filter(({ summary }) => summary !== null)).toEqual([]);
    return others;
  },
  ListConfidentialDocuments: (items, hidden) => {
    const [about, others] = split(items, ({ id }) => id === hidden);
    for (const entry of about)
      expect(entry).toEqual({ id: hidden, createdAt: expect.any(String), userCount: 1 });
    return others;
  },
  ListNotifications: (items, hidden, observer) => {
    if (observer !== 'its creator, taken off the list') return items;
    const [about, others] = split(
      items,
      ({ type, parameters }) =>
        type === 'ConfidentialAccessRevoked' && (parameters as { documentId: string }).documentId === hidden,
    );
    expect(about).toMatchObject([{ parameters: { actorName: 'Chief' } }]);
    return others;
  },
};

/**
 * Some things may be seen of a hidden document by decision: an answer without them, once they have been checked for
 * being no more than that. `name` begins with the operation.
 */
export function withoutPermittedTraces(
  name: string,
  body: object,
  hidden: string,
  observer: Observer,
): object {
  const check = TRACES[name.split(' ')[0] ?? ''];
  if (!check || !('items' in body) || STRANGERS.includes(observer)) return body;
  return { ...body, items: check((body as Listing).items, hidden, observer) };
}

function split<T>(items: readonly T[], matches: (item: T) => boolean): [T[], T[]] {
  return [items.filter(matches), items.filter((item) => !matches(item))];
}
