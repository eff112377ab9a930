import { codePointLength, searchFold } from '../common/text.js';
import { type Bind } from '../tenancy/visibility.js';

/** Between number and name, so that nothing is found across them; no search text can contain it. */
const BORDER = '\n';

/** Trigrams need three characters; shorter searches look at beginnings only. */
const SHORT = 2;

/**
 * What a file is found by, kept beside it: the folded number and name, for substrings; and the one and two character
 * beginnings of the number and of each word of the name, for searches too short for a trigram.
 */
export function fileSearchKeys(number: string, name: string): { searchText: string; searchStarts: string[] } {
  const foldedNumber = searchFold(number);
  const foldedName = searchFold(name);
  const words = foldedName.split(/\s+/).flatMap((word) => [word, ...word.split(/[^\p{L}\p{N}]+/u)]);
  const starts = new Set<string>();
  for (const word of [foldedNumber, ...words]) {
    const characters = [...word];
    for (let length = 1; length <= SHORT && length <= characters.length; length += 1) {
      starts.add(characters.slice(0, length).join(''));
    }
  }
  return { searchText: `${foldedNumber}${BORDER}${foldedName}`, searchStarts: [...starts] };
}

/** The condition that `q` stands for; null when it filters nothing. */
export function fileSearchCondition(q: string | undefined, alias: string, bind: Bind): string | null {
  const folded = searchFold(q ?? '');
  if (folded === '') return null;
  const like = folded.replace(/[\\%_]/g, '\\$&');
  if (codePointLength(q ?? '') > SHORT) return `${alias}.search_text LIKE ${bind(`%${like}%`)}`;
  if (codePointLength(folded) <= SHORT) return `${alias}.search_starts @> ARRAY[${bind(folded)}]`;
  // Few characters that fold to more (ß, ligatures): still only the beginning of the number or of a word.
  const beginning = folded.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return `(${alias}.search_text LIKE ${bind(`%${like}%`)} AND ${alias}.search_text ~ ${bind(`(^|\\n|[^[:alnum:]])${beginning}`)})`;
}
