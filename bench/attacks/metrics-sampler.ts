import { memoryOf } from '../machine.js';

const EVERY_MS = 500;

/** Samples heap, resident memory and event-loop delay of the service until `stop`. A value is 0 when the service never answered. */
export class MetricsSampler {
  private heap = 0;
  private rss = 0;
  private delay = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly pid: number,
    private readonly metricsUrl: string,
  ) {
    this.timer = setInterval(() => void this.sample().catch(() => undefined), EVERY_MS);
  }

  /** Stops sampling; returns the maximums in MiB and milliseconds. */
  stop(): { heap: string; rss: string; delay: string } {
    clearInterval(this.timer);
    return { heap: this.heap.toFixed(0), rss: this.rss.toFixed(0), delay: (this.delay * 1000).toFixed(0) };
  }

  private async sample(): Promise<void> {
    this.rss = Math.max(this.rss, memoryOf(this.pid).now);
    const text = await (await fetch(this.metricsUrl)).text();
    const value = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? 0);
    this.heap = Math.max(this.heap, value('nodejs_heap_size_used_bytes') / 1024 / 1024);
    this.delay = Math.max(this.delay, value('nodejs_eventloop_lag_max_seconds'));
  }
}
