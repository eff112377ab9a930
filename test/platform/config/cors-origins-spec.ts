import { describe, expect, it } from '@jest/globals';
import { ConfigurationError, loadConfiguration } from '../../../src/platform/config/configuration.js';

const load = (origins?: string) => loadConfiguration({ CORS_ORIGINS: origins }).corsOrigins;

describe('CORS_ORIGINS', () => {
  it.each([
    [undefined, []],
    ['', []],
    ['*', ['*']],
    ['https://app.example', ['https://app.example']],
    ['https://app.example, http://localhost:5173', ['https://app.example', 'http://localhost:5173']],
    // Normalized as browsers write them, because origins are compared as texts.
    ['HTTPS://App.Example:443', ['https://app.example']],
    ['https://bücher.example', ['https://xn--bcher-kva.example']],
    ['http://[::1]:8080', ['http://[::1]:8080']],
  ])('accepts %j', (text, origins) => {
    expect(load(text)).toEqual(origins);
  });

  it.each([
    'app.example',
    'https://',
    'https://app.example/',
    'https://app.example/path',
    'https://app.example?',
    'https://app.example#',
    'https://user@app.example',
    'https://*.example',
    'https://app.example,',
    'https://app.example *',
    '*,https://app.example',
    'null',
    'file:///tmp',
    'ftp://app.example',
  ])('rejects %j', (text) => {
    expect(() => load(text)).toThrow(ConfigurationError);
    expect(() => load(text)).toThrow(/CORS_ORIGINS must be origins like/);
  });
});
