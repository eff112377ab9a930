import { type Word, wordsOf } from '../../../common/words.js';
import { type Lexeme, type Sequence, type TextSearch } from './text-search.js';

interface Excerpt {
  readonly segments: readonly { readonly text: string; readonly isMatch: boolean }[];
}

/** The part of a document that an excerpt is taken from. */
export interface ExcerptSource {
  readonly text: string;
  /** The searched lexemes of its vector: lexeme, positions from 1, weight of each position. */
  readonly lexemes: readonly (readonly [string, readonly number[], readonly string[]])[];
}

const EXCERPT_WORDS = 30;
const WORDS_BEFORE_MATCH = 6;
/** Maximum lengths in characters of a word and of the text between two words; longer ones are cut. */
const MAX_WORD = 100;
const MAX_GAP = 40;
const ELLIPSIS = '…';

/**
 * Returns the section of the text that contains the most search words, in segments. Matches are identified by
 * their position in the vector, so exactly the words that made the document match are marked. Null if nothing
 * matches.
 */
export function excerptOf(source: ExcerptSource, search: TextSearch): Excerpt | null {
  const matches = matchesIn(source, search);
  const first = bestStart(matches);
  if (first === null) return null;
  const words = [...wordsOf(source.text)];
  const begin = Math.max(0, Math.min(first - 1 - WORDS_BEFORE_MATCH, words.length - EXCERPT_WORDS));
  return buildExcerpt(source.text, words, begin, (index) => matches.has(index + 1));
}

/** Returns the matching positions, with the indexes of the search items that match there. */
function matchesIn({ lexemes }: ExcerptSource, { wanted }: TextSearch): Map<number, Set<number>> {
  const found = new Map<number, Set<number>>();
  wanted.forEach(({ sequences }, number) => {
    for (const position of sequences.flatMap((sequence) => positionsOf(sequence, lexemes))) {
      const met = found.get(position);
      if (met) met.add(number);
      else found.set(position, new Set([number]));
    }
  });
  return found;
}

function positionsOf(sequence: Sequence, lexemes: ExcerptSource['lexemes']): number[] {
  const places = sequence.map((alternatives) => lexemePositions(alternatives, lexemes));
  const [first, ...others] = places;
  if (!first) return [];
  const starts = [...first].filter((start) => others.every((other, offset) => other.has(start + offset + 1)));
  return starts.flatMap((start) => sequence.map((_, offset) => start + offset));
}

function lexemePositions(alternatives: readonly Lexeme[], lexemes: ExcerptSource['lexemes']): Set<number> {
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

/** Returns the match after which the most search items match. */
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
  const add = (raw: string, matched: boolean) => {
    const piece = raw.replace(/\s+/g, ' ');
    const last = segments.at(-1);
    if (piece === '') return;
    if (last?.isMatch === matched) last.text += piece;
    else segments.push({ text: piece, isMatch: matched });
  };
  // Include text before the first word or after the last word only at the beginning or end of the whole text.
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
