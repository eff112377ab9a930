import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import { type PushMetricExporter } from '@opentelemetry/sdk-metrics';
import { type SpanExporter } from '@opentelemetry/sdk-trace-base';
import { type Configuration } from '../config/configuration.js';
import { type TelemetryLog } from './telemetry.js';

type Protocol = Configuration['otlpProtocol'];

/** Headers, compression, time limit and certificates are read from the environment by the exporters themselves. */
export async function traceExporter(
  url: string,
  protocol: Protocol,
  log: TelemetryLog,
): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  return reporting(new OTLPTraceExporter({ url }), 'traces', log);
}

export async function metricsExporter(
  url: string,
  protocol: Protocol,
  log: TelemetryLog,
): Promise<PushMetricExporter> {
  const { OTLPMetricExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-metrics-otlp-http')
      : await import('@opentelemetry/exporter-metrics-otlp-proto');
  return reporting(new OTLPMetricExporter({ url }), 'metrics', log);
}

/** What the exporters of both signals have in common. */
interface Exporter {
  export(items: unknown, done: (result: ExportResult) => void): void;
}

/**
 * Says once that the collector takes nothing, and once that it does again: the SDK says nothing of either, and a line
 * for each try would bury the others.
 */
function reporting<E extends SpanExporter | PushMetricExporter>(
  exporter: E,
  signal: 'traces' | 'metrics',
  log: TelemetryLog,
): E {
  const reported: Exporter = exporter;
  const send = reported.export.bind(exporter);
  let failing = false;
  reported.export = (items, done) =>
    send(items, (result) => {
      const failed = result.code !== ExportResultCode.SUCCESS;
      if (failed && !failing)
        log.warn({ signal, reason: result.error?.message }, 'the collector takes nothing');
      if (!failed && failing) log.info({ signal }, 'the collector takes what it is sent again');
      failing = failed;
      done(result);
    });
  return exporter;
}
