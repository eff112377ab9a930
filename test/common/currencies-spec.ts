import { describe, expect, it } from '@jest/globals';
import { CURRENCIES } from '../../src/common/currencies.js';

describe('CURRENCIES', () => {
  it('contains the 165 codes of the list of 17 September 2026 that have a minor unit', () => {
    expect(CURRENCIES.size).toBe(165);
    expect([...CURRENCIES.keys()].filter((code) => !/^[A-Z]{3}$/.test(code))).toEqual([]);
    expect([...CURRENCIES.keys()]).toEqual([...CURRENCIES.keys()].sort());
  });

  it.each([
    ['EUR CHF USD HUF XCG ZWG', 2],
    ['JPY KRW ISK XOF UYI', 0],
    ['KWD IQD TND', 3],
    ['CLF UYW', 4],
  ])('%s have %i digits', (codes, digits) => {
    for (const code of codes.split(' ')) expect([code, CURRENCIES.get(code)]).toEqual([code, digits]);
  });

  it.each(['XAU', 'XDR', 'XXX', 'XTS', 'DEM', 'BGN', 'HRK', 'EURO', 'eur', '', 'constructor'])(
    'does not contain %j',
    (code) => expect(CURRENCIES.get(code)).toBeUndefined(),
  );

  it('contains only codes that Intl has a name for, except the newest ones', () => {
    const names = new Intl.DisplayNames('en', { type: 'currency', fallback: 'none' });
    const unknown = [...CURRENCIES.keys()].filter((code) => names.of(code) === undefined);
    expect(unknown.filter((code) => !['XAD', 'XCG', 'ZWG'].includes(code))).toEqual([]);
  });
});
