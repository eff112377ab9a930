import { expect } from '@jest/globals';
import { type Observer } from './confidentiality-fixture.js';

export interface Listing {
  readonly items: Record<string, unknown>[];
}

type Items = Listing['items'];

/** Observers who see nothing of the tenant. */
const NON_MEMBERS: readonly Observer[] = ['a user without membership', 'an administrator of another tenant'];

/** By operation: checks the permitted traces of the hidden document and returns the items without them. */
const TRACES: Record<string, (items: Items, hidden: string, observer: Observer) => Items> = {
  // The audit log shows who did what to the document, but not its title.
  ListAuditEntries: (items, hidden) => {
    const [about, others] = split(items, ({ subjectId }) => subjectId === hidden);
    expect(about.length).toBeGreaterThan(5);
    expect(about.filter(({ summary }) => summary !== null)).toEqual([]);
    return others;
  },
  ListEvents: (items, hidden) => {
    const [about, others] = split(items, ({ subjectId }) => subjectId === hidden);
    expect(about.length).toBeGreaterThan(5);
    for (const { related } of about) expect(related).toEqual({});
    return others;
  },
  ExportAuditLog: (items, hidden) => {
    const [about, others] = split(
      items,
      ({ leaf }) =>
        typeof leaf === 'string' && (JSON.parse(leaf) as { subjectId: string }).subjectId === hidden,
    );
    expect(about.length).toBeGreaterThan(5);
    expect(about.filter(({ opening }) => opening !== null)).toEqual([]);
    return others;
  },
  ListConfidentialDocuments: (items, hidden) => {
    const [about, others] = split(items, ({ id }) => id === hidden);
    for (const entry of about)
      expect(entry).toEqual({ id: hidden, createdAt: expect.any(String), userCount: 1 });
    return others;
  },
  ListNotifications: (items, hidden, observer) => {
    if (observer !== 'its creator, removed from its list') return items;
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
 * Some operations may show traces of a hidden document: audit entries and events, the list of confidential documents, and the
 * notification about removed access. This function checks that they show no more than permitted, and returns the body
 * without them.
 *
 * @param name begins with the operation, followed by a space
 */
export function withoutPermittedTraces(
  name: string,
  body: object,
  hidden: string,
  observer: Observer,
): object {
  const check = TRACES[name.split(' ')[0] ?? ''];
  if (!check || typeof body === 'string' || !('items' in body) || NON_MEMBERS.includes(observer)) return body;
  return { ...body, items: check((body as Listing).items, hidden, observer) };
}

function split<T>(items: readonly T[], matches: (item: T) => boolean): [T[], T[]] {
  return [items.filter(matches), items.filter((item) => !matches(item))];
}
