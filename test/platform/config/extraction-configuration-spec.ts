import { describe, expect, it } from '@jest/globals';
import { loadConfiguration } from '../../../src/platform/config/configuration.js';
import { limitsOf, ocrOf } from '../../../src/platform/extraction/extraction-limits.js';

describe('The configuration of extraction', () => {
  it('has limits, and no OCR unless asked for', () => {
    const configuration = loadConfiguration({});
    expect(configuration.extractionProcesses).toBe(1);
    expect(limitsOf(configuration)).toEqual({
      timeMs: 60_000,
      memory: 536_870_912,
      decompressed: 268_435_456,
      text: 2_000_000,
    });
    expect(ocrOf(configuration)).toBeNull();
  });

  it('takes others', () => {
    const configuration = loadConfiguration({
      EXTRACTION_PROCESSES: '4',
      EXTRACTION_TIMEOUT_MS: '5000',
      EXTRACTION_MEMORY_MB: '1024',
      EXTRACTION_OUTPUT_MB: '64',
      EXTRACTION_TEXT_LIMIT: '100000',
      OCR: 'tesseract',
      OCR_LANGUAGES: 'deu+eng+fra',
    });
    expect(configuration.extractionProcesses).toBe(4);
    expect(limitsOf(configuration)).toEqual({
      timeMs: 5000,
      memory: 1_073_741_824,
      decompressed: 67_108_864,
      text: 100_000,
    });
    expect(ocrOf(configuration)).toEqual({ languages: 'deu+eng+fra' });
  });

  it.each([
    ['EXTRACTION_PROCESSES', '0'],
    ['EXTRACTION_TIMEOUT_MS', '1'],
    ['EXTRACTION_MEMORY_MB', '100'],
    ['EXTRACTION_OUTPUT_MB', 'much'],
    ['EXTRACTION_TEXT_LIMIT', '-1'],
    ['OCR', 'yes'],
    ['OCR_LANGUAGES', 'deu; rm -rf /'],
    ['OCR_LANGUAGES', '--psm'],
  ])('refuses %s=%s', (name, value) => {
    expect(() => loadConfiguration({ [name]: value })).toThrow(new RegExp(`: ${name} must be`));
  });
});
