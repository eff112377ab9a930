import { describe, expect, it } from '@jest/globals';
import { entityTag, matchesIfMatch, matchesIfNoneMatch } from '../../src/common/entity-tag.js';

const TAG = '"abc"';

describe('entityTag', () => {
  it('returns a strong tag of visible ASCII characters', () =>
    expect(entityTag({ name: 'Ä' })).toMatch(/^"[A-Za-z0-9_-]{22}"$/));

  it('returns the same tag for an object and its JSON text', () => {
    expect(entityTag({ name: 'Ä', closedAt: null })).toBe(entityTag('{"name":"Ä","closedAt":null}'));
  });

  it('returns different tags for different objects', () => {
    const tags = [{ a: 1 }, { a: '1' }, { a: null }, {}, { a: 1, b: 1 }].map(entityTag);
    expect(new Set(tags).size).toBe(tags.length);
  });
});

describe('matchesIfMatch (If-Match, strong comparison)', () => {
  it.each(['"abc"', '*', ' * ', '"x", "abc"', '"x","abc","y"', 'W/"x", "abc"', '"a,b" , "abc"'])(
    'returns true for %j',
    (header) => expect(matchesIfMatch(header, TAG)).toBe(true),
  );

  it.each(['"abd"', 'W/"abc"', '"x", W/"abc"', '', 'abc', '"ABC"', '"abc', '"*"', '"x, abc"'])(
    'returns false for %j',
    (header) => expect(matchesIfMatch(header, TAG)).toBe(false),
  );
});

describe('matchesIfNoneMatch (If-None-Match, weak comparison)', () => {
  it.each(['"abc"', 'W/"abc"', '*', '"x", W/"abc"'])('returns true for %j', (header) =>
    expect(matchesIfNoneMatch(header, TAG)).toBe(true),
  );

  it.each(['"abd"', 'W/"abd"', '', 'abc', '"*"'])('returns false for %j', (header) =>
    expect(matchesIfNoneMatch(header, TAG)).toBe(false),
  );
});
