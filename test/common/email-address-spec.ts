import { describe, expect, it } from '@jest/globals';
import { emailKey, parseEmailAddress } from '../../src/common/email-address.js';
import { sized } from '../support/exhaustive.js';

const LAST_CODE_POINT = sized(0x1ffff, 0x10ffff);
/** Half of all letters; none of them has another form. */
const ALIKE = sized(/[\p{Unified_Ideograph}\uac00-\ud7a3]/u, /[]/u);

function* characters(): Generator<string> {
  for (let code = 0x80; code <= LAST_CODE_POINT; code += 1) {
    const character = String.fromCodePoint(code);
    if ((code < 0xd800 || code > 0xdfff) && !ALIKE.test(character)) yield character;
  }
}

describe('parseEmailAddress and emailKey', () => {
  it('converts no non-ASCII character of the local part to ASCII', () => {
    const converted: string[] = [];
    for (const character of characters()) {
      // Parsing does not change other characters.
      if (character.normalize('NFC') === character) continue;
      const address = parseEmailAddress(`a${character}b@office.example`);
      if (address !== null && Buffer.byteLength(emailKey(address)) === emailKey(address).length)
        converted.push(character);
    }
    expect(converted).toEqual([]);
  });

  it('returns a key that is itself a valid address with the same key', () => {
    const different: string[] = [];
    for (const character of characters()) {
      if (!/[\p{L}\p{M}\p{N}]/u.test(character)) continue;
      const address = parseEmailAddress(`a@x${character}y.example`);
      if (address === null) continue;
      const key = emailKey(address);
      if (!/^a@[a-z0-9.-]+$/.test(key) || emailKey(key) !== key || parseEmailAddress(key) !== key)
        different.push(character);
    }
    expect(different).toEqual([]);
  });

  it.each([
    ['A.B+C@Office.EXAMPLE', 'a.b+c@office.example'],
    ['Ä@BÜRO.example', 'Ä@xn--bro-hoa.example'],
    ['a@großbank.de', 'a@xn--grobank-2va.de'],
    ['a@GROẞBANK.de', 'a@xn--grobank-2va.de'],
    ['a@ｏffice.example', 'a@office.example'],
    ['a@localhost', 'a@localhost'],
  ])('converts %s to the key %s', (address, key) => {
    expect(parseEmailAddress(address)).toBe(address.normalize('NFC'));
    expect(emailKey(address)).toBe(key);
  });

  it('uses the domain of an earlier release unchanged if it has no ASCII form', () => {
    expect(['a@127.1', 'A@xn--a.de', 'a@127.0.0.1'].map(emailKey)).toEqual([
      'a@127.1',
      'a@xn--a.de',
      'a@127.0.0.1',
    ]);
  });
});
