import { setTimeout as sleep } from 'node:timers/promises';
import { ExportResultCode } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import { newId } from '../../common/identifier.js';
import { type LogWriter } from '../logging/log.js';
import { SdkTracer } from './sdk-tracer.js';
import { type Tracer } from './span.js';

const SERVICE_NAME = 'filing-service';
/** Maximum time that a stopping service waits for the collector. */
const FLUSH_MS = 3000;

/**
 * Sets up OpenTelemetry's SDK. It is not registered globally, so only spans of this service are sent. The SDK reads
 * its own environment variables: endpoint, headers, compression, timeout, certificates, sampler, limits, batches,
 * name and attributes of the service.
 */
export class OpenTelemetry {
  readonly tracer: Tracer;
  private readonly traces: BasicTracerProvider;

  constructor(log: Pick<LogWriter, 'info' | 'warn'>) {
    this.traces = new BasicTracerProvider({
      resource: defaultResource()
        .merge(resourceFromAttributes({ 'service.name': SERVICE_NAME, 'service.instance.id': newId() }))
        .merge(detectResources({ detectors: [envDetector] })),
      spanProcessors: [new BatchSpanProcessor(logFailures(new OTLPTraceExporter(), log))],
    });
    this.tracer = new SdkTracer(this.traces.getTracer(SERVICE_NAME));
  }

  async onApplicationShutdown(): Promise<void> {
    const waiting = new AbortController();
    const flushed = this.traces.shutdown().catch(() => undefined);
    await Promise.race([
      flushed,
      sleep(FLUSH_MS, undefined, { signal: waiting.signal }).catch(() => undefined),
    ]);
    waiting.abort();
  }
}

/** Logs once when the export of spans starts to fail, and once when it works again. The SDK logs neither. */
function logFailures(exporter: SpanExporter, log: Pick<LogWriter, 'info' | 'warn'>): SpanExporter {
  const send = exporter.export.bind(exporter);
  let failing = false;
  exporter.export = (spans, done) =>
    send(spans, (result) => {
      const failed = result.code !== ExportResultCode.SUCCESS;
      if (failed && !failing)
        log.warn({ reason: result.error?.message }, 'sending traces to the collector failed');
      if (!failed && failing) log.info({}, 'sending traces to the collector works again');
      failing = failed;
      done(result);
    });
  return exporter;
}
