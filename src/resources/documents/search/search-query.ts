import { type Word, areHyphenated, compoundKey, wordsOf } from '../../../common/words.js';

export const MAX_QUERY_LENGTH = 200;
export const MAX_QUERY_WORDS = 20;

/** A word of a query, as it is compared and as it was written, in small letters: stop words have their umlauts. */
interface QueryWord {
  readonly key: string;
  readonly spelling: string;
}

/** What stands between blanks, or in quotes: one word, or several that follow each other. */
export interface QueryItem {
  readonly words: readonly QueryWord[];
  /** In quotes: these very words, not other forms of them. */
  readonly isQuoted: boolean;
  /** Whether the last word may go on. */
  readonly isPrefix: boolean;
  /** Words that a hyphen joins, written as one. */
  readonly compound: string | null;
}

/** A query as it was typed: its words and phrases, and those of them that are excluded. */
export interface SearchQuery {
  readonly wanted: readonly QueryItem[];
  readonly unwanted: readonly QueryItem[];
}

/** A phrase in quotes, or what stands between blanks; a hyphen in front of either excludes it. */
const ITEM = /(?<=^|[\s"])(-?)"([^"]*)"|([^\s"]+)/g;
const QUOTES = /[„“”«»]/g;

/**
 * Reads what people type into a search box. Whatever is no word is no fault: quotes without an end, hyphens without a
 * word and the operators of PostgreSQL are signs between words, as they are in texts.
 */
export function readQuery(q: string): SearchQuery {
  const text = q.replace(QUOTES, '"');
  const wanted: QueryItem[] = [];
  const unwanted: QueryItem[] = [];
  for (const { 0: whole, 1: sign, 2: phrase, 3: plain = '', index } of text.matchAll(ITEM)) {
    const isQuoted = phrase !== undefined;
    const isUnwanted = isQuoted ? sign === '-' : plain.startsWith('-');
    const item = itemOf(phrase ?? plain, isQuoted, !isQuoted && index + whole.length === text.length);
    if (!item) continue;
    if (isUnwanted) unwanted.push({ ...item, isPrefix: false });
    else wanted.push(item);
  }
  return { wanted, unwanted };
}

export function countWords({ wanted, unwanted }: SearchQuery): number {
  return [...wanted, ...unwanted].reduce((sum, { words }) => sum + words.length, 0);
}

function itemOf(text: string, isQuoted: boolean, isLast: boolean): QueryItem | null {
  const words = [...wordsOf(text)];
  const last = words.at(-1);
  if (!last) return null;
  return {
    words: words.map(({ key, start, end }) => ({ key, spelling: text.slice(start, end).toLowerCase() })),
    isQuoted,
    isPrefix: isLast && last.end === text.length,
    compound: isQuoted || !isCompound(text, words) ? null : compoundKey(words),
  };
}

function isCompound(text: string, words: readonly Word[]): boolean {
  return words.every((word, index) => {
    const next = words[index + 1];
    return !next || areHyphenated(text, word, next);
  });
}
