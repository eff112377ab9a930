/**
 * Rules for text from outside: Unicode NFC, trimmed, no control characters, no lone surrogates
 * (PostgreSQL refuses NUL and silently replaces lone surrogates, so both are caught before it).
 */

const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;
/** LF and TAB pass. */
const CONTROL_BUT_LINES = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/** As many as the longest name has characters; no script needs thirty (UAX #15, Stream-Safe Text Format). */
export const MAX_MARKS = 200;

/**
 * Whether more combining marks follow each other than anybody can mean. NFC puts them in order, which takes the square
 * of their number: half a megabyte of them would keep the process busy for minutes.
 */
export function hasTooManyMarks(value: string): boolean {
  if (value.length <= MAX_MARKS) return false;
  for (const [marks] of value.matchAll(/\p{M}+/gu)) {
    if (marks.length > MAX_MARKS && codePointLength(marks) > MAX_MARKS) return true;
  }
  return false;
}

/** In NFC and trimmed; with endless marks, which whoever checks the text has to refuse, only trimmed. */
export function normalizeText(value: string): string {
  return (hasTooManyMarks(value) ? value : value.normalize('NFC')).trim();
}

export function hasControlCharacters(value: string, allowLines = false): boolean {
  return (allowLines ? CONTROL_BUT_LINES : CONTROL).test(value);
}

export function isWellFormed(value: string): boolean {
  return value.isWellFormed();
}

/** Length as people count: in Unicode code points, not UTF-16 units. */
export function codePointLength(value: string): number {
  let length = 0;
  for (const _ of value) length += 1;
  return length;
}

/** Cherokee, the one script whose small letters fold to capitals, because the capitals were in Unicode first. */
const CHEROKEE = /[\u13a0-\u13fd\uab70-\uabbf]/;

/**
 * Full case folding (Unicode 3.13, D144) after NFC: two strings are equal "case-insensitively" exactly when
 * their folds are equal. PostgreSQL before 18 has no casefold(), so keys are folded here and stored.
 * Character by character, because lower-casing a whole word treats a final sigma differently; dotless i
 * folds to itself, which the detour over upper case would lose.
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

/** For searching: without case and marks, ß as ss. */
export function searchFold(value: string): string {
  return caseFold(value.normalize('NFKD').replace(/\p{M}+/gu, '')).normalize('NFC');
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The hyphenated form only, upper case accepted; PostgreSQL itself would take several more. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}
