import { type LoadRequest } from '../load.js';
import { fileNumber, rowId } from '../seed/rows.js';
import {
  CATEGORIES,
  type FieldKey,
  type UserKey,
  documentTypeId,
  fileTypeId,
  seedUserId,
  tagId,
} from '../seed/tenants.js';
import { GROWTH_SLUG } from './growth-tenant.js';

/** A request that is measured at each size of the tenant. */
export interface GrowthCase {
  readonly name: string;
  /** Maximum ratio of the time at the largest size to that at the smallest: 2 for lists, 4 for searches. */
  readonly limit: 2 | 4;
  readonly user: UserKey;
  readonly request: LoadRequest;
  /** Start of the page as a share of the list; `rows` are the rows of the list. */
  readonly depth?: { readonly share: number; readonly rows: 'file' | 'document' | 'audit' };
  /** Whether the 10,000 newest documents are confidential to others. */
  readonly amongConfidential?: boolean;
}

/** A file with many documents. */
const FILE = rowId('file', GROWTH_SLUG, 7);
const base = `/api/v1/t/${GROWTH_SLUG}`;
const get = (path: string): LoadRequest => ({ method: 'GET', path: base + path });

function list(name: string, path: string, more: Partial<GrowthCase> = {}): GrowthCase {
  return { name, limit: 2, user: 'admin', request: get(path), ...more };
}

/** Lists with the parameter `q`. */
function wordSearches(
  operation: string,
  path: string,
  searches: readonly (readonly [name: string, q: string, user?: UserKey])[],
): GrowthCase[] {
  return searches.map(([name, q, user = 'admin']) => {
    const found = `${path}?limit=50&q=${encodeURIComponent(q)}`;
    return list(`${operation} q: ${name}`, found, { limit: 4, user });
  });
}

interface Condition {
  readonly fieldKey: FieldKey;
  readonly operator: string;
  readonly value: string | null;
}

function search(
  name: string,
  metadataConditions: readonly Condition[],
  filter: { readonly tagIds?: readonly string[]; readonly documentTypeId?: string } = {},
): GrowthCase {
  const all = { documentTypeId: null, fileId: null, tagIds: [], metadataConditions, ...filter };
  const request: LoadRequest = {
    method: 'POST',
    path: `${base}/documents/search`,
    body: JSON.stringify({ filter: all, limit: 50 }),
  };
  return { name: `SearchDocuments ${name}`, limit: 4, user: 'admin', request };
}

const EQUALITY = ['EqualTo', 'NotEqualTo'];
const ORDER = ['GreaterThan', 'GreaterThanOrEqual', 'LessThan', 'LessThanOrEqual'];

const all = (operators: readonly string[], value: string) =>
  operators.map((operator) => [operator, value] as const);

/** Operators and values for each field. Few documents have the values, except `wache`. */
const COMPARISONS: Record<FieldKey, readonly (readonly [operator: string, value: string])[]> = {
  subject: [
    ...all(EQUALITY, 'Feuerwache 1234'),
    ...['wache 12', 'wache', 'zzyzx'].map((part) => ['Contains', part] as const),
  ],
  quantity: all([...EQUALITY, ...ORDER], '500.5'),
  received: all([...EQUALITY, ...ORDER], '2022-06-01'),
  total: [...all([...EQUALITY, ...ORDER], '500.00'), ['EqualTo', '500.00 EUR']],
  category: all(EQUALITY, CATEGORIES[1]),
  related: all(EQUALITY, FILE),
};
const NAME_ENDINGS: Readonly<Record<string, string>> = {
  wache: ' (much)',
  zzyzx: ' (nothing)',
  '500.00 EUR': ' EUR',
};

const comparisonSearches = Object.entries(COMPARISONS).flatMap(([key, pairs]) => {
  const fieldKey = key as FieldKey;
  return [
    ...pairs.map(([operator, value]) =>
      search(`${key} ${operator}${NAME_ENDINGS[value] ?? ''}`, [{ fieldKey, operator, value }]),
    ),
    ...['IsEmpty', 'IsNotEmpty'].map((operator) =>
      search(`${key} ${operator}`, [{ fieldKey, operator, value: null }]),
    ),
  ];
});

