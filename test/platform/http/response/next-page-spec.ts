import { describe, expect, it } from '@jest/globals';
import { createdPath, nextPageUrl } from '../../../../src/platform/http/response/next-page.js';

describe('nextPageUrl', () => {
  it.each([
    ['/files', '/files?cursor=NEXT'],
    ['/files?', '/files?cursor=NEXT'],
    ['/files?limit=2&status=Open', '/files?limit=2&status=Open&cursor=NEXT'],
    ['/files?cursor=OLD', '/files?cursor=NEXT'],
    ['/files?limit=2&cursor=OLD&q=a%26b+c', '/files?limit=2&q=a%26b+c&cursor=NEXT'],
    ['/files?%63ursor=OLD&q=%', '/files?q=%&cursor=NEXT'],
    ['/files?q=cursor&cursors=1', '/files?q=cursor&cursors=1&cursor=NEXT'],
    ['/files?q=<b>"x"^', '/files?q=%3Cb%3E%22x%22%5E&cursor=NEXT'],
    ['/files?q=\u00e9', '/files?q=%E9&cursor=NEXT'],
    ['http://another.example:8080/files?limit=2', '/files?limit=2&cursor=NEXT'],
    ['HTTP://another.example/files?q=https://a.example/b', '/files?q=https://a.example/b&cursor=NEXT'],
    ['/files?limit=2#part?cursor=OLD', '/files?limit=2&cursor=NEXT'],
  ])('for %s returns %s', (requested, expected) => {
    expect(nextPageUrl('https://filing.example', requested, 'NEXT')).toBe(
      `https://filing.example${expected}`,
    );
  });
});

describe('createdPath', () => {
  it.each([
    ['', '/files', '/files/ID'],
    ['', '/files?x=1', '/files/ID'],
    ['/filing', '/files', '/filing/files/ID'],
    ['', 'http://another.example:8080/files?x=1#part', '/files/ID'],
    ['', '/t/<b>/files', '/t/%3Cb%3E/files/ID'],
  ])('for base %j and %s returns %s', (base, requested, expected) => {
    expect(createdPath(base, requested, 'ID')).toBe(expected);
  });
});
