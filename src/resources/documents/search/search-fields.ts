import { type Message, message } from '../../../common/messages/message.js';
import { textError } from '../../../common/text-error.js';
import { normalizeText } from '../../../common/text.js';
import { IsOneOf } from '../../../platform/http/input/enum-field.js';
import { Field } from '../../../platform/http/input/field.js';
import { IsGivenOnce, type QueryOptions } from '../../../platform/http/input/query-field.js';
import { ReadWith } from '../../../platform/http/input/read-members.js';
import { Rule } from '../../../platform/http/input/rule.js';
import { MAX_QUERY_LENGTH, MAX_QUERY_WORDS, countWords, readQuery } from './search-query.js';

const SEARCH_ORDERS = ['newest', 'relevance'] as const;
export type SearchOrder = (typeof SEARCH_ORDERS)[number];

/** In NFC and trimmed, but for one blank at the end, which says that the last word is complete. */
function normalizeQuery(value: unknown): unknown {
  if (typeof value !== 'string' || !value.isWellFormed()) return value;
  const trimmed = normalizeText(value);
  return trimmed !== '' && /\s$/.test(value) ? `${trimmed} ` : trimmed;
}

/** Words to look for, in a query string or a body. */
export function SearchQueryField(options: { nullable?: boolean } = {}): PropertyDecorator {
  return Field(
    { type: String, maxLength: MAX_QUERY_LENGTH },
    {
      ...options,
      optional: true,
      description:
        'Words that must all be in title, file name or text, in any of their forms in German or English; "words in ' +
        'quotes" exactly so and in this order; with a `-` in front, what must not be there. The last word may go on, ' +
        'unless a blank follows.',
      example: 'Brandschutz "keine Bedenken" -Entwurf',
    },
    ReadWith(normalizeQuery),
    ...singleValueInQuery(options),
    Rule('searchQuery', queryError),
  );
}

/** In a query string, where nothing can be null. */
function singleValueInQuery({ nullable = false }: { nullable?: boolean }): PropertyDecorator[] {
  return nullable ? [] : [IsGivenOnce()];
}

function queryError(value: unknown): Message | null {
  const error = textError(typeof value === 'string' ? value.trimEnd() : value, 0, MAX_QUERY_LENGTH);
  if (error !== null) return error;
  return countWords(readQuery(value as string)) > MAX_QUERY_WORDS
    ? message('value.max-words', { max: MAX_QUERY_WORDS })
    : null;
}

/** `sort` of a list of documents. */
export const SORT: QueryOptions = {
  description:
    'Order of the list; a leading `-` is descending. Titles are compared without regard to case. Not together with `order`. Without it: newest first',
  conflict: (body) =>
    (body as { order?: unknown }).order == null ? null : message('filter.sort-with-order'),
};

export const CREATED_FROM = 'Only documents created from this moment on, itself included';
export const CREATED_TO = 'Only documents created before this moment, itself excluded';

/** The order of what is found. */
export function SearchOrderField(options: { nullable?: boolean } = {}): PropertyDecorator {
  return Field(
    { type: String, enum: [...SEARCH_ORDERS], default: 'newest' },
    {
      ...options,
      optional: true,
      description:
        'By relevance, which needs a `q`, at most the newest 1,000 documents that are found are listed',
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
