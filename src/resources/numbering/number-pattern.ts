import { type Message, message } from '../../common/messages/message.js';
import { nameError } from '../../common/text-error.js';
import { nameKey, codePointLength } from '../../common/text.js';

/** Maximum length of a file number in code points. */
const MAX_NUMBER = 64;
/** Maximum length of a pattern in code points: 31 times `{yy}` and one `{seq}` give 63. */
export const MAX_PATTERN = 130;

const PLACEHOLDER = /\{([^{}]*)\}/g;
export const SEQUENCE = /\{seq(?::([1-9]))?\}/;

/** Digits of a date, by placeholder. `month` is `YYYYMM`. */
const DATE_PARTS: Readonly<Record<string, (month: string) => string>> = {
  yyyy: (month) => month.slice(0, 4),
  yy: (month) => month.slice(2, 4),
  mm: (month) => month.slice(4, 6),
};

/** The numbers that a pattern gives in a month: `prefix`, at least `width` digits, `suffix`. */
export interface NumberSeries {
  readonly prefix: string;
  readonly suffix: string;
  readonly width: number;
  /** Case-folded, without the width: series that differ only in these share a counter. */
  readonly key: string;
}

/** The error of a pattern such as `BAU-{yyyy}-{seq:4}`; null if it is valid. */
export function patternError(value: unknown): Message | null {
  const error = nameError(value, MAX_PATTERN);
  if (error) return error;
  const pattern = value as string;
  const names = [...pattern.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
  const dates = names.filter((name) => Object.hasOwn(DATE_PARTS, name));
  const isKnown = names.length === dates.length + 1 && SEQUENCE.test(pattern);
  if (!isKnown || /[{}]/.test(pattern.replace(PLACEHOLDER, ''))) return message('numbering.pattern');
  const shortest = numberOf(seriesOf(pattern, '000000'), 1);
  return codePointLength(shortest) > MAX_NUMBER ? message('value.max-length', { max: MAX_NUMBER }) : null;
}

/** @param month `YYYYMM` */
export function seriesOf(pattern: string, month: string): NumberSeries {
  const dated = pattern.replace(PLACEHOLDER, (placeholder, name: string) =>
    Object.hasOwn(DATE_PARTS, name) ? (DATE_PARTS[name]?.(month) ?? '') : placeholder,
  );
  const [prefix = '', suffix = ''] = dated.split(SEQUENCE).filter((_, index) => index !== 1);
  const width = Number(SEQUENCE.exec(dated)?.[1] ?? 1);
  return { prefix, suffix, width, key: `${nameKey(prefix)}{seq}${nameKey(suffix)}` };
}

export function numberOf({ prefix, suffix, width }: NumberSeries, sequence: number): string {
  return `${prefix}${String(sequence).padStart(width, '0')}${suffix}`;
}

/** Whether the number is short enough for a file. */
export function fits(number: string): boolean {
  return codePointLength(number) <= MAX_NUMBER;
}
