import { describe, expect, it } from '@jest/globals';
import { emailKey, parseEmailAddress } from '../../src/common/email-address.js';

const LAST_CODE_POINT = 0x10ffff;

function* characters(): Generator<string> {
  for (let code = 0x80; code <= LAST_CODE_POINT; code += 1) {
    if (code < 0xd800 || code > 0xdfff) yield String.fromCodePoint(code);
  }
}

describe('An e-mail address', () => {
  it('keeps every character beyond ASCII of its local part apart from every ASCII character', () => {
    const joined: string[] = [];
    for (const character of characters()) {
      // Parsing leaves all others as they are.
      if (character.normalize('NFC') === character) continue;
      const address = parseEmailAddress(`a${character}b@office.example`);
      if (address !== null && Buffer.byteLength(emailKey(address)) === emailKey(address).length)
        joined.push(character);
    }
    expect(joined).toEqual([]);
  });

  it('has the same key as its parsed form, and as its key', () => {
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
  ])('%s is compared as %s', (address, key) => {
    expect(parseEmailAddress(address)).toBe(address.normalize('NFC'));
    expect(emailKey(address)).toBe(key);
  });

  it('of an earlier release is compared as it is where its domain has no ASCII form', () => {
    expect(['a@127.1', 'A@xn--a.de', 'a@127.0.0.1'].map(emailKey)).toEqual([
      'a@127.1',
      'a@xn--a.de',
      'a@127.0.0.1',
    ]);
  });
});
