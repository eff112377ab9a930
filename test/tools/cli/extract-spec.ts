import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UsageError, parseArguments } from '../../../src/tools/cli/command.js';
import { EXTRACT, extractCommand, lineOf } from '../../../src/tools/cli/extract-command.js';
import { ReadingFailed } from '../../../src/platform/extraction/extractor.js';
import { buildPng } from '../../factories/content/image-files.js';
import { buildPdf } from '../../factories/content/pdf-files.js';
import { TestExtraction } from '../../support/extraction.js';

describe('npm run extract', () => {
  let files: TestExtraction;
  beforeAll(async () => {
    files = await TestExtraction.start();
  });
  afterAll(() => files.stop());

  async function run(...args: string[]): Promise<string> {
    let output = '';
    await extractCommand(parseArguments(EXTRACT, args), {}, (text) => (output += text));
    return output.replace(/\t\d+\t([^\t]+)\n/g, '\tMS\t$1\n');
  }

  it('prints one line for each file', async () => {
    const pdf = await files.write(buildPdf([['Zwei Worte'], []]), 'a.pdf');
    const png = await files.write(buildPng(3, 2), 'b.png');
    const bad = await files.write('%PDF-1.7', 'c.pdf');
    expect(await run(pdf, png, bad)).toBe(
      'file\tmedia type\tpages\tpixels\twords\tms\tfailure\n' +
        `${pdf}\tapplication/pdf\t2\t–\t2\tMS\t–\n` +
        `${png}\timage/png\t–\t3×2\t0\tMS\t–\n` +
        `${bad}\tapplication/pdf\t–\t–\t0\tMS\tCorrupted\n`,
    );
  });

  it('prints the text with --text', async () => {
    const file = await files.write('Ein Satz.', 'a.txt');
    expect(await run('--text', file)).toMatch(/\ttext\/plain\t–\t–\t2\tMS\t–\n\nEin Satz\.\n\n$/);
  });

  it('prints why a file could not be read', async () => {
    const known = { mediaType: 'application/pdf', pageCount: 2, image: null };
    const extract = () => Promise.reject(new ReadingFailed('A process ended (SIGSEGV):\nFatal', known));
    expect(await lineOf('a.pdf', { extract }, true)).toMatch(
      /^a\.pdf\tapplication\/pdf\t2\t–\t0\t\d+\tUnreadable: A process ended \(SIGSEGV\): Fatal\n$/,
    );
  });

  it('rejects missing arguments and paths that are not files', async () => {
    await expect(run()).rejects.toThrow(new UsageError('Expected at least one file.'));
    await expect(run('/nowhere')).rejects.toThrow('/nowhere is not a file.');
  });
});
