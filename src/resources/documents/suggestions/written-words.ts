import { searchFold } from '../../../common/text.js';
import { wordsOf } from '../../../common/words.js';

/** Letters that can stand for an umlaut: `ueber` for `über`. */
const LETTERS_FOR_UMLAUT = /[aou]e/;
/** Maximum number of places where an umlaut is tried: each doubles the number of beginnings. */
const MAX_PLACES = 2;

/** The beginning of a key, and those that it has if some `ae`, `oe`, `ue` stand for umlauts: `uberf` for `ueberf`. */
export function beginningsOf(typed: string): string[] {
  const places = [...typed.matchAll(new RegExp(LETTERS_FOR_UMLAUT, 'g'))].map(({ index }) => index + 1);
  // From the last place on, so that the others stay where they are.
  return places
    .slice(0, MAX_PLACES)
    .reverse()
    .reduce((all, e) => [...all, ...all.map((one) => one.slice(0, e) + one.slice(e + 1))], [typed]);
}

/** Whether the written word, with umlauts as `ae`, `oe` and `ue`, begins with what was typed in key form. */
export function beginsWith(written: string, typed: string): boolean {
  if (!LETTERS_FOR_UMLAUT.test(typed)) return false;
  const composed = written.normalize('NFC');
  return /[äöü]/i.test(composed) && searchFold(composed.replace(/[äöü]/gi, '$&e')).startsWith(typed);
}

/** The first word of a text with this key, as it is written; undefined if it is only part of a hyphenated word. */
export function writtenForm(text: string, key: string): string | undefined {
  for (const word of wordsOf(text))
    if (word.key === key) return text.slice(word.start, word.end).replaceAll('\u00ad', '');
  return undefined;
}
