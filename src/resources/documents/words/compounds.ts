import { codePointLength } from '../../../common/text.js';

/** Shorter words are parts of too many others: `Rat` of `Vertrag`. */
const MIN_PART = 5;
/** The rest of a compound before or after the part. */
const MIN_REST = 3;

/** Endings of inflected German and English words, in key form, and how many letters must be left without it. */
const ENDINGS = [
  ['en', MIN_PART],
  ['es', MIN_PART],
  ['e', MIN_PART + 1],
  ['n', MIN_PART],
  ['s', MIN_PART],
] as const;

/** Beginnings that change the meaning of a word: `Verordnung` is no kind of `Ordnung`. */
const PREFIXES = new Set([
  ...['auf', 'aus', 'bei', 'dar', 'ein', 'emp', 'ent', 'hin', 'her', 'los', 'miss', 'mit', 'nach', 'uber'],
  ...['unter', 'ver', 'vor', 'weg', 'wider', 'wieder', 'zer', 'durch', 'hinter', 'zuruck', 'zusammen'],
  ...['heraus', 'voraus'],
  ...['unge', 'ange', 'abge', 'aufge', 'ausge', 'einge', 'vorge', 'zuge', 'umge', 'beige', 'hinge', 'darge'],
  ...['dis', 'pre', 'pro', 'con', 'com', 'sub', 'non', 'over', 'under', 'mis'],
]);

/** Ends of words that are other forms of a part, not compounds with it: `vertraglich`. */
const SUFFIXES =
  /^(?:e?[mnrst]{0,2}|ung|lich|isch|ing|keit|heit|los|bar|haft|sam|inn?|ment|tion|ation|able)(?:e[mnrst]?|s)?$/;

/**
 * The text that compounds of the word contain: without its ending. Null if the word is too short. Not the stem of
 * PostgreSQL: that of `Genehmigung` is in `angenehm`.
 */
export function partOf(word: string): string | null {
  if (!/^\p{L}+$/u.test(word) || codePointLength(word) < MIN_PART) return null;
  const ending = ENDINGS.find(([one, left]) => word.endsWith(one) && word.length - one.length >= left);
  return ending ? word.slice(0, -ending[0].length) : word;
}

/** Whether the word consists of the part and other words. */
export function isCompoundOf(word: string, part: string): boolean {
  for (let at = word.indexOf(part); at !== -1; at = word.indexOf(part, at + 1)) {
    const [before, after] = [word.slice(0, at), word.slice(at + part.length)];
    if (before === '') {
      if (after.length >= MIN_REST && !SUFFIXES.test(after)) return true;
    } else if (before.length >= MIN_REST && !PREFIXES.has(before)) return true;
  }
  return false;
}
