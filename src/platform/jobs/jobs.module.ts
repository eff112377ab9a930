import { type DynamicModule, Global, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CONFIGURATION, type Configuration } from '../config/configuration.js';
import { Log } from '../logging/log.js';
import { type Tracer } from '../telemetry/span.js';
import { DeadWorkers } from './dead-workers.js';
import { JobMetrics } from './job-metrics.js';
import { JobRunner } from './job-runner.js';
import { ProcessingFolder } from './processing-folder.js';
import { QueuedJobs } from './queued-jobs.js';

@Global()
@Module({})
export class JobsModule {
  static with(tracer?: Tracer): DynamicModule {
    return {
      module: JobsModule,
      providers: [
        DeadWorkers,
        JobMetrics,
        ProcessingFolder,
        QueuedJobs,
        {
          provide: JobRunner,
          useFactory: (dataSource: DataSource, metrics: JobMetrics, configuration: Configuration, log: Log) =>
            new JobRunner(dataSource, metrics, log, configuration, tracer),
          inject: [DataSource, JobMetrics, CONFIGURATION, Log],
        },
      ],
      exports: [DeadWorkers, JobMetrics, JobRunner, ProcessingFolder, QueuedJobs],
    };
  }
}
