import { type DynamicModule, Global, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CONFIGURATION, type Configuration } from '../config/configuration.js';
import { ScheduledTasks } from '../database/scheduled-tasks.js';
import { type Tracer } from '../telemetry/span.js';
import { DeadWorkers } from './dead-workers.js';
import { Log } from '../logging/log.js';
import { JobMetrics } from './job-metrics.js';
import { JobRunner } from './job-runner.js';
import { QueuedJobs } from './queued-jobs.js';

/** At least two, so that one job that takes long does not make all others wait; no more than files can be read. */
function workersOf(concurrency: number, extractionProcesses: number): number {
  return concurrency === 0 ? 0 : Math.max(2, Math.min(concurrency, extractionProcesses + 1));
}

@Global()
@Module({})
export class JobsModule {
  static with(tracer?: Tracer): DynamicModule {
    return {
      module: JobsModule,
      providers: [
        JobMetrics,
        QueuedJobs,
        {
          provide: JobRunner,
          useFactory: (
            dataSource: DataSource,
            metrics: JobMetrics,
            { workerConcurrency, extractionProcesses, shutdownTimeout }: Configuration,
            log: Log,
          ) =>
            new JobRunner(dataSource, metrics, log, {
              concurrency: workersOf(workerConcurrency, extractionProcesses),
              shutdownTimeoutMs: shutdownTimeout,
              tracer,
            }),
          inject: [DataSource, JobMetrics, CONFIGURATION, Log],
        },
        {
          provide: DeadWorkers,
          useFactory: (dataSource: DataSource, tasks: ScheduledTasks, log: Log) =>
            new DeadWorkers(dataSource, tasks, log),
          inject: [DataSource, ScheduledTasks, Log],
        },
      ],
      exports: [DeadWorkers, JobMetrics, JobRunner, QueuedJobs],
    };
  }
}
