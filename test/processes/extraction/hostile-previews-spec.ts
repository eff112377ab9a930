import { deflateSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { buildPdfOfStream } from '../../factories/content/pdf-files.js';
import { buildPicture } from '../../factories/content/pictures.js';
import { TestPreviews } from '../../support/previews.js';

const MIB = 1024 * 1024;

/** Files that exceed the limits of the rendering process, or end it. */
describe('PreviewerPool', () => {
  it('ends with MemoryLimitExceeded if decoding needs too much memory', async () => {
    const small = new TestPreviews({ limits: { memory: 160 * MIB } });
    try {
      expect(await small.render(buildPicture('webp', 5000, 5000))).toEqual({
        image: null,
        failure: 'MemoryLimitExceeded',
        pages: null,
      });
      expect(await small.render(buildPicture('png', 10, 10))).toMatchObject({ failure: null });
    } finally {
      small.stop();
    }
  });

  it('ends with TimeLimitExceeded for a slow PDF', async () => {
    const slow = new TestPreviews({ limits: { timeMs: 1500 } });
    try {
      const bytes = buildPdfOfStream('<</Filter /FlateDecode>>', deflateSync(Buffer.alloc(80 * MIB, 'q Q ')));
      expect(await slow.render(bytes)).toEqual({ image: null, failure: 'TimeLimitExceeded', pages: null });
    } finally {
      slow.stop();
    }
  });

  it('returns Corrupted when native code crashes in two processes, and renders the next file', async () => {
    const messages: string[] = [];
    const crashing = new TestPreviews({ debug: (message) => messages.push(message) });
    try {
      const jpeg = buildPicture('jpeg', 200, 100);
      // The frame header with the dimensions, and then a truncated image.
      const frame = Buffer.from('ffc0001108006400c803012200021101031101', 'hex');
      const truncated = Buffer.concat([jpeg.subarray(0, 20), frame, jpeg.subarray(20, 300)]);
      expect(await crashing.render(truncated)).toEqual({ image: null, failure: 'Corrupted', pages: null });
      expect(messages).toEqual([expect.stringMatching(/^A preview crashed two processes \(.*SIGSEGV/)]);
      expect(await crashing.render(jpeg)).toMatchObject({ failure: null });
    } finally {
      crashing.stop();
    }
  });
});
