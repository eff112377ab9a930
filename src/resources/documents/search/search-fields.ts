import { applyDecorators } from '@nestjs/common';
import { normalizeText } from '../../../common/text.js';
import { type FieldOptions, Field, textFaults } from '../../../platform/http/input/fields.js';
import { Reads } from '../../../platform/http/input/read-members.js';
import { MAX_QUERY_LENGTH, MAX_QUERY_WORDS, countWords, readQuery } from './search-query.js';
import { type Message, message } from '../../../common/messages/message.js';

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
  return applyDecorators(
    Reads(normalizeQuery),
    Field(
      (value) => givenTwice(value, options) ?? queryFaults(value),
      { type: String, maxLength: MAX_QUERY_LENGTH },
      {
        ...options,
        optional: true,
        description:
          'Words that must all be in title, file name or text, in any of their forms in German or English; "words in ' +
          'quotes" exactly so and in this order; with a `-` in front, what must not be there. The last word may go on, ' +
          'unless a blank follows.',
        example: 'Brandschutz "keine Bedenken" -Entwurf',
      } satisfies FieldOptions,
    ),
  );
}

/** In a query string, where nothing can be null. */
function givenTwice(value: unknown, { nullable = false }: { nullable?: boolean }): Message | null {
  return Array.isArray(value) && !nullable ? message('value.given-twice') : null;
}

function queryFaults(value: unknown): Message | null {
  const fault = textFaults(typeof value === 'string' ? value.trimEnd() : value, 0, MAX_QUERY_LENGTH);
  if (fault !== null) return fault;
  return countWords(readQuery(value as string)) > MAX_QUERY_WORDS
    ? message('value.max-words', { max: MAX_QUERY_WORDS })
    : null;
}

/** `sort` of a list of documents. */
export const SORT: FieldOptions = {
  description:
    'Order of the list; a leading `-` is descending. Titles are compared without regard to case. Not together with `order`. Without it: newest first',
  misfit: (body) => ((body as { order?: unknown }).order == null ? null : message('filter.sort-with-order')),
};

export const CREATED_FROM = 'Only documents created from this moment on, itself included';
export const CREATED_TO = 'Only documents created before this moment, itself excluded';

/** The order of what is found. */
export function SearchOrderField(options: { nullable?: boolean } = {}): PropertyDecorator {
  return Field(
    (value, body) => {
      const twice = givenTwice(value, options);
      if (twice !== null) return twice;
      if (!(SEARCH_ORDERS as readonly unknown[]).includes(value))
        return message('value.one-of', { values: SEARCH_ORDERS.join(', ') });
      const { q } = body as { q?: unknown };
      return value === 'relevance' && (q === undefined || q === null || q === '')
        ? message('filter.relevance-without-query')
        : null;
    },
    { type: String, enum: [...SEARCH_ORDERS], default: 'newest' },
    {
      ...options,
      optional: true,
      description:
        'By relevance, which needs a `q`, at most the newest 1,000 documents that are found are listed',
    },
  );
}
