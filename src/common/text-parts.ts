import { type Word, areHyphenated, compoundKey, wordsOf } from './words.js';

/** A part of a text, small enough that PostgreSQL can store the positions of all its words. */
export interface TextPart {
  readonly text: string;
  /** The distinct words. Hyphenated compounds are also included as one word. */
  readonly words: readonly string[];
  /** The positions of each word, in the format of `documentVector`: `1A,7A`. */
  readonly positions: readonly string[];
}

/**
 * Words per part. A tsvector stores at most 255 positions of one word (and positions up to 16,383). In a table of
 * amounts, every third word can be the currency.
 */
const PART_WORDS = 700;
/** Words that are repeated at the beginning of the next part, so that phrases across the boundary are found. */
const OVERLAP = 20;
/** Maximum number of characters of a part that is stored unchanged. Longer parts are shortened by `keptText`. */
const PART_LENGTH = 20_000;
/** Maximum length of a word, or of the text between two words, in a shortened part. */
const LONGEST_PIECE = 100;

/** A text without words has no parts. */
export function* partsOf(text: string): Generator<TextPart> {
  const kept: Word[] = [];
  let begin = 0;
  let isNew = false;
  for (const word of wordsOf(text)) {
    kept.push(word);
    isNew = true;
    if (kept.length < PART_WORDS) continue;
    yield partOf(text, begin, word.end, kept);
    kept.splice(0, PART_WORDS - OVERLAP);
    begin = kept[0]?.start ?? word.end;
    isNew = false;
  }
  if (isNew) yield partOf(text, begin, text.length, kept);
}

/** The text of consecutive parts, without the words that a part repeats from the part before. */
export function textOfParts(parts: readonly string[]): string {
  return parts.map((part, index) => (index === 0 ? part : part.slice(endOfOverlap(part)))).join('');
}

function endOfOverlap(part: string): number {
  let count = 0;
  for (const { end } of wordsOf(part)) {
    count += 1;
    if (count === OVERLAP) return end;
  }
  return 0;
}

/** The part has no length limit. */
export function singlePart(text: string): TextPart {
  return partOf(text, 0, text.length, [...wordsOf(text)]);
}

function partOf(text: string, begin: number, end: number, words: readonly Word[]): TextPart {
  const positions = new Map<string, Set<number>>();
  const add = (key: string, position: number) => {
    const known = positions.get(key);
    if (known) known.add(position);
    else positions.set(key, new Set([position]));
  };
  words.forEach(({ key }, index) => add(key, index + 1));
  for (const { key, first, count } of compoundsOf(text, words)) {
    for (let n = 0; n < count; n += 1) add(key, first + n + 1);
  }
  return {
    text: keptText(text, begin, end, words).replace(/^[ \n]+|[ \n]+$/g, ''),
    words: [...positions.keys()],
    positions: [...positions.values()].map((places) =>
      [...places]
        .sort((one, other) => one - other)
        .map((place) => `${place}A`)
        .join(','),
    ),
  };
}

/**
 * Limits the length of a part but keeps all words. Otherwise a line of dots, or one very long word, could have
 * millions of characters that are read for each excerpt.
 */
function keptText(text: string, begin: number, end: number, words: readonly Word[]): string {
  if (end - begin <= PART_LENGTH) return spaced(text.slice(begin, end));
  const pieces: string[] = [];
  let place = begin;
  for (const word of words) {
    pieces.push(clipped(text.slice(place, word.start)), clipped(text.slice(word.start, word.end)));
    place = word.end;
  }
  pieces.push(clipped(text.slice(place, end)));
  return pieces.join('');
}

function clipped(piece: string): string {
  const kept = spaced(piece);
  if (kept.length <= LONGEST_PIECE) return kept;
  const pageEnds = kept.slice(LONGEST_PIECE).replace(/[^\f]+/g, '');
  return `${kept.slice(0, LONGEST_PIECE).replace(/[\ud800-\udbff]$/, '')}…${pageEnds}`;
}

/** Keeps the ends of lines and pages. */
function spaced(text: string): string {
  return text.replace(/[^\S\n\f]+/g, ' ');
}

function* compoundsOf(
  text: string,
  words: readonly Word[],
): Generator<{ key: string; first: number; count: number }> {
  for (let first = 0, next = 1; first < words.length; first = next, next = first + 1) {
    for (let one = words[next - 1], other = words[next]; one && other && areHyphenated(text, one, other);) {
      next += 1;
      one = other;
      other = words[next];
    }
    const key = compoundKey(words.slice(first, next));
    if (key !== null) yield { key, first, count: next - first };
  }
}
