import { trimZeros } from './decimal.js';

/**
 * Represents a number in parsed JSON that a double cannot hold exactly: more than 15 significant digits, too large or
 * too small. Code that expects a number detects it instead of silently using a rounded value.
 */
export class LongNumber {
  constructor(readonly source: string) {}
}

const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE][+-]?\d+)?$/;

/** Significant digits that a double always preserves (DBL_DIG in C), except for very small numbers. */
const EXACT_DIGITS = 15;
const SMALLEST = 1e-300;

/**
 * Whether a double preserves all digits of the number.
 *
 * @param token a valid JSON number
 */
export function isExact(token: string): boolean {
  const [, whole = '', fraction = ''] = NUMBER.exec(token) ?? [];
  const significant = trimZeros(`${whole}${fraction}`.replace(/^0+/, ''));
  const value = Math.abs(Number(token));
  return significant === '' || (significant.length <= EXACT_DIGITS && value >= SMALLEST && value < Infinity);
}
