import { describe, expect, it } from '@jest/globals';
import { read } from '../../../../src/platform/extraction/reading/read.js';
import { BufferSource } from '../../../../src/platform/extraction/reading/source.js';
import { EXTRACTION_LIMITS } from '../../../../src/platform/extraction/extraction-limits.js';

class FailingSource extends BufferSource {
  constructor(private readonly error: Error) {
    super(Buffer.from('%PDF-1.4'));
  }

  override read(): Promise<Buffer> {
    return Promise.reject(this.error);
  }
}

const readFailing = (error: Error) =>
  read(
    new FailingSource(error),
    { fileName: null, claimedType: '' },
    EXTRACTION_LIMITS,
    null,
    () => undefined,
    { append: () => undefined, insert: () => undefined },
  );

describe('read', () => {
  it('returns Corrupted for an error of a library', async () => {
    const { extraction, detail } = await readFailing(new TypeError('bytes'));
    expect([extraction.failure, detail]).toEqual(['Corrupted', 'TypeError: bytes']);
  });

  it.each([
    ['of a system call', { code: 'EMFILE', syscall: 'open' }],
    ['about a module that cannot be loaded', { code: 'ERR_MODULE_NOT_FOUND' }],
    ['about native code that cannot be loaded', { code: 'ERR_DLOPEN_FAILED' }],
  ])('throws an error %s, because the file did not cause it', async (_, properties) => {
    const error = Object.assign(new Error('not found'), properties);
    await expect(readFailing(error)).rejects.toBe(error);
  });
});
