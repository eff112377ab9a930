import { describe, expect, it } from '@jest/globals';
import { TextOutput } from '../../../../src/platform/extraction/reading/text-output.js';
import { ReceivedText } from '../../../../src/platform/extraction/extractor-pool.js';

describe('TextOutput', () => {
  it('keeps recognised text and its separators within the limit', () => {
    const received = new ReceivedText();
    const output = new TextOutput(20, received);
    output.add('abc');
    output.addRecognised('x'.repeat(30), output.here());
    expect(output.full).toBe(true);
    expect(received.finish()).toBe(`abc\n\n${'x'.repeat(13)}`);
  });

  it('sends the text before it is complete', () => {
    const received = new ReceivedText();
    const output = new TextOutput(100, received);
    output.add('eins');
    output.newPage();
    output.flush();
    expect(received.finish()).toBe('eins\f');
    output.add('zwei');
    output.flush();
    expect(received.finish()).toBe('eins\fzwei');
  });
});
