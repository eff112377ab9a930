import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { DataSource } from 'typeorm';
import { poolOf } from '../../database/connections/pool-of.js';
import { Replicas } from '../../database/replicas/replicas.js';
import { EventMetrics } from '../../events/event-metrics.js';
import { JobMetrics } from '../../jobs/job-metrics.js';

/** The metrics for Prometheus. No label contains a tenant or a user: their names and number are confidential. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();
  readonly inFlight = new Gauge({
    name: 'http_requests_in_flight',
    help: 'Requests in progress',
    registers: [this.registry],
  });
  private readonly duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer a request, by operation and status',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });
  /** Cache of label lookups, by operation and status: some hundred entries. */
  private readonly observers = new Map<string, Histogram.Internal<'operation' | 'status'>>();
  private readonly limited = new Counter({
    name: 'http_rate_limited_total',
    help: 'Requests answered 429, by operation',
    labelNames: ['operation'],
    registers: [this.registry],
  });
  readonly openStreams = new Gauge({
    name: 'http_streams_open',
    help: 'Open streams, by operation',
    labelNames: ['operation'],
    registers: [this.registry],
  });
  readonly endedStreams = new Counter({
    name: 'http_streams_ended_total',
    help: 'Streams that have ended, by operation and reason',
    labelNames: ['operation', 'reason'],
    registers: [this.registry],
  });

  constructor(dataSource: DataSource, jobs: JobMetrics, events: EventMetrics, replicas: Replicas) {
    collectDefaultMetrics({ register: this.registry });
    const parts = [jobs.all, events.all, ...(replicas.areUsed ? [replicas.metrics.all] : [])];
    for (const metric of parts.flat()) this.registry.registerMetric(metric);
    const pool = poolOf(dataSource);
    for (const [name, help, read] of [
      ['database_pool_connections', 'Connections of the pool', () => pool.totalCount],
      ['database_pool_idle', 'Idle connections of the pool', () => pool.idleCount],
      ['database_pool_waiting', 'Requests that wait for a connection', () => pool.waitingCount],
    ] as const) {
      new Gauge({
        name,
        help,
        registers: [this.registry],
        collect() {
          this.set(read());
        },
      });
    }
  }

  observe(operation: string, status: number, seconds: number): void {
    const key = `${operation} ${status}`;
    let observer = this.observers.get(key);
    if (!observer) this.observers.set(key, (observer = this.duration.labels(operation, String(status))));
    observer.observe(seconds);
    if (status === 429) this.limited.labels(operation).inc();
  }
}
