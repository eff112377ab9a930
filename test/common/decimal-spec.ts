import { describe, expect, it } from '@jest/globals';
import {
  decimalOf,
  countDigits,
  formatDecimal,
  parseDecimal,
  trimZeros,
  withFraction,
  withoutTrailingZeros,
} from '../../src/common/decimal.js';
import { withTimeLimit } from '../support/with-time-limit.js';

function normal(text: string): string | null {
  const decimal = parseDecimal(text);
  return decimal && formatDecimal(withoutTrailingZeros(decimal));
}

describe('Decimal numbers', () => {
  it.each([
    ['0', '0'],
    ['-0', '0'],
    ['-0.000', '0'],
    ['000', '0'],
    ['12.5', '12.5'],
    ['-12.50', '-12.5'],
    ['0012.0', '12'],
    ['100', '100'],
    ['0.10', '0.1'],
    ['-0.01', '-0.01'],
    ['10.010', '10.01'],
    ['12345678901234567890123456789012345678', '12345678901234567890123456789012345678'],
    ['0.1234567890123456789012345678901234567', '0.1234567890123456789012345678901234567'],
  ])('normalizes %s to %s', (text, expected) => expect(normal(text)).toBe(expected));

  it.each([
    '',
    '-',
    '.',
    '.5',
    '5.',
    '+5',
    '--5',
    '1e3',
    '1E3',
    '0x10',
    '1,5',
    '1 000',
    ' 1',
    '1\n',
    '١',
    '１',
    '−1',
    'NaN',
    'Infinity',
    '1.2.3',
  ])('rejects %j', (text) => expect(parseDecimal(text)).toBeNull());

  it.each([
    [0, '0'],
    [-0, '0'],
    [12.5, '12.5'],
    [-12.5, '-12.5'],
    [1e21, '1000000000000000000000'],
    [-1.5e22, '-15000000000000000000000'],
    [1.23456789012345e-7, '0.000000123456789012345'],
    [-1e-7, '-0.0000001'],
    [5e-324, `0.${'0'.repeat(323)}5`],
    [999999999999999, '999999999999999'],
  ])('converts the number %d to %s', (value, expected) => {
    const decimal = decimalOf(value);
    expect(decimal && formatDecimal(decimal)).toBe(expected);
  });

  it.each([NaN, Infinity, -Infinity])('converts the number %d to null', (value) =>
    expect(decimalOf(value)).toBeNull(),
  );

  it.each([
    ['0', 0],
    ['0.5', 1],
    ['0.05', 2],
    ['10', 2],
    ['-0010.50', 4],
  ])('counts the digits of %s as %i', (text, digits) => {
    const decimal = parseDecimal(text);
    expect(decimal && countDigits(decimal)).toBe(digits);
  });

  it.each([
    ['12', 2, '12.00'],
    ['12.5', 2, '12.50'],
    ['-0', 2, '0.00'],
    ['12', 0, '12'],
  ])('pads %s to %i digits after the decimal point: %s', (text, digits, expected) => {
    const decimal = parseDecimal(text);
    expect(decimal && formatDecimal(withFraction(decimal, digits))).toBe(expected);
  });

  it('parses and trims long numbers in linear time', () => {
    const zeros = '0'.repeat(1_000_000);
    expect(withTimeLimit(() => normal(`1.${zeros}1`))).toHaveLength(1_000_003);
    expect(withTimeLimit(() => normal(`${zeros}.${zeros}`))).toBe('0');
    expect(withTimeLimit(() => trimZeros(`${zeros}1${zeros}`))).toHaveLength(1_000_001);
    expect(withTimeLimit(() => trimZeros(`1${zeros}1`))).toHaveLength(1_000_002);
  });
});
