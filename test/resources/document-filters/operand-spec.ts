import { describe, expect, it } from '@jest/globals';
import { CONDITION_OPERATORS } from '../../../src/resources/document-filters/metadata-condition.js';
import { supportsOperator, readOperand } from '../../../src/resources/document-filters/operand.js';

const MESSAGE = expect.objectContaining({ code: expect.any(String) });
const UUID = '0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d';

describe('supportsOperator', () => {
  const always = ['EqualTo', 'NotEqualTo', 'IsEmpty', 'IsNotEmpty'];
  const orderings = ['GreaterThan', 'GreaterThanOrEqual', 'LessThan', 'LessThanOrEqual'];

  it.each([
    ['Text', [...always, 'Contains']],
    ['Number', [...always, ...orderings]],
    ['Date', [...always, ...orderings]],
    ['Money', [...always, ...orderings]],
    ['Enumeration', always],
    ['Reference', always],
  ] as const)('accepts for %s only the operators %j', (type, operators) =>
    expect(CONDITION_OPERATORS.filter((operator) => supportsOperator(type, operator)).sort()).toEqual(
      [...operators].sort(),
    ),
  );
});

describe('readOperand', () => {
  it.each([
    ['Text', ' Stra\u00dfe ', 'strasse'],
    ['Text', 'A\u0308\nB', 'ä\nb'],
    ['Text', 'x'.repeat(10_000), 'x'.repeat(10_000)],
    ['Number', ' 0012.50 ', '12.5'],
    ['Number', '-0', '0'],
    ['Date', '2024-02-29', '2024-02-29'],
    ['Money', '1234.50', '1234.5'],
    ['Money', '-0.001', '-0.001'],
    ['Enumeration', ' open ', 'open'],
    ['Enumeration', 'an unknown option', 'an unknown option'],
    ['Enumeration', '', ''],
    ['Reference', UUID.toUpperCase(), UUID],
  ] as const)('reads %s %j as %j', (type, given, value) =>
    expect(readOperand(type, given)).toEqual({ value, currency: null }),
  );

  it.each([
    ['1234.50 EUR', '1234.5', 'EUR'],
    [' -5  JPY ', '-5', 'JPY'],
  ])('reads Money %j as %s in %s', (given, value, currency) =>
    expect(readOperand('Money', given)).toEqual({ value, currency }),
  );

  it.each([
    { type: 'Text', values: ['', ' \n', 'x'.repeat(10_001), 'a\u0000', 'a\ud800'] },
    { type: 'Number', values: ['', 'x', '1e3', '+1', '.5', '1,5', '0x10', 'NaN', '1'.repeat(39), '5 EUR'] },
    { type: 'Date', values: ['', 'x', '2026-02-29', '2026-1-1', '20260101', '2026-11-20T00:00:00Z'] },
    { type: 'Date', values: ['0000-01-01', 'infinity', 'today', 'now'] },
    {
      type: 'Money',
      values: ['', 'x', 'EUR', 'EUR 5', '5 eur', '5 XXX', '5 XYZ', '5 EUR EUR', '5EUR', '€1'],
    },
    { type: 'Enumeration', values: ['a\u0000', '\ud800'] },
    { type: 'Reference', values: ['', 'x', '1', UUID.replaceAll('-', ''), `{${UUID}}`] },
  ] as const)('rejects for $type each of $values', ({ type, values }) => {
    for (const given of values) expect([given, readOperand(type, given)]).toEqual([given, MESSAGE]);
  });
});
