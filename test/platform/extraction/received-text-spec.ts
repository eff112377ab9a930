import { describe, expect, it } from '@jest/globals';
import { ReceivedText } from '../../../src/platform/extraction/extractor-pool.js';

describe('ReceivedText', () => {
  function received(text: string, ...recognised: [text: string, at: number | null, page: number][]) {
    const result = new ReceivedText();
    result.append(text);
    for (const one of recognised) result.insert(...one);
    return result;
  }

  it('puts recognised texts where they belong, as paragraphs of their pages', () => {
    const found = received('eins\f\fdrei', ['zwei', 5, 2], ['Bild 3', 10, 3], ['Bild 1', 4, 1]);
    expect(found.finish()).toBe('eins\n\nBild 1\fzwei\fdrei\n\nBild 3');
    expect(found.recognisedPages).toEqual([1, 2, 3]);
  });

  it('keeps the order of recognised texts for one place, and joins the parts of one', () => {
    const found = received('a', ['b', 1, 1], ['c', 1, 1], ['d', null, 1]);
    expect(found.finish()).toBe('a\n\nb\n\ncd');
  });

  it('separates a recognised text from the text after it', () => {
    expect(received('ab', ['x', 1, 1]).finish()).toBe('a\n\nx\n\nb');
    expect(received('b', ['x', 0, 1]).finish()).toBe('x\n\nb');
  });

  it('keeps empty pages, and is null without text', () => {
    expect(received('\f\fdrei\f\f').finish()).toBe('\f\fdrei\f\f');
    expect(received('\f\f').finish()).toBeNull();
  });
});
