import { describe, expect, it } from '@jest/globals';
import { loadConfiguration } from '../../../src/platform/config/configuration.js';

const load = (environment: NodeJS.ProcessEnv) =>
  loadConfiguration({ OIDC_ISSUER: 'https://issuer.example', ...environment });
const targets = (environment: NodeJS.ProcessEnv) => {
  const { tracesUrl, metricsUrl } = load(environment);
  return [tracesUrl, metricsUrl];
};
const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' };

describe('The configuration of traces and metrics', () => {
  it('sends nothing by default', () => {
    expect(targets({})).toEqual([undefined, undefined]);
    expect(targets({ OTEL_SERVICE_NAME: 'filing' })).toEqual([undefined, undefined]);
  });

  it.each<[NodeJS.ProcessEnv, string | undefined, string | undefined]>([
    [ENDPOINT, 'http://collector:4318/v1/traces', 'http://collector:4318/v1/metrics'],
    [{ ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }, undefined, 'http://collector:4318/v1/metrics'],
    [{ ...ENDPOINT, OTEL_METRICS_EXPORTER: 'none' }, 'http://collector:4318/v1/traces', undefined],
    [{ ...ENDPOINT, OTEL_SDK_DISABLED: 'true' }, undefined, undefined],
    [{ OTEL_TRACES_EXPORTER: 'otlp' }, 'http://localhost:4318/v1/traces', undefined],
    [
      { ...ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/in?key=1' },
      'https://traces.example/in?key=1',
      'http://collector:4318/v1/metrics',
    ],
    [
      { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://prometheus:9090/otlp' },
      undefined,
      'http://prometheus:9090/otlp',
    ],
  ])('with %j sends traces to %s and metrics to %s', (environment, traces, metrics) => {
    expect(targets(environment)).toEqual([traces, metrics]);
  });

  it.each([
    [
      { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
      /OTEL_EXPORTER_OTLP_PROTOCOL must be one of http\/protobuf, http\/json/,
    ],
    [{ OTEL_TRACES_EXPORTER: 'zipkin' }, /OTEL_TRACES_EXPORTER must be one of otlp, none/],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' }, /OTEL_EXPORTER_OTLP_ENDPOINT must be a URL/],
    [{ OTEL_PROPAGATORS: 'b3' }, /OTEL_PROPAGATORS must be a list of tracecontext and baggage, or none/],
    [{ OTEL_METRIC_EXPORT_INTERVAL: '1' }, /OTEL_METRIC_EXPORT_INTERVAL must be a whole number/],
  ])('refuses %j', (environment, sentence) => {
    expect(() => load(environment)).toThrow(sentence);
  });

  it.each([
    [undefined, 'tracecontext'],
    ['tracecontext,baggage', 'tracecontext'],
    ['baggage, tracecontext', 'tracecontext'],
    ['baggage', 'none'],
    ['none', 'none'],
  ])('takes the propagators %s for %s', (value, expected) => {
    expect(load({ OTEL_PROPAGATORS: value }).tracePropagators).toBe(expected);
  });
});
