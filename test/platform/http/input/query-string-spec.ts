import { describe, expect, it } from '@jest/globals';
import { parseQuery } from '../../../../src/platform/http/input/query-string.js';

describe('parseQuery', () => {
  it.each([
    [null, {}],
    ['', {}],
    ['q=a&limit=5', { q: 'a', limit: '5' }],
    ['q', { q: '' }],
    ['q=', { q: '' }],
    ['q=a=b', { q: 'a=b' }],
    ['q=a&q=b', { q: ['a', 'b'] }],
    ['q=a+b%2Bc', { q: 'a b+c' }],
    ['q=%C3%A4', { q: 'ä' }],
    ['q=%F0%9F%98%80', { q: '😀' }],
    ['q=%EF%BF%BD', { q: '\ufffd' }],
    ['q=100%', { q: '100%' }],
    ['q=%ZZ%C3%A4', { q: '%ZZä' }],
    ['q[]=1', { 'q[]': '1' }],
    ['%71=a', { q: 'a' }],
  ])('parses %j', (text, expected) => expect({ ...parseQuery(text) }).toEqual(expected));

  it.each(['%FF', 'a%C3', '%C0%80', '%ED%A0%80', '%F4%90%80%80'])(
    'returns a string that is not well-formed for %s',
    (value) => {
      const { q } = parseQuery(`q=${value}`);
      expect([typeof q, (q as string).isWellFormed()]).toEqual(['string', false]);
    },
  );

  it('parses a parameter after thousands of others', () => {
    expect(parseQuery(`${'x&'.repeat(2000)}limit=0`).limit).toBe('0');
  });
});
