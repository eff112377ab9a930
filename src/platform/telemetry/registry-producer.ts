import { type HrTime, ValueType } from '@opentelemetry/api';
import { hrTime, millisToHrTime } from '@opentelemetry/core';
import { type Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type CollectionResult,
  DataPointType,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import { type Metric, type MetricLabels, type MetricSample, type MetricsRegistry } from './telemetry.js';

/**
 * The metrics that Prometheus reads, as OpenTelemetry has them: counted once, and under one name, whichever way they are
 * taken (docs/adr/0028). All are cumulative, since the process began.
 */
export class RegistryProducer implements MetricProducer {
  private readonly begin = millisToHrTime(performance.timeOrigin);

  constructor(
    private readonly registry: MetricsRegistry,
    private readonly scope: string,
    private readonly resource: Resource,
  ) {}

  async collect(): Promise<CollectionResult> {
    const found = await this.registry.getMetricsAsJSON();
    const now = hrTime();
    const metrics = found.map((metric) => this.converted(metric, now)).filter((metric) => metric !== null);
    const scopeMetrics = [{ scope: { name: this.scope }, metrics }];
    return { resourceMetrics: { resource: this.resource, scopeMetrics }, errors: [] };
  }

  private converted({ name, help, type, values }: Metric, endTime: HrTime): MetricData | null {
    const about = {
      descriptor: { name, description: help, unit: unitOf(name), valueType: ValueType.DOUBLE },
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
    };
    const point = <T>(attributes: MetricLabels, value: T) => ({
      startTime: this.begin,
      endTime,
      attributes,
      value,
    });
    const numbers = () => values.map(({ labels, value }) => point(labels, value));
    switch (type) {
      case 'counter':
        return { ...about, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: numbers() };
      case 'gauge':
        return { ...about, dataPointType: DataPointType.GAUGE, dataPoints: numbers() };
      case 'histogram':
        return {
          ...about,
          dataPointType: DataPointType.HISTOGRAM,
          dataPoints: histograms(name, values).map(({ labels, ...value }) => point(labels, value)),
        };
      default:
        return null;
    }
  }
}

interface HistogramValue {
  readonly labels: MetricLabels;
  readonly buckets: { boundaries: number[]; counts: number[] };
  sum: number;
  count: number;
}

/** Prometheus counts in each bucket what is in the ones below it, too; OpenTelemetry does not. */
function histograms(name: string, samples: readonly MetricSample[]): HistogramValue[] {
  const found = new Map<string, HistogramValue & { below: number }>();
  for (const { labels, value, metricName } of samples) {
    const { le, ...others } = labels;
    const key = JSON.stringify(others);
    let histogram = found.get(key);
    if (!histogram) {
      histogram = { labels: others, buckets: { boundaries: [], counts: [] }, sum: 0, count: 0, below: 0 };
      found.set(key, histogram);
    }
    if (metricName === `${name}_sum`) histogram.sum = value;
    else if (metricName === `${name}_count`) histogram.count = value;
    else {
      if (le !== '+Inf') histogram.buckets.boundaries.push(Number(le));
      histogram.buckets.counts.push(value - histogram.below);
      histogram.below = value;
    }
  }
  return [...found.values()].map(({ below: _below, ...histogram }) => histogram);
}

/** In the code of UCUM that OpenTelemetry asks for. */
function unitOf(name: string): string {
  if (/_seconds(_total)?$/.test(name)) return 's';
  return name.endsWith('_bytes') ? 'By' : '';
}
