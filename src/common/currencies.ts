/**
 * Currency codes of ISO 4217, Table A.1 ("List One"), as published by the maintenance agency on 17 September 2026.
 * Codes without a minor unit (precious metals, XDR, XXX and others) are left out, because amounts cannot be given in
 * them.
 *
 * The alternatives differ from the standard. Intl follows CLDR, which has no digits for the forint and the Iraqi
 * dinar, and differs between versions of Node. The packages on npm are years out of date.
 */
const CODES = `
  AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD
  CAD CDF CHE CHF CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP
  GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR
  KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN
  MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD
  SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX
  USD USN UYI UYU UYW UZS VED VES VND VUV WST XAD XAF XCD XCG XOF XPF YER ZAR ZMW ZWG`;

/** All other codes have two digits. */
const OTHER_DIGITS: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

const digits = new Map(wordsOf(CODES).map((code) => [code, 2]));
for (const [count, codes] of Object.entries(OTHER_DIGITS))
  for (const code of wordsOf(codes)) digits.set(code, Number(count));

function wordsOf(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** Number of digits of the minor unit, by currency code. */
export const CURRENCIES: ReadonlyMap<string, number> = digits;
