import { searchFold } from './text.js';

/** A word of a text, as it is compared, and where it stands. */
export interface Word {
  /** Without case and marks, ß as ss, at most {@link MAX_WORD} long: letters and digits only. */
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/** Longer words are compared by their beginnings: nobody looks for one, and PostgreSQL has a limit for lexemes. */
const MAX_WORD = 64;
/** More parts than this are no compound, but a line of dashes between numbers. */
const MAX_PARTS = 5;

/**
 * Letters and digits, with marks; invisible signs between them (a soft hyphen, zero-width joiners) are no border. Piece
 * by piece: V8 keeps a way back from every letter, and gives up ("Maximum call stack size exceeded") on a word of a
 * million or more, depending on how much it keeps.
 */
const WORD = /[\p{L}\p{N}](?:[\u00ad\u200b-\u200d\u2060]?[\p{L}\p{N}\p{M}]){0,9999}/gu;
const LONG = 10_000;
/** What goes on where a piece of a long word ends. */
const MORE = /(?:[\u00ad\u200b-\u200d\u2060]?[\p{L}\p{N}\p{M}]){1,10000}/uy;
const OTHERS = /[^\p{L}\p{N}]+/gu;
const LOWER_ASCII = /^[a-z0-9]+$/;
const ASCII = /^[A-Za-z0-9]+$/;

/** What joins two words to a compound: a hyphen, also one at the end of a line. */
const JOINT = /^(?:[-\u2010\u2011]|[-\u2010\u2011\u00ad][ \t]*\r?\n[ \t]*)$/;
const LONGEST_JOINT = 16;

/** The words of a text in order, those of any script, by one rule for texts and for what is looked for in them. */
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

/** Whether a hyphen joins two neighbours in a text, also one at the end of a line. */
export function areHyphenated(text: string, one: Word, next: Word): boolean {
  return next.start - one.end <= LONGEST_JOINT && JOINT.test(text.slice(one.end, next.start));
}

/** What is joined, written as one: `Bau-Genehmigung` as `baugenehmigung`. */
export function compoundKey(parts: readonly Word[]): string | null {
  return parts.length > 1 && parts.length <= MAX_PARTS ? cut(parts.map(({ key }) => key).join('')) : null;
}

function wordKey(word: string): string {
  if (word.length <= MAX_WORD) {
    if (LOWER_ASCII.test(word)) return word;
    if (ASCII.test(word)) return word.toLowerCase();
  }
  // Cut first: folding takes the square of the number of marks in a row.
  return cut(searchFold(cut(word)).replace(OTHERS, ''));
}

function cut(word: string): string {
  return word.length <= MAX_WORD ? word : word.slice(0, MAX_WORD).replace(/[\ud800-\udbff]$/, '');
}