const category: Condition = { fieldKey: 'category', operator: 'EqualTo', value: CATEGORIES[2] };
const quantityAbove = (value: number): Condition => ({
  fieldKey: 'quantity',
  operator: 'GreaterThan',
  value: String(value),
});

export const GROWTH_CASES: readonly GrowthCase[] = [
  list('GetFile', `/files/${FILE}`),
  list('ListFiles', '/files?limit=50'),
  list('ListFiles at 90 %', '/files?limit=50', { depth: { share: 0.9, rows: 'file' } }),
  list('ListFiles of a type', `/files?limit=50&fileTypeId=${fileTypeId(GROWTH_SLUG, 1)}`),
  list('ListFiles that are closed', '/files?limit=50&status=Closed'),
  list('ListFiles, guest with 1,000 grants', '/files?limit=50', { user: 'guest' }),
  list('ListFileDocuments', `/files/${FILE}/documents?limit=50`),
  list('ListDocuments', '/documents?limit=50'),
  list('ListDocuments at 90 %', '/documents?limit=50', { depth: { share: 0.9, rows: 'document' } }),
  list('ListDocuments with a tag', `/documents?limit=50&tagIds=${tagId(GROWTH_SLUG, 3)}`),
  list('ListDocuments in a file', `/documents?limit=50&fileId=${FILE}`),
  list('ListDocuments, guest with 1,000 grants', '/documents?limit=50', { user: 'guest' }),
  list('ListDocuments, 10,000 confidential to others first', '/documents?limit=50', {
    amongConfidential: true,
  }),
  list('ListDocuments, 10,000 confidential first, user on their lists', '/documents?limit=50', {
    ...{ user: 'listed', amongConfidential: true },
  }),
  list('ListAuditEntries', '/audit-log?limit=50'),
  list('ListAuditEntries at 90 %', '/audit-log?limit=50', { depth: { share: 0.9, rows: 'audit' } }),
  list('ListAuditEntries of a subject', `/audit-log?limit=50&subjectId=${FILE}`),
  list('ListAuditEntries of an actor', `/audit-log?limit=50&actorId=${seedUserId('clerk-2')}`),
  list('ListAuditEntries of an action', '/audit-log?limit=50&action=FileClosed'),
  list('ListAuditEntries of a day', '/audit-log?limit=50&from=2020-01-01T12:00:00Z&to=2020-01-02T00:00:00Z'),
  ...wordSearches('ListFiles', '/files', [
    ['finds much', 'feuerwache'],
    ['finds little', fileNumber(4711).slice(-7)],
    ['finds nothing', 'zzyzx'],
    ['one character', 'b'],
    ['two characters', 'br'],
    ['finds much, guest', 'feuerwache', 'guest'],
    ['finds nothing, guest', 'zzyzx', 'guest'],
  ]),
  ...wordSearches('ListDocuments', '/documents', [
    ['finds much', 'feuerwache'],
    ['finds little', '4711'],
    ['finds nothing', 'zzyzx'],
    ['a phrase', '"radweg kanal"'],
    ['two words, one excluded', 'feuerwache -schule'],
    ['beginning of a word', 'feuerw'],
  ]),
  ...comparisonSearches,
  search('category EqualTo, of one type', [category], { documentTypeId: documentTypeId(GROWTH_SLUG, 0) }),
  search('two conditions', [category, quantityAbove(900)]),
  search('two conditions and a tag', [category, quantityAbove(900)], { tagIds: [tagId(GROWTH_SLUG, 3)] }),
  // Each document of the tenant meets all conditions.
  ...[16, 20].map((count) =>
    search(
      `${count} conditions`,
      Array.from({ length: count }, (_, n) => quantityAbove(-1 - n)),
    ),
  ),
  { ...search('category EqualTo, guest', [category]), user: 'guest' },
];
