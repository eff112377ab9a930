import { Matches } from 'class-validator';
import { type Message, message } from '../../../common/messages/message.js';
import { textError } from '../../../common/text-error.js';
import { normalizeText } from '../../../common/text.js';
import { IsOneOf } from '../../../platform/http/input/enum-field.js';
import { Field } from '../../../platform/http/input/field.js';
import { IsGivenOnce, QueryField, type QueryOptions } from '../../../platform/http/input/query-field.js';
import { ReadWith } from '../../../platform/http/input/read-with.js';
import { Rule, withMessage } from '../../../platform/http/input/rule.js';
import { DOCUMENT_SORTS, SORT_PATTERN } from './document-sorts.js';
import {
  MAX_BEGINNINGS,
  MAX_QUERY_LENGTH,
  MAX_QUERY_WORDS,
  countBeginnings,
  countWords,
  readQuery,
} from './search-query.js';

const SEARCH_ORDERS = ['newest', 'relevance'] as const;
export type SearchOrder = (typeof SEARCH_ORDERS)[number];

/** Converts to NFC and trims, but keeps one blank at the end, which means that the last word is complete. */
function normalizeQuery(value: unknown): unknown {
  if (typeof value !== 'string' || !value.isWellFormed()) return value;
  const trimmed = normalizeText(value);
  return trimmed !== '' && /\s$/.test(value) ? `${trimmed} ` : trimmed;
}

/** Search words, in a query string or a body. */
export function SearchQueryField(options: { nullable?: boolean } = {}): PropertyDecorator {
  return Field(
    { type: String, maxLength: MAX_QUERY_LENGTH },
    {
      ...options,
      optional: true,
      description:
        'Search words. Title, file name, values or text must contain all of them, in any German or English word form. ' +
        'The complete number of a visible file matches the documents in it. ' +
        '"Words in quotes" must occur exactly and in this order. A leading `-` excludes a word or phrase. A word with `*` ' +
        'at its end matches all words that start with it, at most four of them in a query; so does the last word, unless ' +
        'a blank follows it. A word of at least five letters also matches compounds that contain it. Empty: all ' +
        'documents; other texts without a word are invalid.',
      example: 'Brandschutz "keine Bedenken" -Entwurf',
    },
    ReadWith(normalizeQuery),
    ...singleValueInQuery(options),
    Rule('searchQuery', queryError),
  );
}

/** A query string can repeat a parameter, but cannot contain null. */
function singleValueInQuery({ nullable = false }: { nullable?: boolean }): PropertyDecorator[] {
  return nullable ? [] : [IsGivenOnce()];
}

function queryError(value: unknown): Message | null {
  const error = textError(typeof value === 'string' ? value.trimEnd() : value, 0, MAX_QUERY_LENGTH);
  if (error !== null) return error;
  const query = readQuery(value as string);
  const words = countWords(query);
  if (words === 0 && value !== '') return message('value.no-words');
  if (words > MAX_QUERY_WORDS) return message('value.max-words', { max: MAX_QUERY_WORDS });
  return countBeginnings(query) > MAX_BEGINNINGS
    ? message('value.max-beginnings', { max: MAX_BEGINNINGS })
    : null;
}

const SORT: QueryOptions = {
  description:
    'Sort order; a leading `-` means descending. `fields.` and the key of a field sort by its values and need `documentTypeId`; ' +
    'documents without a value come last. Titles and texts are compared ignoring case. Cannot be combined with `order`. ' +
    'Absent: newest first',
  conflict: (body) =>
    (body as { order?: unknown }).order == null ? null : message('filter.sort-with-order'),
};

const SORTS = { type: String, pattern: SORT_PATTERN.source };
const INVALID_SORT = message('value.one-of', {
  values: [...DOCUMENT_SORTS, 'fields.<key>', '-fields.<key>'].join(', '),
});

const IsSort = () => Matches(SORT_PATTERN, withMessage(INVALID_SORT));

export function SortQuery(): PropertyDecorator {
  return QueryField(SORTS, SORT, IsSort());
}

export function SortField(): PropertyDecorator {
  return Field(SORTS, { ...SORT, optional: true, nullable: true }, IsSort());
}

export const CREATED_FROM = 'Only documents created at or after this time';
export const CREATED_TO = 'Only documents created before this time';

export function SearchOrderField(options: { nullable?: boolean } = {}): PropertyDecorator {
  return Field(
    { type: String, enum: [...SEARCH_ORDERS], default: 'newest' },
    {
      ...options,
      optional: true,
      description:
        '`relevance` sorts by relevance. It requires `q` and lists at most the newest 1,000 matches of whole words, then ' +
        'at most the newest 1,000 with compounds',
    },
    ...singleValueInQuery(options),
    IsOneOf(SEARCH_ORDERS),
    Rule('needsQuery', (value, body) => {
      const { q } = body as { q?: unknown };
      return value === 'relevance' && (q === undefined || q === null || q === '')
        ? message('filter.relevance-without-query')
        : null;
    }),
  );
}
