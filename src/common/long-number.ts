import { trimZeros } from './decimal.js';

/**
 * Stands in parsed JSON for a number that JavaScript cannot hold as it was written: with more than 15 significant
 * digits, or too large or too small for a double. Whoever expects a number sees that it is none, instead of
 * silently getting another one.
 */
export class LongNumber {
  constructor(readonly source: string) {}
}

const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE][+-]?\d+)?$/;

/** Digits that any double gives back as they were (DBL_DIG of C), unless it is so small that it holds fewer. */
const EXACT_DIGITS = 15;
const SMALLEST = 1e-300;

/** Whether a JSON number, well-formed by its grammar, comes through JavaScript as it was written. */
export function isExact(token: string): boolean {
  const [, whole = '', fraction = ''] = NUMBER.exec(token) ?? [];
  const significant = trimZeros(`${whole}${fraction}`.replace(/^0+/, ''));
  const value = Math.abs(Number(token));
  return significant === '' || (significant.length <= EXACT_DIGITS && value >= SMALLEST && value < Infinity);
}
