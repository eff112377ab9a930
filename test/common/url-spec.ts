import { describe, expect, it } from '@jest/globals';
import { readUrl } from '../../src/common/url.js';

describe('readUrl', () => {
  it('parses URLs, and relative URLs with a base', () => {
    expect(readUrl('HTTPS://App.Example:443/a?b#c')?.href).toBe('https://app.example/a?b#c');
    expect(readUrl('/a', 'http://localhost')?.href).toBe('http://localhost/a');
  });

  it.each(['', 'app.example', 'https://', 'https://a b', '/a'])('returns null for %j', (text) => {
    expect(readUrl(text)).toBeNull();
  });

  it('parses non-ASCII letters correctly after thousands of calls', () => {
    const answers = new Set<string | undefined>();
    for (let time = 0; time < 20_000; time += 1) answers.add(readUrl('https://b\u00fccher.example')?.host);
    expect([...answers]).toEqual(['xn--bcher-kva.example']);
  });
});
