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

export function hasControlCharacters(value: string, allowLines = false): boolean {
  return (allowLines ? CONTROL_BUT_LINES : CONTROL).test(value);
}

export function isWellFormed(value: string): boolean {
  return value.isWellFormed();
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

/** Folds text for search: removes case and marks, and converts ß to ss. */
export function searchFold(value: string): string {
  return caseFold(value.normalize('NFKD').replace(/\p{M}+/gu, '')).normalize('NFC');
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Accepts only the hyphenated form, in upper or lower case. PostgreSQL would accept more forms. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}
