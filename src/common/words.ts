import { searchFold } from './text.js';

export interface Word {
  /** Letters and digits without case and marks, ß as ss, at most {@link MAX_WORD} characters. */
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/** Longer words are compared by their first characters: searches for them are rare, and PostgreSQL limits lexemes. */
const MAX_WORD = 64;
/** More parts are not treated as a compound, but as numbers separated by dashes. */
const MAX_PARTS = 5;

/**
 * Letters and digits, with marks. Invisible characters between them (soft hyphen, zero-width joiners) do not end a
 * word. Matches at most 10,000 characters: V8 keeps backtracking state for each character, and fails with "Maximum
 * call stack size exceeded" on words of about a million characters.
 */
const WORD = /[\p{L}\p{N}](?:[\u00ad\u200b-\u200d\u2060]?[\p{L}\p{N}\p{M}]){0,9999}/gu;
const LONG = 10_000;
/** The next piece of a long word. */
const MORE = /(?:[\u00ad\u200b-\u200d\u2060]?[\p{L}\p{N}\p{M}]){1,10000}/uy;
const OTHERS = /[^\p{L}\p{N}]+/gu;
const LOWER_ASCII = /^[a-z0-9]+$/;
const ASCII = /^[A-Za-z0-9]+$/;

/** Joins two words to a compound: a hyphen, also at the end of a line. */
const JOINT = /^(?:[-\u2010\u2011]|[-\u2010\u2011\u00ad][ \t]*\r?\n[ \t]*)$/;
const LONGEST_JOINT = 16;

/** The words of a text in order, of any script. Used for texts and for search terms, so that both are split alike. */
export function* wordsOf(text: string): Generator<Word> {
  const finder = new RegExp(WORD);
  for (let found = finder.exec(text); found; found = finder.exec(text)) {
    const start = found.index;
    if (found[0].length >= LONG) finder.lastIndex = endOfWord(text, finder.lastIndex);
    const end = finder.lastIndex;
    const key = wordKey(text.slice(start, end));
    if (key !== '') yield { key, start, end };
  }
}

function endOfWord(text: string, from: number): number {
  let end = from;
  for (MORE.lastIndex = end; MORE.test(text); MORE.lastIndex = end) end = MORE.lastIndex;
  return end;
}

/** Whether a hyphen joins two adjacent words, also at the end of a line. */
export function areHyphenated(text: string, one: Word, next: Word): boolean {
  return next.start - one.end <= LONGEST_JOINT && JOINT.test(text.slice(one.end, next.start));
}

/** Key of a compound as one word: `Bau-Genehmigung` becomes `baugenehmigung`. Null if it is no compound. */
export function compoundKey(parts: readonly Word[]): string | null {
  return parts.length > 1 && parts.length <= MAX_PARTS ? cut(parts.map(({ key }) => key).join('')) : null;
}

function wordKey(word: string): string {
  if (word.length <= MAX_WORD) {
    if (LOWER_ASCII.test(word)) return word;
    if (ASCII.test(word)) return word.toLowerCase();
  }
  // Cut first: folding takes quadratic time in the number of consecutive marks.
  return cut(searchFold(cut(word)).replace(OTHERS, ''));
}

function cut(word: string): string {
  return word.length <= MAX_WORD ? word : word.slice(0, MAX_WORD).replace(/[\ud800-\udbff]$/, '');
}
