import { describe, expect, it } from '@jest/globals';
import { isJsonObject } from '../../src/common/json-object.js';
import { parseJson } from '../../src/platform/http/body/json-parser.js';

describe('isJsonObject', () => {
  it.each([
    ['{}', true],
    ['{"a":1e400}', true],
    ['[]', false],
    ['null', false],
    ['"text"', false],
    ['1', false],
    // The parser returns LongNumber objects for these.
    ['1e400', false],
    ['12345678901234567890', false],
  ])('for %s returns %s', (text, expected) =>
    expect(isJsonObject(parseJson(text, { depth: 32, values: 100 }))).toBe(expected),
  );
});
