/**
 * A decimal number as text, because JavaScript numbers would lose digits. PostgreSQL's numeric type compares them.
 */
export interface Decimal {
  readonly isNegative: boolean;
  /** Digits before the decimal point, without leading zeros; empty for a number below one. */
  readonly whole: string;
  readonly fraction: string;
}

/** Maximum number of digits of a stored number, including those after the decimal point. */
export const MAX_DIGITS = 38;

const PLAIN = /^(-?)(\d+)(?:\.(\d+))?$/;
const EXPONENTIAL = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/;

/**
 * Parses numbers such as `-12.50`. Null for any other format, such as `1e3`, `.5` and `+1`. Keeps the digits after
 * the decimal point, including zeros.
 */
export function parseDecimal(text: string): Decimal | null {
  const [, sign, whole, fraction = ''] = PLAIN.exec(text) ?? [];
  if (whole === undefined) return null;
  return { isNegative: sign === '-', whole: whole.replace(/^0+/, ''), fraction };
}

/** Converts a JSON number with at most 15 significant digits exactly; null for infinities. */
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

export function withoutTrailingZeros(decimal: Decimal): Decimal {
  return { ...decimal, fraction: trimZeros(decimal.fraction) };
}

/** A loop, because the pattern `/0+$/` takes quadratic time. */
export function trimZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

/** Pads the fraction with zeros to `digits` digits; it must not have more. */
export function withFraction(decimal: Decimal, digits: number): Decimal {
  return { ...decimal, fraction: decimal.fraction.padEnd(digits, '0') };
}

/** Number of digits, without a zero before the decimal point. */
export function countDigits({ whole, fraction }: Decimal): number {
  return whole.length + fraction.length;
}

/** Formats as `-12.5`, `0.5`, `0`: no exponent, plus sign, leading zeros or negative zero. */
export function formatDecimal({ isNegative, whole, fraction }: Decimal): string {
  const isZero = !/[1-9]/.test(whole + fraction);
  return `${isNegative && !isZero ? '-' : ''}${whole || '0'}${fraction && `.${fraction}`}`;
}
