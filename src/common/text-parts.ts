import { type Word, areHyphenated, compoundKey, wordsOf } from './words.js';

/** A piece of a text, small enough for all positions of its words to be kept. */
export interface TextPart {
  readonly text: string;
  /** The different words, compounds with a hyphen also written as one. */
  readonly words: readonly string[];
  /** Where each of them stands, as `documentVector` takes it: `1A,7A`. */
  readonly positions: readonly string[];
}

/**
 * PostgreSQL keeps 255 positions of a word in one vector (and 16,383 in all): in a table of amounts every third word
 * can be the currency.
 */
const PART_WORDS = 700;
/** Repeated at the beginning of the next part, so that phrases are found over the border. */
const OVERLAP = 20;
/** A part that is no longer is kept as it is. */
const PART_LENGTH = 20_000;
/** Of a word, and of what stands between two, no excerpt shows more. */
const LONGEST_PIECE = 100;

/** Cuts a text into parts; a text without words has none. */
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

/** One part, however long the text. */
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
    text: keptText(text, begin, end, words).trim(),
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
 * The same words at the same places, in a bounded length: a line of dots or a word without an end could else be
 * millions of characters, and would be read for each excerpt.
 */
function keptText(text: string, begin: number, end: number, words: readonly Word[]): string {
  if (end - begin <= PART_LENGTH) return text.slice(begin, end).replace(/\s+/g, ' ');
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
  const spaced = piece.replace(/\s+/g, ' ');
  if (spaced.length <= LONGEST_PIECE) return spaced;
  return `${spaced.slice(0, LONGEST_PIECE).replace(/[\ud800-\udbff]$/, '')}…`;
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
