/**
 * Decimal numbers as text, so that no digit is lost on the way through JavaScript: read, counted, written in one
 * normal form. PostgreSQL's numeric does the comparing.
 */
export interface Decimal {
  readonly isNegative: boolean;
  /** Without leading zeros; empty below one. */
  readonly whole: string;
  readonly fraction: string;
}

/** Most digits that a number is kept with, those after the decimal point included. */
export const MAX_DIGITS = 38;

const PLAIN = /^(-?)(\d+)(?:\.(\d+))?$/;
const EXPONENTIAL = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/;

/** Reads `-12.50`; null for anything else, `1e3`, `.5` and `+1` among it. The digits after the point stay as given. */
export function parseDecimal(text: string): Decimal | null {
  const [, sign, whole, fraction = ''] = PLAIN.exec(text) ?? [];
  if (whole === undefined) return null;
  return { isNegative: sign === '-', whole: whole.replace(/^0+/, ''), fraction };
}

/** The decimal number that a JSON number of at most 15 significant digits was written as; null for infinities. */
export function decimalOf(value: number): Decimal | null {
  const text = String(value);
  const [, sign, first = '', rest = '', exponent] = EXPONENTIAL.exec(text) ?? [];
  if (exponent === undefined) return parseDecimal(text);
  const digits = first + rest;
  const shift = Number(exponent);
  return parseDecimal(
    shift < 0 ? `${sign}0.${'0'.repeat(-shift - 1)}${digits}` : `${sign}${digits.padEnd(shift + 1, '0')}`,
  );
}

/** The same number without zeros at its end. */
export function withoutTrailingZeros(decimal: Decimal): Decimal {
  return { ...decimal, fraction: trimZeros(decimal.fraction) };
}

/** Takes the zeros off the end. By hand: `/0+$/` tries every run of zeros on the way, which takes n² steps. */
export function trimZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

/** The same number with so many digits after the point, which must be at least as many as it has. */
export function withFraction(decimal: Decimal, digits: number): Decimal {
  return { ...decimal, fraction: decimal.fraction.padEnd(digits, '0') };
}

/** How many digits it takes to write the number down, a zero before the point not counted. */
export function countDigits({ whole, fraction }: Decimal): number {
  return whole.length + fraction.length;
}

/** `-12.5`, `0.5`, `0`: no exponent, no plus, no leading zeros, no negative zero. */
export function formatDecimal({ isNegative, whole, fraction }: Decimal): string {
  const isZero = !/[1-9]/.test(whole + fraction);
  return `${isNegative && !isZero ? '-' : ''}${whole || '0'}${fraction && `.${fraction}`}`;
}
