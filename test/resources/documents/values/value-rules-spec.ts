import { describe, expect, it } from '@jest/globals';
import { LongNumber } from '../../../../src/common/long-number.js';
import { type FieldType } from '../../../../src/resources/document-types/document-types.reader.js';
import { memberPath } from '../../../../src/common/member-path.js';
import {
  type ReadResult,
  valueShapeError,
  readValue,
} from '../../../../src/resources/documents/values/value-rules.js';

const option = (key: string) => ({ key, labelDe: key, labelEn: key });

function read(type: FieldType, sent: unknown): ReadResult {
  return readValue({ type, options: type === 'Enumeration' ? [option('open'), option('0')] : null }, sent);
}

/** The value that was read, or the paths of its invalid parts. */
function outcome(type: FieldType, sent: unknown): unknown {
  const reading = read(type, sent);
  return 'value' in reading ? reading.value : Object.keys(reading.errors);
}

const INVALID = [''];
const UUID = '0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d';
const TYPES = ['Text', 'Number', 'Date', 'Money', 'Enumeration', 'Reference'] as const;

describe('readValue', () => {
  it.each(TYPES)('reads null as no value: %s', (type) => expect(outcome(type, null)).toBeNull());

  it.each(TYPES)('rejects a boolean, an array and an object: %s', (type) => {
    for (const sent of [true, false, [], ['2026-11-20'], [UUID], new LongNumber('1')])
      expect(outcome(type, sent)).toEqual(INVALID);
    expect(outcome(type, {})).toEqual(type === 'Money' ? ['.amount', '.currency'] : INVALID);
  });

  describe('Text', () => {
    it.each([
      ['a', 'a'],
      [' A\u0308\n', 'Ä'],
      ['line\n\tnext', 'line\n\tnext'],
      ['😀'.repeat(10_000), '😀'.repeat(10_000)],
      [` ${'A\u0308'.repeat(10_000)} `, 'Ä'.repeat(10_000)],
      ['', null],
      [' \n\t\u00a0', null],
    ])('reads %j as %j', (sent, expected) => expect(outcome('Text', sent)).toEqual(expected));

    it.each(['x'.repeat(10_001), 'a\u0000', 'a\rb', 'a\r\nb', 'a\u0085b', 'a\u007f', 'a\ud800', 5, { a: 1 }])(
      'rejects %j',
      (sent) => expect(outcome('Text', sent)).toEqual(INVALID),
    );
  });

  describe('Number', () => {
    it.each([
      ['12.50', '12.5'],
      [' -0.00 ', '0'],
      ['007', '7'],
      ['1'.repeat(38), '1'.repeat(38)],
      [`-0.${'1'.repeat(38)}`, `-0.${'1'.repeat(38)}`],
      [`${'1'.repeat(20)}.${'2'.repeat(18)}`, `${'1'.repeat(20)}.${'2'.repeat(18)}`],
      [`1.${'0'.repeat(1000)}`, '1'],
      [0, '0'],
      [-0, '0'],
      [12.5, '12.5'],
      [999999999999999, '999999999999999'],
      [1e37, `1${'0'.repeat(37)}`],
      [-1e-38, `-0.${'0'.repeat(37)}1`],
      [1.5e3, '1500'],
    ])('reads %j as %s', (sent, expected) => expect(outcome('Number', sent)).toBe(expected));

    it.each([
      ...['1'.repeat(39), `0.${'1'.repeat(39)}`, `${'1'.repeat(20)}.${'2'.repeat(19)}`],
      ...[1e38, 1e-39, 1e308, NaN, Infinity],
      ...['', ' ', '1e3', '.5', '5.', '+1', '1,5', "1'000", '0x1F', 'NaN', '٣'],
      { amount: '1', currency: 'EUR' },
    ])('rejects %j', (sent) => expect(outcome('Number', sent)).toEqual(INVALID));

    it('rejects a JSON number that lost precision', () => {
      const reading = read('Number', new LongNumber('1.00000000000000000001'));
      expect(reading).toMatchObject({ errors: { '': { code: 'field.inexact-number' } } });
    });
  });

  describe('Date', () => {
    it.each(['2026-11-20', '0001-01-01', '9999-12-31', '2024-02-29', '2000-02-29', ' 2026-01-31 '])(
      'accepts %j',
      (sent) => expect(outcome('Date', sent)).toBe(sent.trim()),
    );

    it.each([
      '2026-02-29',
      '1900-02-29',
      '2026-04-31',
      '2026-13-01',
      '2026-00-10',
      '2026-01-00',
      '0000-01-01',
      '10000-01-01',
      '-0001-01-01',
      '2026-1-1',
      '20261120',
      '2026-11-20T00:00:00Z',
      '20.11.2026',
      'today',
      'infinity',
      '',
      20261120,
    ])('rejects %j', (sent) => expect(outcome('Date', sent)).toEqual(INVALID));
  });

  describe('Money', () => {
    it.each([
      ['1234.50', 'EUR', '1234.50'],
      ['1234.5', 'EUR', '1234.50'],
      ['1234', 'EUR', '1234.00'],
      ['-0', 'EUR', '0.00'],
      ['-0.01', 'USD', '-0.01'],
      ['007.1', 'CHF', '7.10'],
      ['1234', 'JPY', '1234'],
      ['1.234', 'KWD', '1.234'],
      ['1', 'CLF', '1.0000'],
      [`${'9'.repeat(36)}.99`, 'EUR', `${'9'.repeat(36)}.99`],
      ['1'.repeat(38), 'JPY', '1'.repeat(38)],
      [' 5 ', ' EUR ', '5.00'],
    ])('reads %s %s as %s', (amount, currency, expected) => {
      const sent = { amount, currency, note: 'left out' };
      expect(outcome('Money', sent)).toEqual({ amount: expected, currency: currency.trim() });
    });

    it.each([
      [{ amount: '1.234', currency: 'EUR' }, ['.amount']],
      [{ amount: '1.500', currency: 'EUR' }, ['.amount']],
      [{ amount: '1.0', currency: 'JPY' }, ['.amount']],
      [{ amount: '9'.repeat(37), currency: 'EUR' }, ['.amount']],
      [{ amount: 12.5, currency: 'EUR' }, ['.amount']],
      [{ amount: '1e3', currency: 'EUR' }, ['.amount']],
      [{ amount: '', currency: 'EUR' }, ['.amount']],
      [{ amount: null, currency: 'EUR' }, ['.amount']],
      [{ currency: 'EUR' }, ['.amount']],
      [{ amount: '1' }, ['.currency']],
      [{ amount: '1', currency: null }, ['.currency']],
      [{ amount: '1', currency: 'eur' }, ['.currency']],
      [{ amount: '1', currency: 'XXX' }, ['.currency']],
      [{ amount: '1', currency: 'DEM' }, ['.currency']],
      [{ amount: '1', currency: 978 }, ['.currency']],
      [{ amount: '1', currency: '__proto__' }, ['.currency']],
      [{ amount: 'x', currency: 'x' }, ['.amount', '.currency']],
      ['1234.50 EUR', ['']],
      [1234.5, ['']],
    ])('rejects %j', (sent, parts) => expect(outcome('Money', sent)).toEqual(parts));
  });

  describe('Enumeration', () => {
    it.each(['open', '0', ' open '])('accepts %j', (sent) =>
      expect(outcome('Enumeration', sent)).toBe(sent.trim()),
    );
    it.each(['Open', 'closed', '', 'toString', 0, 'open\u0000'])('rejects %j', (sent) =>
      expect(outcome('Enumeration', sent)).toEqual(INVALID),
    );
  });

  describe('Reference', () => {
    it('accepts a UUID and converts it to lowercase', () =>
      expect(outcome('Reference', UUID.toUpperCase())).toBe(UUID));
    it.each([UUID.replaceAll('-', ''), `{${UUID}}`, `${UUID}0`, '', 1])('rejects %j', (sent) =>
      expect(outcome('Reference', sent)).toEqual(INVALID),
    );
  });
});

describe('valueShapeError', () => {
  it.each(['', 'text', 'a\nb', 5, 1e300, null, { amount: '1', currency: 'x', more: [] }, {}, { amount: 1 }])(
    'accepts %j',
    (sent) => expect(valueShapeError(sent)).toBeNull(),
  );

  it.each([true, [], new LongNumber('1'), 'a\u0000', '\ud800', 'x'.repeat(10_001)])('rejects %j', (sent) =>
    expect(valueShapeError(sent)).toHaveProperty('code'),
  );
});

describe('memberPath', () => {
  it.each([
    ['amount', '.amount'],
    ['__proto__', '.__proto__'],
    ['a b', '["a b"]'],
    ['', '[""]'],
    ['a.b', '["a.b"]'],
    ['"', '["\\""]'],
    ['ä', '["ä"]'],
    ['😀'.repeat(101), `["${'😀'.repeat(100)}…"]`],
  ])('writes %j as %s', (key, path) => expect(memberPath(key)).toBe(path));
});
