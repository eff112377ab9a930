import { type Variable } from './variable.js';
import { flag, integer, oneOf, text, url } from './variable-readers.js';

/** Where the standard has a collector listen that nobody says where it is. */
const USUAL_COLLECTOR = 'http://localhost:4318';

/**
 * OpenTelemetry's own variables, as far as the service decides by them; what its SDK reads beside them is listed in
 * docs/operations.md. https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
export const TELEMETRY_VARIABLES = {
  otlpEndpoint: {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    description:
      'OpenTelemetry collector (OTLP over HTTP) that gets traces and metrics: `http://127.0.0.1:4318`. See [docs/operations.md](docs/operations.md).',
    defaultText: 'nothing is sent',
    read: url(['http:', 'https:']),
  },
  otlpTracesEndpoint: {
    name: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    description: 'Where traces go, if elsewhere; the whole URL.',
    defaultText: '`<OTEL_EXPORTER_OTLP_ENDPOINT>/v1/traces`',
    read: url(['http:', 'https:']),
  },
  otlpMetricsEndpoint: {
    name: 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
    description: 'Where metrics go, if elsewhere; the whole URL.',
    defaultText: '`<OTEL_EXPORTER_OTLP_ENDPOINT>/v1/metrics`',
    read: url(['http:', 'https:']),
  },
  otlpProtocol: {
    name: 'OTEL_EXPORTER_OTLP_PROTOCOL',
    description: 'How they are sent: `http/protobuf` or `http/json`.',
    defaultText: '`http/protobuf`',
    read: oneOf(['http/protobuf', 'http/json'], 'http/protobuf'),
  },
  tracesExporter: {
    name: 'OTEL_TRACES_EXPORTER',
    description: '`otlp` or `none`.',
    defaultText: '`otlp` with an endpoint, else `none`',
    read: exporter,
  },
  metricsExporter: {
    name: 'OTEL_METRICS_EXPORTER',
    description: '`otlp` or `none`. Prometheus can read `/metrics` in any case.',
    defaultText: '`otlp` with an endpoint, else `none`',
    read: exporter,
  },
  metricExportInterval: {
    name: 'OTEL_METRIC_EXPORT_INTERVAL',
    description: 'Milliseconds between two sendings of metrics.',
    defaultText: '`60000`',
    read: integer(100, 86_400_000, 60_000),
  },
  telemetryServiceName: {
    name: 'OTEL_SERVICE_NAME',
    description: 'What the service is called in traces and metrics.',
    defaultText: '`filing-service`',
    read: text('filing-service'),
  },
  tracePropagators: {
    name: 'OTEL_PROPAGATORS',
    description:
      'Whether a request goes on with the trace that it names (`traceparent`): a list with `tracecontext`, or `none`.',
    defaultText: '`tracecontext`',
    read: propagators,
  },
  telemetryDisabled: {
    name: 'OTEL_SDK_DISABLED',
    description: '`true` sends nothing, whatever else is set.',
    defaultText: '`false`',
    read: flag(false),
  },
} as const satisfies Record<string, Variable<unknown>>;

type Values = {
  readonly [K in keyof typeof TELEMETRY_VARIABLES]: ReturnType<(typeof TELEMETRY_VARIABLES)[K]['read']>;
};

/** Where traces and metrics are sent; undefined where they are not. */
export interface TelemetryTargets {
  readonly tracesUrl: string | undefined;
  readonly metricsUrl: string | undefined;
}

export function telemetryTargets(values: Values): TelemetryTargets {
  const { otlpEndpoint, telemetryDisabled } = values;
  const target = (own: string | undefined, exporter: 'otlp' | 'none' | undefined, path: string) => {
    const chosen = exporter ?? (own === undefined && otlpEndpoint === undefined ? 'none' : 'otlp');
    if (telemetryDisabled || chosen === 'none') return undefined;
    return own ?? `${(otlpEndpoint ?? USUAL_COLLECTOR).replace(/\/+$/, '')}${path}`;
  };
  return {
    tracesUrl: target(values.otlpTracesEndpoint, values.tracesExporter, '/v1/traces'),
    metricsUrl: target(values.otlpMetricsEndpoint, values.metricsExporter, '/v1/metrics'),
  };
}

function exporter(value: string | undefined): 'otlp' | 'none' | undefined {
  return value === undefined ? undefined : oneOf(['otlp', 'none'], 'none')(value);
}

/** Whether the caller's trace is gone on with. Baggage is taken by nobody here, and may be named. */
function propagators(value: string | undefined): 'tracecontext' | 'none' {
  const names = (value ?? 'tracecontext').split(',').map((name) => name.trim());
  if (!names.every((name) => ['tracecontext', 'baggage', 'none'].includes(name)))
    throw new Error('must be a list of tracecontext and baggage, or none');
  return names.includes('tracecontext') ? 'tracecontext' : 'none';
}
