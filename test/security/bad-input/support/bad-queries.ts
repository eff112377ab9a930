import { randomUUID } from 'node:crypto';
import { ECHO_MARKER } from './bad-input-runner.js';
import {
  BAD_BOOLEANS,
  BAD_DATE_TIMES,
  BAD_LIMITS,
  BLANK_TEXTS,
  badTexts,
  badUuids,
  badWords,
  tooLongTexts,
  words,
} from './bad-values.js';
import { type DescribedParameter } from './described-operations.js';

/** Percent-encoded bytes that are not UTF-8, including unpaired surrogates. */
export const INVALID_UTF8 = words('%FF a%C3 %C0%80 %C0%AF %ED%A0%80 %ED%B8%80 %F4%90%80%80 %80 %E2%82');

export const UNKNOWN_PARAMETERS = words(`
  unknown=1 limit[]=0 limit%5B%5D=0 limit[0]=0 limit[$gt]=0 LIMIT=0 Limit=x %20limit=0
  __proto__=1 __proto__[polluted]=yes constructor[prototype][polluted]=yes toString=1 then=1
  %00=1 %FF=%FF = == &&& % %ZZ=%ZZ ? ?limit=0 a=1&a=2&a=3 ;limit=0 sortBy=name
  ${'x=1&'.repeat(1500)}x=2 ${'x'.repeat(7000)}=1 page=-1 offset=1e9 fields=* _method=DELETE
`);

/** Percent-encoded. */
export function badValues({ name, shape }: DescribedParameter): string[] {
  const { enum: options, format, types, bounds } = shape;
  const {
    maxLength,
    minimum = 0,
    maximum = Number.MAX_SAFE_INTEGER,
  } = bounds as { maxLength?: number; minimum?: number; maximum?: number };
  const encoded = (values: readonly (readonly [string, string])[]) =>
    values.map(([, value]) => encode(value));
  // The plus sign of an offset is decoded as a space in a query.
  if (format === 'date-time') return [...encoded(BAD_DATE_TIMES), '2026-11-20T08:15:30+01:00'];
  if (format === 'uuid') return encoded(badUuids(randomUUID()));
  if (options) return encoded(badWords(options));
  if (types.includes('integer')) {
    const isInRange = (value: string) =>
      /^\d+$/.test(value) && Number(value) >= minimum && Number(value) <= maximum;
    return encoded(BAD_LIMITS).filter((value) => !isInRange(value));
  }
  if (types.includes('boolean')) return encoded(BAD_BOOLEANS);
  if (name === 'cursor') return forgedCursors(randomUUID().replaceAll('-', ''));
  if (name === 'tagIds')
    return [...encoded(badUuids(randomUUID())).filter((v) => !v.includes('%2C')), ...badLists()];
  // Keep the URL below the limit of 16 KiB.
  const texts = encoded(badTexts(false)).map((value) => value.slice(0, 3000));
  return [
    ...texts,
    ...(name === 'q' ? [] : encoded(BLANK_TEXTS.slice(0, 1))),
    ...(maxLength === undefined ? [] : encoded(tooLongTexts(maxLength))),
  ];
}

function badLists(): string[] {
  const [one, other] = [randomUUID(), randomUUID()];
  return words(`
    ${one},${one} ${one},${one.toUpperCase()} ${one}, ,${one} ${one},,${other} , ,,
    ${one};${other} ${one}+${other} ${one},+${other} [${one}] ["${one}"] ${one},${ECHO_MARKER} ${one}%00
    ${Array.from({ length: 21 }, () => randomUUID()).join(',')}
  `);
}

/** Changed copies of the given cursor, and other text. */
export function forgedCursors(cursor: string): string[] {
  const flipped = [0, 1, 5, 10, 15, 20, 21, 22, 25, cursor.length - 2, cursor.length - 1]
    .filter((index) => index < cursor.length)
    .map(
      (index) => `${cursor.slice(0, index)}${cursor[index] === 'A' ? 'B' : 'A'}${cursor.slice(index + 1)}`,
    );
  const cut = [1, 2, 4, 10, 20, 21, 22, 23, cursor.length - 1, cursor.length - 4].map((length) =>
    cursor.slice(0, length),
  );
  const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return [
    ...flipped.filter((value) => value !== cursor),
    ...cut.filter((value) => value !== cursor && value !== ''),
    '',
    ...words(`
      ${cursor}A ${cursor}AAAA A${cursor} ${cursor}%3D ${cursor}%3D%3D ${cursor}= ${cursor}%20
      %20${cursor} ${cursor}%00 ${cursor}%0A "${cursor}" ${cursor}. ${cursor}${cursor} ${cursor},
      ${cursor.slice(22)} ${[...cursor].reverse().join('')} ${cursor.slice(0, 10)}-${cursor.slice(10)}
      x null undefined 0 1 -1 [] {} __proto__ ${'A'.repeat(64)} ${'A'.repeat(5000)} ${ECHO_MARKER}
      ${json([])} ${json(null)} ${json(['2999-01-01', randomUUID()])} ${json({ id: 1 })}
      eyJhbGciOiJub25lIn0.e30. %F0%9F%98%80
    `),
  ];
}

/** Percent-encodes text, with unpaired surrogates as three bytes each. */
function encode(text: string): string {
  return [...text]
    .map((character) => {
      if (character.isWellFormed()) return encodeURIComponent(character);
      const unit = character.charCodeAt(0);
      const bytes = [0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)];
      return bytes.map((byte) => `%${byte.toString(16)}`).join('');
    })
    .join('');
}
