import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client';
import { type ProcessChannel } from '../../instances/process-channel.js';

const CALL = 'metrics';
const TIMEOUT_MS = 5000;

type Values = MetricObjectWithValues<MetricValue<string>>[];

/** Types whose values only grow. The others describe the moment and end with their process. */
const CUMULATIVE: readonly unknown[] = ['counter', 'histogram'];

/** Answers requests of the primary process for the metrics of this process. */
export function serveMetrics(primary: ProcessChannel, registry: Registry): void {
  primary.handle(CALL, () => registry.getMetricsAsJSON());
}

/**
 * The metrics of all processes, each as the sum, or as its `aggregator` says. Counters of a process that has ended stay
 * part of the sum, as of the last scrape: Prometheus would take a smaller sum for a restart of all processes.
 */
export class SharedMetrics {
  readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE;
  private readonly latest = new Map<ProcessChannel, Values>();
  private ended: Values[] = [];

  add(channel: ProcessChannel): void {
    this.latest.set(channel, []);
  }

  /** Must be called when the process has ended. */
  async remove(channel: ProcessChannel): Promise<void> {
    const values = this.latest.get(channel) ?? [];
    this.latest.delete(channel);
    const cumulative = values.filter(({ type }) => CUMULATIVE.includes(type));
    this.ended.push(cumulative);
    // Merged, so that their number does not grow with each process that ends.
    this.ended = [await AggregatorRegistry.aggregate(this.ended).getMetricsAsJSON()];
  }

  /** Rejects if no process answers. */
  async metrics(): Promise<string> {
    const channels = [...this.latest.keys()];
    const read = async (channel: ProcessChannel) => {
      const values = await channel.call<Values>(CALL, undefined, TIMEOUT_MS);
      if (this.latest.has(channel)) this.latest.set(channel, values);
    };
    const results = await Promise.allSettled(channels.map(read));
    if (results.every(({ status }) => status === 'rejected')) throw new Error('No process answers');
    return AggregatorRegistry.aggregate([...this.latest.values(), ...this.ended]).metrics();
  }
}
