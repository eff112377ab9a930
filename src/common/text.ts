/**
 * Rules for text of clients: Unicode NFC, trimmed, no control characters, no lone surrogates. PostgreSQL rejects NUL,
 * and silently replaces lone surrogates.
 */

const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;
/** All control characters except LF and TAB. */
const CONTROL_BUT_LINES = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/**
 * Maximum number of consecutive combining marks: the maximum length of a name. No script needs more than thirty (UAX
 * #15, Stream-Safe Text Format).
 */
export const MAX_MARKS = 200;

/**
 * Whether a text has too many consecutive combining marks. NFC sorts them in quadratic time: half a megabyte of marks
 * would block the process for minutes.
 */
export function hasTooManyMarks(value: string): boolean {
  if (value.length <= MAX_MARKS) return false;
  for (const [marks] of value.matchAll(/\p{M}+/gu)) {
    if (marks.length > MAX_MARKS && codePointLength(marks) > MAX_MARKS) return true;
  }
  return false;
}

/** Converts to NFC and trims. A text with too many marks, which validation must reject, is only trimmed. */
export function normalizeText(value: string): string {
  return (hasTooManyMarks(value) ? value : value.normalize('NFC')).trim();
}

/**
 * Characters that only steer the direction of text, or that are not seen where a name is shown: U+202A–202E and the
 * like can show `gpj.exe` as `exe.jpg`. Joiners (U+200C, U+200D) stay: Persian words and emoji need them.
 */
const UNSEEN =
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\u{e0000}-\u{e0fff}]/gu;
const BLANKS = /\p{Zs}+/gu;
/** U+2800 is a Braille pattern without dots. */
const VISIBLE = /[^\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Cc}\u2800]/u;

/** Like {@link normalizeText}, for names: blanks of any kind and length become one space, and unseen characters are dropped. */
export function normalizeName(value: string): string {
  return normalizeText(value.replace(UNSEEN, '').replace(BLANKS, ' '));
}

export function hasVisibleCharacters(value: string): boolean {
  return VISIBLE.test(value);
}

export function hasControlCharacters(value: string, allowLines = false): boolean {
  return (allowLines ? CONTROL_BUT_LINES : CONTROL).test(value);
}

export function codePointLength(value: string): number {
  let length = 0;
  for (const _ of value) length += 1;
  return length;
}

/** Cherokee is the only script that folds to upper case, because Unicode first had only its upper-case letters. */
const CHEROKEE = /[\u13a0-\u13fd\uab70-\uabbf]/;

/**
 * Full case folding (Unicode 3.13, D144) after NFC: two strings are equal without regard to case exactly if their
 * folds are equal. PostgreSQL before 18 has no casefold(), so folded keys are stored. Folds each character
 * separately, because toLowerCase treats a final sigma in a word differently. Dotless i must fold to itself;
 * toUpperCase would change it.
 */
export function caseFold(value: string): string {
  let folded = '';
  for (const character of value.normalize('NFC')) {
    if (character === 'ı') folded += character;
    else if (CHEROKEE.test(character)) folded += character.toUpperCase();
    else folded += character.toLowerCase().toUpperCase().toLowerCase();
  }
  return folded.normalize('NFC');
}

/** PostgreSQL limits the size of an index entry, and a compatibility character can fold to 18 characters. */
const MAX_KEY_BYTES = 2000;

/**
 * Two names are the same exactly if their keys are equal: without regard to case, to blanks, to characters that are
 * not seen, and to compatibility forms such as full-width letters and ligatures (Unicode, NFKC_Casefold).
 *
 * @param value a name, or a part of one
 */
export function nameKey(value: string): string {
  const blanked = value
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(BLANKS, ' ');
  const key = caseFold(blanked).normalize('NFKC');
  return Buffer.byteLength(key) > MAX_KEY_BYTES ? caseFold(value) : key;
}

/**
 * Latin letters that Unicode does not decompose, in lower case, with the base letters that PostgreSQL's `unaccent` has
 * for them. Without phonetic and medieval letters.
 */
const BASE_LETTERS: Readonly<Record<string, string>> = {
  ...{ æ: 'ae', ð: 'd', ø: 'o', þ: 'th', đ: 'd', ħ: 'h', ı: 'i', ĸ: 'q', ł: 'l', ŋ: 'n', œ: 'oe', ŧ: 't' },
  ...{ ƀ: 'b', ƃ: 'b', ƈ: 'c', ƌ: 'd', ƒ: 'f', ƕ: 'hv', ƙ: 'k', ƚ: 'l', ƞ: 'n', ƣ: 'oi', ƥ: 'p', ƫ: 't' },
  ...{ ƭ: 't', ƴ: 'y', ƶ: 'z', ǥ: 'g', ȡ: 'd', ȥ: 'z', ȴ: 'l', ȵ: 'n', ȶ: 't', ȷ: 'j', ȸ: 'db', ȹ: 'qp' },
  ...{ ȼ: 'c', ȿ: 's', ɀ: 'z', ɇ: 'e', ɉ: 'j', ɍ: 'r', ɏ: 'y', ɓ: 'b', ɖ: 'd', ɗ: 'd', ɛ: 'e', ɠ: 'g' },
  ...{ ɨ: 'i', ɩ: 'i', ɲ: 'n', ʈ: 't', ʉ: 'u', ʋ: 'v', ⱥ: 'a', ⱦ: 't' },
};
/** The letters of {@link BASE_LETTERS} as a bracket expression of JavaScript and PostgreSQL. */
export const LETTERS_WITH_BASE = `[${Object.keys(BASE_LETTERS).join('')}]`;
const WITH_BASE = new RegExp(LETTERS_WITH_BASE, 'g');

/** Folds text for search: removes case and marks, and converts letters such as ß to ss, ł to l and æ to ae. */
export function searchFold(value: string): string {
  return caseFold(value.normalize('NFKD').replace(/\p{M}+/gu, ''))
    .normalize('NFC')
    .replace(WITH_BASE, (letter) => BASE_LETTERS[letter] ?? letter);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Accepts only the hyphenated form, in upper or lower case. PostgreSQL would accept more forms. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}
