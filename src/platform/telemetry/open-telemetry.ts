import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Resource,
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  MeterProvider,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { newId } from '../../common/identifier.js';
import { type Configuration } from '../config/configuration.js';
import { SdkTracer } from './sdk-tracer.js';
import { metricsExporter, traceExporter } from './exporters.js';
import { RegistryProducer } from './registry-producer.js';
import { type Tracer } from './span.js';
import { type MetricsRegistry, type Telemetry, type TelemetryLog } from './telemetry.js';

const SCOPE = 'filing-service';
/** What a stopping service sends last must not keep it, whatever the collector does. */
const FLUSH_MS = 3000;

/**
 * OpenTelemetry's SDK, put together by hand and registered nowhere: what has no span of ours is not traced. This module
 * and what it imports are loaded only where something is to be sent (start-telemetry.ts).
 */
export class OpenTelemetry implements Telemetry {
  readonly tracer: Tracer | undefined;
  private meters: MeterProvider | undefined;

  private constructor(
    private readonly resource: Resource,
    private readonly traces: BasicTracerProvider | undefined,
    private readonly metrics: PushMetricExporter | undefined,
    private readonly metricsIntervalMs: number,
  ) {
    this.tracer = traces && new SdkTracer(traces.getTracer(SCOPE));
  }

  static async start(configuration: Configuration, log: TelemetryLog): Promise<OpenTelemetry> {
    const { tracesUrl, metricsUrl, otlpProtocol } = configuration;
    const resource = resourceOf(configuration);
    const exporter = tracesUrl === undefined ? undefined : await traceExporter(tracesUrl, otlpProtocol, log);
    // Sampler, limits and the sizes of batches are read from the environment by the SDK itself.
    const traces =
      exporter && new BasicTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter)] });
    return new OpenTelemetry(
      resource,
      traces,
      metricsUrl === undefined ? undefined : await metricsExporter(metricsUrl, otlpProtocol, log),
      configuration.metricExportInterval,
    );
  }

  sendMetrics(registry: MetricsRegistry): void {
    if (!this.metrics) return;
    const reader = new PeriodicExportingMetricReader({
      exporter: this.metrics,
      exportIntervalMillis: this.metricsIntervalMs,
      metricProducers: [new RegistryProducer(registry, SCOPE, this.resource)],
    });
    this.meters = new MeterProvider({ resource: this.resource, readers: [reader] });
  }

  async onApplicationShutdown(): Promise<void> {
    const patience = new AbortController();
    const flushed = Promise.allSettled([this.traces?.shutdown(), this.meters?.shutdown()]);
    await Promise.race([
      flushed,
      sleep(FLUSH_MS, undefined, { signal: patience.signal }).catch(() => undefined),
    ]);
    patience.abort();
  }
}

/** What the environment says in OTEL_RESOURCE_ATTRIBUTES goes before, OTEL_SERVICE_NAME before that. */
function resourceOf({ telemetryServiceName }: Configuration): Resource {
  return defaultResource()
    .merge(resourceFromAttributes({ 'service.name': telemetryServiceName, 'service.instance.id': newId() }))
    .merge(detectResources({ detectors: [envDetector] }));
}
