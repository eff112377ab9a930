import { type Word, wordsOf } from '../../../common/words.js';
import { type Lexeme, type Sequence, type TextSearch } from './text-search.js';

/** A piece of text with what was looked for in it. */
interface Excerpt {
  readonly segments: readonly { readonly text: string; readonly isMatch: boolean }[];
}

/** The part of a document that an excerpt is taken from. */
export interface ExcerptSource {
  readonly text: string;
  /** Of its vector, the lexemes that were looked for: lexeme, positions from 1, weight of each position. */
  readonly lexemes: readonly (readonly [string, readonly number[], readonly string[]])[];
}

/** So many words around a match are shown. */
const EXCERPT_WORDS = 30;
/** How many of them stand before the first match. */
const WORDS_BEFORE_MATCH = 6;
/** Words, and what stands between them, can be as long as they like. */
const MAX_WORD = 100;
const MAX_GAP = 40;
const ELLIPSIS = '…';

/**
 * The words of the text where most of what was wanted stands together, in pieces: what matched is known by its position,
 * so that exactly that is marked which made the document match. Null when nothing of it is in the text.
 */
export function excerptOf(source: ExcerptSource, search: TextSearch): Excerpt | null {
  const matches = matchesIn(source, search);
  const first = bestStart(matches);
  if (first === null) return null;
  const words = [...wordsOf(source.text)];
  const begin = Math.max(0, Math.min(first - 1 - WORDS_BEFORE_MATCH, words.length - EXCERPT_WORDS));
  return buildExcerpt(source.text, words, begin, (index) => matches.has(index + 1));
}

/** Positions that match, with the numbers of what is wanted that they meet. */
function matchesIn({ lexemes }: ExcerptSource, { wanted }: TextSearch): Map<number, Set<number>> {
  const found = new Map<number, Set<number>>();
  wanted.forEach((sequences, number) => {
    for (const position of sequences.flatMap((sequence) => positionsOf(sequence, lexemes))) {
      const met = found.get(position);
      if (met) met.add(number);
      else found.set(position, new Set([number]));
    }
  });
  return found;
}

function positionsOf(sequence: Sequence, lexemes: ExcerptSource['lexemes']): number[] {
  const places = sequence.map((alternatives) => placesOf(alternatives, lexemes));
  const [first, ...others] = places;
  if (!first) return [];
  const starts = [...first].filter((start) => others.every((other, offset) => other.has(start + offset + 1)));
  return starts.flatMap((start) => sequence.map((_, offset) => start + offset));
}

function placesOf(alternatives: readonly Lexeme[], lexemes: ExcerptSource['lexemes']): Set<number> {
  const places = new Set<number>();
  for (const { key, isPrefix, isWord } of alternatives) {
    for (const [lexeme, positions, weights] of lexemes) {
      if (isPrefix ? !lexeme.startsWith(key) : lexeme !== key) continue;
      positions.forEach((position, index) => {
        if (!isWord || weights[index] === 'A') places.add(position);
      });
    }
  }
  return places;
}

/** The match from which on the next words meet most. */
function bestStart(matches: ReadonlyMap<number, ReadonlySet<number>>): number | null {
  const positions = [...matches.keys()].sort((one, other) => one - other);
  let best: number | null = null;
  let most = 0;
  positions.forEach((begin, index) => {
    const met = new Set<number>();
    for (const position of positions.slice(index, index + EXCERPT_WORDS)) {
      if (position >= begin + EXCERPT_WORDS - WORDS_BEFORE_MATCH) break;
      for (const number of matches.get(position) ?? []) met.add(number);
    }
    if (met.size > most) [best, most] = [begin, met.size];
  });
  return best;
}

function buildExcerpt(
  text: string,
  words: readonly Word[],
  begin: number,
  isMatch: (index: number) => boolean,
): Excerpt {
  const end = Math.min(words.length, begin + EXCERPT_WORDS);
  const segments: { text: string; isMatch: boolean }[] = [];
  const add = (piece: string, matched: boolean) => {
    const last = segments.at(-1);
    if (piece === '') return;
    if (last?.isMatch === matched) last.text += piece;
    else segments.push({ text: piece, isMatch: matched });
  };
  // The text begins and ends with the words, unless it is shown to its own beginning or end.
  let place = begin === 0 ? 0 : (words[begin]?.start ?? 0);
  if (begin > 0) add(ELLIPSIS, false);
  for (let index = begin; index < end; index += 1) {
    const word = words[index];
    if (!word) break;
    add(clipped(text.slice(place, word.start), MAX_GAP), false);
    add(clipped(text.slice(word.start, word.end), MAX_WORD), isMatch(index));
    place = word.end;
  }
  if (end === words.length) add(clipped(text.slice(place), MAX_GAP), false);
  else add(ELLIPSIS, false);
  return { segments };
}

function clipped(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\ud800-\udbff]$/, '') + ELLIPSIS;
}
