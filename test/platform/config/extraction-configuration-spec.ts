import { describe, expect, it } from '@jest/globals';
import { loadConfiguration } from '../../../src/platform/config/configuration.js';

describe('loadConfiguration, for extraction', () => {
  it('disables OCR by default', () => {
    expect(loadConfiguration({}).ocr).toBe('off');
  });

  it('reads OCR and OCR_LANGUAGES', () => {
    const configuration = loadConfiguration({ OCR: 'tesseract', OCR_LANGUAGES: 'deu+eng+fra' });
    expect(configuration).toMatchObject({ ocr: 'tesseract', ocrLanguages: 'deu+eng+fra' });
  });

  it.each([
    [undefined, 2],
    ['0', 0],
    ['1', 2],
    ['5', 5],
  ])('reads WORKER_CONCURRENCY=%s as %d concurrent jobs', (value, jobs) => {
    expect(loadConfiguration({ WORKER_CONCURRENCY: value }).workerConcurrency).toBe(jobs);
  });

  it.each([
    ['WORKER_CONCURRENCY', '65'],
    ['OCR', 'yes'],
    ['OCR_LANGUAGES', 'deu; rm -rf /'],
    ['OCR_LANGUAGES', '--psm'],
  ])('rejects %s=%s', (name, value) => {
    expect(() => loadConfiguration({ [name]: value })).toThrow(new RegExp(`: ${name} must be`));
  });
});
