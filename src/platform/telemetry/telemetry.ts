import { type Tracer } from './span.js';

/** As much of the service's log as is used here. */
export interface TelemetryLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export type MetricLabels = Readonly<Partial<Record<string, string | number>>>;

export interface MetricSample {
  readonly labels: MetricLabels;
  readonly value: number;
  /** Of a histogram: its own name with `_bucket`, `_sum` or `_count`. */
  readonly metricName?: string;
}

export interface Metric {
  readonly name: string;
  readonly help: string;
  /** `counter`, `gauge` or `histogram`; the typings of prom-client have numbers, which it does not use. */
  readonly type: unknown;
  readonly values: readonly MetricSample[];
}

/** As much of prom-client's registry as is used here. */
export interface MetricsRegistry {
  getMetricsAsJSON(): Promise<readonly Metric[]>;
}

/** What sends traces and metrics to a collector. It ends with the application, and then sends what is left. */
export interface Telemetry {
  /** Undefined where only metrics are sent. */
  readonly tracer: Tracer | undefined;
  /** Sends what Prometheus could read, from now on. */
  sendMetrics(registry: MetricsRegistry): void;
  onApplicationShutdown(): Promise<void>;
}

export const TELEMETRY = Symbol('TELEMETRY');
