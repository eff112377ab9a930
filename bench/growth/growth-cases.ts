import { type LoadRequest } from '../load.js';
import { fileNumber } from '../seed/rows.js';
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
  /** Start of the page as a share of the list; `table` has the rows of the list. */
  readonly depth?: { readonly share: number; readonly table: 'files' | 'documents' | 'audit_entries' };
  /** Whether the 10,000 newest documents are confidential to others. */
  readonly amongConfidential?: boolean;
}

const base = `/api/v1/t/${GROWTH_SLUG}`;
const get = (path: string): LoadRequest => ({ method: 'GET', path: base + path });

function list(name: string, path: string, more: Partial<GrowthCase> = {}): GrowthCase {
  return { name, limit: 2, user: 'admin', request: get(path), ...more };
}

function fileSearch(name: string, q: string, more: Partial<GrowthCase> = {}): GrowthCase {
  return { ...list(`ListFiles q: ${name}`, `/files?limit=50&q=${encodeURIComponent(q)}`), limit: 4, ...more };
}

interface Condition {
  readonly fieldKey: FieldKey;
  readonly operator: string;
  readonly value: string | null;
}

function documentSearch(
  conditions: readonly Condition[],
  tagIds: readonly string[] = [],
  documentTypeId: string | null = null,
): LoadRequest {
  const filter = { documentTypeId, fileId: null, tagIds, metadataConditions: conditions };
  return { method: 'POST', path: `${base}/documents/search`, body: JSON.stringify({ filter, limit: 50 }) };
}

const EQUALITY = ['EqualTo', 'NotEqualTo'];
const ORDER = ['GreaterThan', 'GreaterThanOrEqual', 'LessThan', 'LessThanOrEqual'];

/** Conditions for each field, with values that few documents have. */
function comparisons(file: string): Record<FieldKey, readonly (readonly [string, string | null])[]> {
  const with_ = (operators: readonly string[], value: string) =>
    operators.map((operator) => [operator, value] as const);
  return {
    subject: [...with_(EQUALITY, 'Feuerwache 1234'), ['Contains', 'wache 12'], ['Contains', 'zzyzx']],
    quantity: with_([...EQUALITY, ...ORDER], '500.5'),
    received: with_([...EQUALITY, ...ORDER], '2022-06-01'),
    total: [...with_([...EQUALITY, ...ORDER], '500.00'), ['EqualTo', '500.00 EUR']],
    category: with_(EQUALITY, CATEGORIES[1]),
    related: with_(EQUALITY, file),
  };
}

/** @param file id of a file with many documents */
export function growthCases(file: string): GrowthCase[] {
  const conditions = Object.entries(comparisons(file)).flatMap(([fieldKey, pairs]) =>
    [...pairs, ['IsEmpty', null] as const, ['IsNotEmpty', null] as const].map(([operator, value]) => ({
      ...{ fieldKey: fieldKey as FieldKey, operator, value },
    })),
  );
  const search = (name: string, request: LoadRequest): GrowthCase => ({
    ...{ name: `SearchDocuments ${name}`, limit: 4, user: 'admin', request },
  });
  const category: Condition = { fieldKey: 'category', operator: 'EqualTo', value: CATEGORIES[2] };
  const quantity: Condition = { fieldKey: 'quantity', operator: 'GreaterThan', value: '900' };
  return [
    list('GetFile', `/files/${file}`),
    list('ListFiles', '/files?limit=50'),
    list('ListFiles at 90 %', '/files?limit=50', { depth: { share: 0.9, table: 'files' } }),
    list('ListFiles of a type', `/files?limit=50&fileTypeId=${fileTypeId(GROWTH_SLUG, 1)}`),
    list('ListFiles that are closed', '/files?limit=50&status=Closed'),
    list('ListFiles, guest with 1,000 grants', '/files?limit=50', { user: 'guest' }),
    list('ListFileDocuments', `/files/${file}/documents?limit=50`),
    list('ListDocuments', '/documents?limit=50'),
    list('ListDocuments at 90 %', '/documents?limit=50', { depth: { share: 0.9, table: 'documents' } }),
    list('ListDocuments with a tag', `/documents?limit=50&tagIds=${tagId(GROWTH_SLUG, 3)}`),
    list('ListDocuments in a file', `/documents?limit=50&fileId=${file}`),
    list('ListDocuments, guest with 1,000 grants', '/documents?limit=50', { user: 'guest' }),
    list('ListDocuments, 10,000 confidential to others first', '/documents?limit=50', {
      amongConfidential: true,
    }),
    list('ListDocuments, 10,000 confidential first, user on their lists', '/documents?limit=50', {
      ...{ user: 'listed', amongConfidential: true },
    }),
    list('ListAuditEntries', '/audit-log?limit=50'),
    list('ListAuditEntries at 90 %', '/audit-log?limit=50', {
      depth: { share: 0.9, table: 'audit_entries' },
    }),
    list('ListAuditEntries of a subject', `/audit-log?limit=50&subjectId=${file}`),
    list('ListAuditEntries of an actor', `/audit-log?limit=50&actorId=${seedUserId('clerk-2')}`),
    list('ListAuditEntries of an action', '/audit-log?limit=50&action=FileClosed'),
    list(
      'ListAuditEntries of a day',
      '/audit-log?limit=50&from=2020-01-01T12:00:00Z&to=2020-01-02T00:00:00Z',
    ),
    fileSearch('finds much', 'feuerwache'),
    fileSearch('finds little', fileNumber(4711).slice(-7)),
    fileSearch('finds nothing', 'zzyzx'),
    fileSearch('one character', 'b'),
    fileSearch('two characters', 'br'),
    fileSearch('finds much, guest', 'feuerwache', { user: 'guest' }),
    fileSearch('finds nothing, guest', 'zzyzx', { user: 'guest' }),
    ...[
      ['finds much', 'feuerwache'],
      ['finds little', '4711'],
      ['finds nothing', 'zzyzx'],
      ['a phrase', '"radweg kanal"'],
      ['two words, one excluded', 'feuerwache -schule'],
      ['beginning of a word', 'feuerw'],
    ].map(([name, q]) => ({
      ...list(`ListDocuments q: ${name}`, `/documents?limit=50&q=${encodeURIComponent(q ?? '')}`),
      limit: 4 as const,
    })),
    ...conditions.map((condition) => {
      const { fieldKey, operator, value } = condition;
      return search(
        `${fieldKey} ${operator}${value === 'zzyzx' ? ' (nothing)' : value?.endsWith('EUR') ? ' EUR' : ''}`,
        documentSearch([condition]),
      );
    }),
    search('category EqualTo, of one type', documentSearch([category], [], documentTypeId(GROWTH_SLUG, 0))),
    search('two conditions', documentSearch([category, quantity])),
    search('two conditions and a tag', documentSearch([category, quantity], [tagId(GROWTH_SLUG, 3)])),
    // Each document of the tenant meets all conditions.
    ...[16, 20].map((count) =>
      search(
        `${count} conditions`,
        documentSearch(
          Array.from({ length: count }, (_, n) => ({
            fieldKey: 'quantity',
            operator: 'GreaterThan',
            value: String(-1 - n),
          })),
        ),
      ),
    ),
    {
      ...search('category EqualTo, guest', documentSearch([category])),
      user: 'guest',
    },
  ];
}
