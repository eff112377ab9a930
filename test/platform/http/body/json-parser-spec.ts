import { describe, expect, it } from '@jest/globals';
import { LongNumber } from '../../../../src/common/long-number.js';
import { Problem } from '../../../../src/common/problem.js';
import { parseJson as parseWithin } from '../../../../src/platform/http/body/json-parser.js';
import { withTimeLimit } from '../../../support/with-time-limit.js';

const parseJson = (text: string) => parseWithin(text, { depth: 32, values: 1_000_000 });

describe('parseJson', () => {
  it.each([
    '0',
    '-0',
    '0.0000000000000000000',
    '0e999999',
    '1',
    '-12.5',
    '999999999999999',
    '0.123456789012345',
    '1.50000000000000000000',
    '100000000000000000000000',
    '123456789012345000000',
    '0.000000000000000000000000000001',
    '1e21',
    '1.5E-7',
    '1e-300',
  ])('returns %s as a number', (token) => {
    expect(parseJson(`{"a":[${token}]}`)).toEqual(JSON.parse(`{"a":[${token}]}`));
  });

  it.each([
    '1234567890123456',
    '9007199254740993',
    '-0.1234567890123456',
    '0.1000000000000000055511151231257827',
    '1.00000000000000000001',
    '1e400',
    '-1E+400',
    '1e-400',
    '4.94e-324',
    `1${'0'.repeat(400)}`,
  ])('returns %s as a LongNumber', (token) => {
    expect(parseJson(`{"a": ${token} , "b":[${token},${token}]}`)).toEqual({
      a: new LongNumber(token),
      b: [new LongNumber(token), new LongNumber(token)],
    });
    expect(parseJson(token)).toEqual(new LongNumber(token));
  });

  it('ignores numbers in strings', () => {
    const text = '{"a":"1234567890123456789","b\\"1e400":"\\\\","1234567890123456789":1e2}';
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  it.each([
    '01234567890123456789',
    '1234567890123456.',
    '.1234567890123456789',
    '1234567890123456e',
    '-',
    '1234567890123456-1',
    '1e400x',
    '[1234567890123456789 1234567890123456789]',
    '{1234567890123456789:1}',
    '{"a":1234567890123456789',
    '+1234567890123456789',
    '0x1234567890123456789',
    '1234567890123456789n',
    '--1234567890123456789',
    '1.2.31234567890123456789',
  ])('rejects %s, which is not JSON', (text) => {
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
    expect(() => parseJson(text)).toThrow(Problem);
  });

  it('drops members named __proto__', () => {
    const parsed = parseJson('{"a":1234567890123456789,"__proto__":{"b":1},"c":{"\\u005f_proto__":1}}');
    expect(Object.keys(parsed as object)).toEqual(['a', 'c']);
    expect((parsed as { b?: number }).b).toBeUndefined();
  });

  it('does not create a LongNumber from an object with the member "source"', () => {
    const text = '{"source":"1"}';
    expect(parseJson(text)).not.toBeInstanceOf(LongNumber);
  });

  it('parses long numbers in linear time', () => {
    const [digits, zeros] = ['1'.repeat(2_000_000), '0'.repeat(2_000_000)];
    const body = `[${digits}, ${'1e5,'.repeat(200_000)} -0.${zeros}1]`;
    expect(withTimeLimit(() => parseJson(body))).toHaveLength(200_002);
  });
});
