import { describe, expect, it } from '@jest/globals';
import { numberOf, seriesOf } from '../../../src/resources/numbering/number-pattern.js';

describe('seriesOf', () => {
  it.each([
    ['BAU-{yyyy}-{seq:4}', 412, 'BAU-2026-0412'],
    ['{seq}/{yy}', 7, '7/26'],
    ['{mm}.{yyyy}.{seq:2}', 123, '11.2026.123'],
    ['{yyyy}{yyyy}{seq}', 1, '202620261'],
    ['$&{seq}$1', 1, '$&1$1'],
  ])('fills %s with %d as %s', (pattern, sequence, number) => {
    expect(numberOf(seriesOf(pattern, '202611'), sequence)).toBe(number);
  });

  it('has the same key for patterns that differ only in width and case', () => {
    expect(seriesOf('bau-{seq}', '202611').key).toBe(seriesOf('BAU-{seq:4}', '202611').key);
    expect(seriesOf('{yyyy}-{seq}', '202611').key).not.toBe(seriesOf('{yyyy}-{seq}', '202701').key);
  });
});
