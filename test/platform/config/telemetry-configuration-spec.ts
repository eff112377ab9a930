import { describe, expect, it } from '@jest/globals';
import { loadConfiguration } from '../../../src/platform/config/configuration.js';

const endpoint = (value: string | undefined) =>
  loadConfiguration({ OIDC_ISSUER: 'https://issuer.example', OTEL_EXPORTER_OTLP_ENDPOINT: value })
    .otlpEndpoint;

describe('loadConfiguration, for traces', () => {
  it.each([undefined, '', 'http://collector:4318/'])('accepts the collector %j', (value) => {
    expect(endpoint(value)).toBe(value === '' ? undefined : value);
  });

  it('rejects a collector that is not a URL', () => {
    expect(() => endpoint('collector:4317')).toThrow(/OTEL_EXPORTER_OTLP_ENDPOINT must be a URL/);
  });
});
