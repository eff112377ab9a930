import { codePointLength } from '../../../common/text.js';
import { type Word, areHyphenated, compoundKey, wordsOf } from '../../../common/words.js';
import { type Writing, numberAt, writingsOf, writingsOfGroups } from './digit-groups.js';

export const MAX_QUERY_LENGTH = 200;
export const MAX_QUERY_WORDS = 20;
/** Other writings of all numbers in a query; beyond them, each further number has one. */
const MAX_WRITINGS = 48;
/** Maximum number of beginnings with `*`: short ones are slow, because each matches many different words. */
export const MAX_BEGINNINGS = 4;

/**
 * A word of a query: its comparison key, and its lower-case spelling with umlauts, as in the lists of stop
 * words.
 */
interface QueryWord {
  readonly key: string;
  readonly spelling: string;
}

/** Where an item is in the query, without quotes. */
interface Place {
  readonly start: number;
  readonly end: number;
}

/** A word, a hyphenated compound, or a phrase in quotes. */
export interface QueryItem {
  readonly place: Place;
  readonly words: readonly QueryWord[];
  /** In quotes: matches only these words, not other forms of them. */
  readonly isQuoted: boolean;
  /** Whether the last word also matches longer words, because `*` follows it or it may be incomplete. */
  readonly isPrefix: boolean;
  /** Whether `*` follows the last word: it is the beginning of words, and has no other forms. */
  readonly isBeginning: boolean;
  /** The words of a hyphenated compound, written as one word; null for other items. */
  readonly compound: string | null;
  /** Other ways to write the number that the item is, or is part of; empty for other and for excluded items. */
  readonly writings: readonly Writing[];
}

export interface SearchQuery {
  readonly wanted: readonly QueryItem[];
  readonly unwanted: readonly QueryItem[];
}

/** A phrase in quotes, or a run of other characters without blanks; a leading hyphen excludes it. */
const ITEM = /(?<=^|[\s"])(-?)"([^"]*)"|([^\s"]+)/g;
const QUOTES = /[„“”«»]/g;

/** `*` after a shorter beginning is ignored: almost all documents have such words. */
const MIN_BEGINNING = 2;

/**
 * Parses the text of a search box. Nothing is a syntax error: unclosed quotes, hyphens without a word and
 * PostgreSQL operators only separate words, as in texts.
 */
export function readQuery(q: string): SearchQuery {
  const text = q.replace(QUOTES, '"');
  const wanted: QueryItem[] = [];
  /** Consecutive wanted items outside quotes. */
  let run: ReadItem[] = [];
  const runs = [run];
  const unwanted: QueryItem[] = [];
  for (const { 0: whole, 1: sign = '', 2: phrase, 3: plain = '', index } of text.matchAll(ITEM)) {
    const isQuoted = phrase !== undefined;
    const isUnwanted = isQuoted ? sign === '-' : plain.startsWith('-');
    const end = index + whole.length;
    const place = isQuoted ? { start: index + sign.length + 1, end: end - 1 } : { start: index, end };
    const item = itemOf(phrase ?? plain, place, isQuoted, !isQuoted && end === text.length);
    if (!item) continue;
    if (isUnwanted) unwanted.push({ ...item, isPrefix: item.isBeginning });
    else wanted.push(item);
    if (isUnwanted || isQuoted) runs.push((run = []));
    else run.push({ text: plain, keys: item.words.map(({ key }) => key), item });
  }
  const found = new Map(runs.flatMap(writingsIn));
  let left = MAX_WRITINGS;
  const written = wanted.map((item) => {
    const writings = (found.get(item) ?? []).slice(0, Math.max(left, 1));
    left -= writings.length;
    return { ...item, writings };
  });
  return { wanted: written, unwanted };
}

interface ReadItem {
  readonly text: string;
  readonly keys: readonly string[];
  readonly item: QueryItem;
}

/** The other writings of consecutive items: of each, and of those that are groups of one number. */
function writingsIn(run: readonly ReadItem[]): (readonly [QueryItem, readonly Writing[]])[] {
  const found: (readonly [QueryItem, readonly Writing[]])[] = [];
  for (let at = 0; at < run.length;) {
    const items = numberAt(run.slice(at));
    const writings = writingsOfGroups(items, items.at(-1)?.item.isPrefix ?? false);
    // Those without separators are first, so that the bound never removes them.
    for (const one of items) found.push([one.item, [...writings, ...writingsOf(one, one.item.isPrefix)]]);
    at += items.length;
  }
  return found;
}

/**
 * The texts of consecutive wanted items, each of which may be the number of a file: at most 210.
 *
 * @param q the text that was read
 */
export function possibleNumbers(
  q: string,
  { wanted }: SearchQuery,
): { readonly text: string; readonly items: readonly QueryItem[] }[] {
  return wanted.flatMap(({ place: { start } }, first) =>
    wanted.slice(first).map(({ place: { end } }, index) => ({
      text: q.slice(start, end),
      items: wanted.slice(first, first + index + 1),
    })),
  );
}

export function countWords({ wanted, unwanted }: SearchQuery): number {
  return [...wanted, ...unwanted].reduce((sum, { words }) => sum + words.length, 0);
}

export function countBeginnings({ wanted, unwanted }: SearchQuery): number {
  return [...wanted, ...unwanted].filter(({ isBeginning }) => isBeginning).length;
}

function itemOf(text: string, place: Place, isQuoted: boolean, isLast: boolean): QueryItem | null {
  const words = [...wordsOf(text)];
  const last = words.at(-1);
  if (!last) return null;
  const isBeginning = !isQuoted && text[last.end] === '*' && codePointLength(last.key) >= MIN_BEGINNING;
  return {
    place,
    words: words.map(({ key, start, end }) => ({ key, spelling: text.slice(start, end).toLowerCase() })),
    isQuoted,
    isPrefix: isBeginning || (isLast && last.end === text.length),
    isBeginning,
    compound: isQuoted || !isCompound(text, words) ? null : compoundKey(words),
    writings: [],
  };
}

function isCompound(text: string, words: readonly Word[]): boolean {
  return words.every((word, index) => {
    const next = words[index + 1];
    return !next || areHyphenated(text, word, next);
  });
}
