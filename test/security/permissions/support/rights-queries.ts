import {
  DOCUMENT_QUERIES,
  FILE_QUERIES,
  type ByUser,
  type ResourceCounts,
  USER_COUNT,
  type Query,
} from './rights-history.js';

/** Queries by all users after every step: the lists, and alternately the bin or a search, because these take longer. */
export function queriesAfterStep(turn: number): ByUser<Query>[] {
  const orders = ['newest', 'relevance'] as const;
  return allUsers().flatMap((by): ByUser<Query>[] => [
    { kind: 'ListFiles', by },
    { kind: 'ListDocuments', status: null, by },
    (turn + by) % 2 === 0
      ? { kind: 'ListDocuments', status: 'Deleted', by }
      : { kind: 'SearchDocuments', order: orders[by % 2] ?? 'newest', by },
  ]);
}

/** Who can see one of the files and one of the documents, asked by two of the users. */
export function accessQueriesAfterStep(turn: number, counts: ResourceCounts): ByUser<Query>[] {
  const [file, document] = [turn % counts.file, turn % counts.document];
  const user = turn % USER_COUNT;
  return [0, user].flatMap((by): ByUser<Query>[] => [
    { kind: 'ListFileAccess', file, by },
    { kind: 'ListDocumentAccess', document, by },
    { kind: 'GetMemberAccess', user, file, by },
    { kind: 'GetMemberAccess', user, document, by },
  ]);
}

export function allQueries({ file: files, document: documents }: ResourceCounts): ByUser<Query>[] {
  return allUsers().flatMap((by): ByUser<Query>[] => [
    { kind: 'GetTenantMe', by },
    { kind: 'ListFiles', by },
    { kind: 'ListConfidentialDocuments', by },
    { kind: 'ListNotifications', by },
    ...([null, 'Archived', 'Deleted'] as const).map(
      (status) => ({ kind: 'ListDocuments', status, by }) as const,
    ),
    ...(['newest', 'relevance'] as const).map((order) => ({ kind: 'SearchDocuments', order, by }) as const),
    ...numbersTo(files).flatMap((file) => FILE_QUERIES.map((kind) => ({ kind, file, by }) as const)),
    ...numbersTo(documents).flatMap((document) =>
      DOCUMENT_QUERIES.map((kind) => ({ kind, document, by }) as const),
    ),
    ...numbersTo(files).flatMap((file): ByUser<Query>[] => [
      { kind: 'ListFileAccess', file, by },
      ...allUsers().map((user) => ({ kind: 'GetMemberAccess', user, file, by }) as const),
    ]),
    ...numbersTo(documents).flatMap((document): ByUser<Query>[] => [
      { kind: 'ListDocumentAccess', document, by },
      ...allUsers().map((user) => ({ kind: 'GetMemberAccess', user, document, by }) as const),
    ]),
  ]);
}

function allUsers(): number[] {
  return numbersTo(USER_COUNT);
}

function numbersTo(count: number): number[] {
  return [...Array(count).keys()];
}
