import { randomUUID } from 'node:crypto';
import { ECHO_MARKER } from './bad-input-runner.js';

/** Invalid values, each with a name. */
export type NamedValues = readonly (readonly [name: string, value: string])[];

/** The words of a text. */
export function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** Values with their JSON as names. */
function named(values: readonly string[]): NamedValues {
  return values.map((value) => [JSON.stringify(value.slice(0, 40)), value] as const);
}

export function badUuids(good: string): NamedValues {
  return [
    ['empty', ''],
    ['a word', ECHO_MARKER],
    ['without hyphens', good.replaceAll('-', '')],
    ['in braces', `{${good}}`],
    ['a URN', `urn:uuid:${good}`],
    ['too short', good.slice(1)],
    ['too long', `${good}0`],
    ['a blank in front', ` ${good}`],
    ['a blank behind', `${good} `],
    ['a line feed behind', `${good}\n`],
    ['NUL behind', `${good}\u0000`],
    ['no hexadecimal digit', good.replace(/^./, 'g')],
    ['a digit of another script', `\uff11${good.slice(1)}`],
    ['a soft hyphen', `${good.slice(0, 4)}\u00ad${good.slice(4)}`],
    ['two of them', `${good},${randomUUID()}`],
    ['SQL', `' OR 1=1 --`],
    ['more SQL', `${good}'; DROP TABLE files; --`],
    ['null as a word', 'null'],
    ['a number', '1'],
    ['other places of the hyphens', `${good.slice(0, 7)}-${good.slice(7).replace('-', '')}`],
  ];
}

/** Invalid date-times. PostgreSQL or JavaScript would accept some, but they are not ISO 8601 with an offset. */
export const BAD_DATE_TIMES = named([
  ...words(`
    infinity -infinity now today tomorrow epoch allballs ${ECHO_MARKER}
    2026-02-30T00:00:00Z 2027-02-29T12:00:00Z 2100-02-29T12:00:00Z 2026-11-31T00:00:00Z
    2026-13-01T00:00:00Z 2026-00-10T00:00:00Z 2026-01-00T00:00:00Z 2026-01-32T00:00:00Z
    2026-11-20 2026-11-20T08:15:30 2026-11-20T08Z T08:15:30Z 08:15:30Z
    2026-11-20T24:00:00Z 2026-11-20T25:00:00Z 2026-11-20T08:60:00Z 2026-11-20T08:15:60Z
    2026-11-20T08:15:30+24:00 2026-11-20T08:15:30+01:60 2026-11-20T08:15:30+1 2026-11-20T08:15:30z0
    10000-01-01T00:00:00Z +010000-01-01T00:00:00Z 0000-01-01T00:00:00Z -0001-01-01T00:00:00Z
    9999-12-31T23:59:59-01:00 0001-01-01T00:00:00+01:00 294276-12-31T23:59:59Z 26-11-20T08:15:30Z
    1732176930 1732176930000 1.7e12 0x10 NaN null true [] {}
    2026-W47-5T00:00:00Z 2026-324T00:00:00Z 20261120T081530Z 2026-11-20T08:15:30.Z
    2026-11-20T08:15:30.1234567890Z 2026-11-20T08:15:30[Europe/Berlin] 2026-11-20T08:15:30Z/P1D
    \uff12026-11-20T08:15:30Z 2026\u201311\u201320T08:15:30Z 2026-11-20T08:15:30Z' 2026-11-20T08:15:30Z--
  `),
  ...['', ' ', '2026-11-20 08:15:30Z', 'Fri, 20 Nov 2026 08:15:30 GMT', '2026-11-20T08:15:30Z\n'],
  ...[
    '2026-11-20T08:15:30Z ',
    ' 2026-11-20T08:15:30Z',
    '2026-11-20T08:15:30 Z',
    '2026-11-20T08:15:30Z\u0000',
  ],
  '2026-11-20T08:15:30 Europe/Berlin',
]);

