import { codePointLength, searchFold } from '../../common/text.js';
import { type Bind } from '../../platform/database/sql-parameters.js';

/** Between number and name, so that nothing is found across them; no search text can contain it. */
const SEPARATOR = '\n';

/** Trigrams need three characters; shorter searches look at beginnings only. */
const SHORT_QUERY_LENGTH = 2;

/** Where a word begins: after space with whatever comes, or with a letter or digit after anything else. */
const WORD_START = /(?<=^|\s)\S|(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu;

/**
 * What a file is found by, kept beside it: the folded number and name, for substrings; and the one and two character
 * beginnings of the number and of each word of the name, for searches too short for a trigram.
 */
export function fileSearchKeys(number: string, name: string): { searchText: string; searchStarts: string[] } {
  const foldedNumber = searchFold(number);
  const foldedName = searchFold(name);
  const starts = new Set(prefixesOf(foldedNumber.trim()));
  for (const { index } of foldedName.matchAll(WORD_START)) {
    for (const beginning of prefixesOf(foldedName.slice(index, index + 2 * SHORT_QUERY_LENGTH)))
      starts.add(beginning);
  }
  return { searchText: `${foldedNumber}${SEPARATOR}${foldedName}`, searchStarts: [...starts] };
}

function prefixesOf(text: string): string[] {
  const [first = '', second = ''] = text;
  return [first, first + second].filter((beginning) => beginning === beginning.trim() && beginning !== '');
}

/** The condition that `q` stands for; null when it filters nothing. */
export function fileSearchCondition(q: string | undefined, alias: string, bind: Bind): string | null {
  // Trimmed again: some signs are folded to a space with a mark, and so to a space.
  const folded = searchFold(q ?? '').trim();
  if (folded === '') return null;
  if (codePointLength(q ?? '') > SHORT_QUERY_LENGTH) {
    return `${alias}.search_text LIKE ${bind(`%${folded.replace(/[\\%_]/g, '\\$&')}%`)}`;
  }
  const start = `${alias}.search_starts @> ARRAY[${bind([...folded].slice(0, SHORT_QUERY_LENGTH).join(''))}]`;
  if (codePointLength(folded) <= SHORT_QUERY_LENGTH) return start;
  // Few characters that fold to more (ß, ligatures): what begins alike is looked at in full.
  return `(${start} AND ${alias}.search_text COLLATE "und-x-icu" ~ ${bind(prefixPattern(folded))})`;
}

/** A regular expression of PostgreSQL for the beginning of the number or of a word of the name. */
function prefixPattern(folded: string): string {
  const beginning = folded.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const before = /^[\p{L}\p{N}]/u.test(folded) ? '[^[:alnum:]]' : '[[:space:]]';
  return `^(.*\\n(.*${before})?)?${beginning}`;
}
