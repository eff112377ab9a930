import {
  ABOUT_A_DOCUMENT,
  ABOUT_A_FILE,
  type By,
  type Counts,
  PEOPLE,
  type Question,
} from './rights-history.js';

/** What everybody is asked after every step: lists, and in turn the bin and the search, which take longer. */
export function questionsToAll(turn: number): By<Question>[] {
  const orders = ['newest', 'relevance'] as const;
  return everybody().flatMap((by): By<Question>[] => [
    { kind: 'ListFiles', by },
    { kind: 'ListDocuments', status: null, by },
    (turn + by) % 2 === 0
      ? { kind: 'ListDocuments', status: 'Deleted', by }
      : { kind: 'SearchDocuments', order: orders[by % 2] ?? 'newest', by },
  ]);
}

/** Whatever can be asked, of everything, by everybody. */
export function allQuestions({ file: files, document: documents }: Counts): By<Question>[] {
  return everybody().flatMap((by): By<Question>[] => [
    { kind: 'GetTenantMe', by },
    { kind: 'ListFiles', by },
    { kind: 'ListConfidentialDocuments', by },
    { kind: 'ListNotifications', by },
    ...([null, 'Archived', 'Deleted'] as const).map(
      (status) => ({ kind: 'ListDocuments', status, by }) as const,
    ),
    ...(['newest', 'relevance'] as const).map((order) => ({ kind: 'SearchDocuments', order, by }) as const),
    ...numbersTo(files).flatMap((file) => ABOUT_A_FILE.map((kind) => ({ kind, file, by }) as const)),
    ...numbersTo(documents).flatMap((document) =>
      ABOUT_A_DOCUMENT.map((kind) => ({ kind, document, by }) as const),
    ),
  ]);
}

function everybody(): number[] {
  return numbersTo(PEOPLE);
}

function numbersTo(count: number): number[] {
  return [...Array(count).keys()];
}
