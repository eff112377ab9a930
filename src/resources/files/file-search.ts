import { codePointLength, searchFold } from '../../common/text.js';
import { type Bind, patternContaining } from '../../platform/database/sql-parameters.js';

/** Separates number and name, so that no search matches across both; no search text can contain it. */
const SEPARATOR = '\n';

/** Searches up to this length match only prefixes, because trigrams need three characters. */
const SHORT_QUERY_LENGTH = 2;

/** Each sequence of six digits, also overlapping ones. Longer numbers are found by their last one. */
const SIX_DIGITS = /(?=(\d{6}))/g;

/** Start of a word: any character after a space, or a letter or digit after any other character. */
const WORD_START = /(?<=^|\s)\S|(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu;

/**
 * Returns the search columns of a file. `searchText`: the folded number and name, for substring searches.
 * `searchStarts`: the prefixes of one and two characters of the number and of each word of the name, for
 * searches that are too short for a trigram; and all sequences of six digits, because many files have the same trigrams
 * of digits (docs/adr/0007).
 */
export function fileSearchKeys(number: string, name: string): { searchText: string; searchStarts: string[] } {
  const foldedNumber = searchFold(number);
  const foldedName = searchFold(name);
  const starts = new Set(prefixesOf(foldedNumber.trim()));
  for (const { index } of foldedName.matchAll(WORD_START)) {
    for (const beginning of prefixesOf(foldedName.slice(index, index + 2 * SHORT_QUERY_LENGTH)))
      starts.add(beginning);
  }
  const searchText = `${foldedNumber}${SEPARATOR}${foldedName}`;
  return { searchText, searchStarts: [...starts, ...new Set(sixDigitsOf(searchText))] };
}

function sixDigitsOf(text: string): string[] {
  return Array.from(text.matchAll(SIX_DIGITS), ([, digits = '']) => digits);
}

function prefixesOf(text: string): string[] {
  const [first = '', second = ''] = text;
  return [first, first + second].filter((beginning) => beginning === beginning.trim() && beginning !== '');
}

/** Returns the SQL condition for `q`; null if it filters nothing. */
export function fileSearchCondition(q: string | undefined, alias: string, bind: Bind): string | null {
  // Trim again: some characters fold to a space with a mark, and so to a space.
  const folded = searchFold(q ?? '').trim();
  if (folded === '') return null;
  if (codePointLength(q ?? '') > SHORT_QUERY_LENGTH) {
    const pattern = bind(patternContaining(folded));
    const digits = sixDigitsOf(folded).at(-1);
    if (digits === undefined) return `${alias}.search_text LIKE ${pattern}`;
    // The other collation keeps PostgreSQL from using the trigram index, too (docs/adr/0007).
    return `(${alias}.search_starts @> ARRAY[${bind(digits)}] AND ${alias}.search_text COLLATE "C" LIKE ${pattern})`;
  }
  const start = `${alias}.search_starts @> ARRAY[${bind([...folded].slice(0, SHORT_QUERY_LENGTH).join(''))}]`;
  if (codePointLength(folded) <= SHORT_QUERY_LENGTH) return start;
  // A few characters fold to longer texts (ß, ligatures): compare the whole prefix, too.
  return `(${start} AND ${alias}.search_text COLLATE "und-x-icu" ~ ${bind(prefixPattern(folded))})`;
}

/** Returns a PostgreSQL regular expression for a prefix of the number or of a word of the name. */
function prefixPattern(folded: string): string {
  const beginning = folded.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const before = /^[\p{L}\p{N}]/u.test(folded) ? '[^[:alnum:]]' : '[[:space:]]';
  return `^(.*\\n(.*${before})?)?${beginning}`;
}