/** Invalid values for an integer from 1 to 200 in a query. */
export const BAD_LIMITS = named([
  ...words(`
    0 201 -1 +5 0x10 0b1 0o7 1e1 1E1 1.0 1. .5 1,5 1_0 5n 10L ${ECHO_MARKER} ten NaN Infinity
    -Infinity null undefined true [] {} [10] "10" ٥ １０ ⅕ Ⅹ -0 --1 1-1
    99999999999 2147483648 4294967297 18446744073709551617 ${'1'.repeat(400)} ${'0'.repeat(400)}
    10; 10' 10-- 10/* % %31 1\u200b0
  `),
  ...[
    '',
    ' ',
    ' 10',
    '10 ',
    '1 0',
    '10\n',
    '\t10',
    '10\u0000',
    '\u000010',
    '1 OR 1=1',
    '\ufeff10',
    '10\u00a0',
  ],
]);

export const BAD_BOOLEANS = named([
  ...words(`
    1 0 yes no on off TRUE True FALSE t f "true" truefalse true,false null undefined [] [true] {} -1
    ${ECHO_MARKER}
  `),
  ...['', ' true', 'true ', 'true\n', 'true\u0000'],
]);

/** Invalid values for an enumeration. */
export function badWords(all: readonly unknown[]): NamedValues {
  const first = String(all[0]);
  return named(
    [
      ...words(`
        ${ECHO_MARKER} ${first},${first} null 0 __proto__ constructor toString hasOwnProperty ${first}' * %
        ${first.toUpperCase()} ${first.toLowerCase()} ${first.split('').reverse().join('')}
      `),
      ...['', ' ', ` ${first}`, `${first} `, `${first}\n`, `${first}\u0000`],
    ].filter((value) => !all.includes(value)),
  );
}

/**
 * Texts that no operation accepts.
 *
 * @param lines whether the text may have several lines
 */
export function badTexts(lines: boolean): NamedValues {
  return [
    ['NUL', `${ECHO_MARKER}\u0000`],
    ['NUL alone', '\u0000'],
    ['a control character', 'a\u0001b'],
    ['an escape sequence', '\u001b[31mred'],
    ['DEL', 'a\u007fb'],
    ['a control character of C1', 'a\u0085b'],
    ['a carriage return', 'a\r\nb'],
    ['a vertical tab', 'a\u000bb'],
    ['the first half of a surrogate pair', 'a\ud83d'],
    ['the second half of a surrogate pair', '\ude00a'],
    ['a surrogate pair the wrong way round', 'a\ude00\ud83db'],
    ['half a pair between pairs', '😀\ud83d😀'],
    ['too many combining marks', `a${'\u0301\u0323'.repeat(800)}`],
    ...(lines
      ? []
      : ([
          ['a line feed', 'a\nb'],
          ['a tab', 'a\tb'],
        ] as const)),
  ];
}

/** Texts with more than `max` code points, also after normalization to NFC. */
export function tooLongTexts(max: number): NamedValues {
  return [
    ['one too long', 'x'.repeat(max + 1)],
    ['one too long, of surrogate pairs', '😀'.repeat(max + 1)],
    ['far too long', `${ECHO_MARKER} `.repeat(max + 1)],
  ];
}

export const BLANK_TEXTS: NamedValues = [
  ['empty', ''],
  ['a blank', ' '],
  ['nothing but blanks of all kinds', ' \t\n\u00a0\u2003\u3000\ufeff'],
];

/** Texts that match few patterns. The caller leaves out those that match after trimming. */
export const UNUSUAL_TEXTS: NamedValues = [
  ['empty', ''],
  ['a blank', ' '],
  ['a digit first', '1a'],
  ['a hyphen first', '-a'],
  ['an underscore first', '_a'],
  ['a capital first', 'Aa'],
  ['a blank inside', 'a b'],
  ['a point', 'a.b'],
  ['a slash', 'a/b'],
  ['an umlaut', 'aä'],
  ['a letter of another script', 'а'],
  ['NUL', 'a\u0000'],
  ['a line feed', 'a\nb'],
  ['half a surrogate pair', 'a\ud83d'],
  ['too long', 'a'.repeat(64)],
  ['far too long', ECHO_MARKER.repeat(1000)],
  ['a quote', `a'`],
  ['a path', '../../etc/passwd'],
  ['markup', '<script>'],
  ['a JSON path', 'a[0]'],
];
