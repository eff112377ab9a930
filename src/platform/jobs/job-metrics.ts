import { Injectable } from '@nestjs/common';
import { Gauge, Histogram } from 'prom-client';
import { DataSource } from 'typeorm';
import { JOBS, type JobTask } from '../../common/vocabulary/jobs.js';
import { QUEUE_SCHEMA } from '../database/schema/queue-schema.js';

/** How a job ended here: `returned` when the worker stopped, `postponed` when it took long and other tenants waited. */
export type JobOutcome = 'done' | 'failed' | 'returned' | 'postponed';

/** Jobs that nobody is at; those that are not due yet wait for their next attempt. */
const WAITING = `SELECT t.identifier AS task, count(*)::int AS count
                   FROM ${QUEUE_SCHEMA}._private_jobs j JOIN ${QUEUE_SCHEMA}._private_tasks t ON t.id = j.task_id
                  WHERE j.is_available GROUP BY t.identifier`;

/** What Prometheus is told of the jobs; whoever has the registry puts these into it. */
@Injectable()
export class JobMetrics {
  readonly all: readonly (Gauge | Histogram)[];
  private readonly running = new Gauge({
    name: 'jobs_running',
    help: 'Jobs that this instance is at, by task',
    labelNames: ['task'],
    registers: [],
  });
  private readonly duration = new Histogram({
    name: 'job_duration_seconds',
    help: 'Time that an attempt at a job took on this instance, by task and outcome (done, failed, returned, postponed)',
    labelNames: ['task', 'outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300],
    registers: [],
  });

  constructor(dataSource: DataSource) {
    const waiting = new Gauge({
      name: 'jobs_waiting',
      help: 'Jobs in the queue that no instance is at, by task',
      labelNames: ['task'],
      registers: [],
      async collect() {
        this.reset();
        // Where the database is away, the other metrics tell of it; nobody knows what waits.
        const rows = await dataSource.query<{ task: string; count: number }[]>(WAITING).catch(() => null);
        if (!rows) return;
        for (const task of Object.keys(JOBS)) this.labels(task).set(0);
        for (const { task, count } of rows) this.labels(task).set(count);
      },
    });
    this.all = [waiting, this.running, this.duration] as (Gauge | Histogram)[];
  }

  /** To be called when an attempt begins; the returned function when it ends. Gives the seconds that it took. */
  begin(task: JobTask): (outcome: JobOutcome) => number {
    const startedAt = process.hrtime.bigint();
    this.running.labels(task).inc();
    return (outcome) => {
      const seconds = Number(process.hrtime.bigint() - startedAt) / 1e9;
      this.running.labels(task).dec();
      this.duration.labels(task, outcome).observe(seconds);
      return seconds;
    };
  }
}
