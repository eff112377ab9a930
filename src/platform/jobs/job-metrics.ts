import { Injectable } from '@nestjs/common';
import { Gauge, Histogram } from 'prom-client';
import { DataSource } from 'typeorm';
import { JOBS, type JobTask } from '../../common/vocabulary/jobs.js';
import { QUEUE_SCHEMA } from '../database/schema/queue-schema.js';

/**
 * `returned`: to the queue, because the worker stopped or a server was away. `postponed`: took long while jobs of other tenants were
 * waiting. `paused`: the tenant is suspended.
 */
export type JobOutcome = 'done' | 'failed' | 'returned' | 'postponed' | 'paused';

/** Jobs that no worker runs, including those whose next attempt is not due yet. */
const WAITING = `SELECT t.identifier AS task, count(*)::int AS count
                   FROM ${QUEUE_SCHEMA}._private_jobs j JOIN ${QUEUE_SCHEMA}._private_tasks t ON t.id = j.task_id
                  WHERE j.is_available GROUP BY t.identifier`;

/** Prometheus metrics of jobs. The owner of the registry adds them to it. */
@Injectable()
export class JobMetrics {
  readonly all: readonly (Gauge | Histogram)[];
  private readonly running = new Gauge({
    name: 'jobs_running',
    help: 'Jobs that are running on this instance, by task',
    labelNames: ['task'],
    registers: [],
  });
  private readonly duration = new Histogram({
    name: 'job_duration_seconds',
    help: 'Duration of job attempts on this instance, by task and outcome (done, failed, returned, postponed, paused)',
    labelNames: ['task', 'outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300],
    registers: [],
  });

  constructor(dataSource: DataSource) {
    const waiting = new Gauge({
      name: 'jobs_waiting',
      help: 'Jobs in the queue that are not running, by task',
      labelNames: ['task'],
      registers: [],
      // Every process reports the number of the whole queue.
      aggregator: 'max',
      async collect() {
        this.reset();
        // Without the database, the number is unknown: report no value. Other metrics show the failure.
        const rows = await dataSource.query<{ task: string; count: number }[]>(WAITING).catch(() => null);
        if (!rows) return;
        for (const task of Object.keys(JOBS)) this.labels(task).set(0);
        for (const { task, count } of rows) this.labels(task).set(count);
      },
    });
    this.all = [waiting, this.running, this.duration] as (Gauge | Histogram)[];
  }

  /** Starts an attempt. Call the returned function when the attempt ends; it returns the duration in seconds. */
  begin(task: JobTask): (outcome: JobOutcome) => number {
    const endTimer = this.duration.startTimer({ task });
    this.running.labels(task).inc();
    return (outcome) => {
      this.running.labels(task).dec();
      return endTimer({ outcome });
    };
  }
}
