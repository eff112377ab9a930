import { Global, Module, type DynamicModule } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CONFIGURATION, type Configuration } from '../config/configuration.js';
import { INSTANCE, type Instance, runsBackgroundWork } from '../instances/instance.js';
import { Log } from '../logging/log.js';
import { CursorCodec } from './paging/cursor-codec.js';
import { PagedReads } from './paging/paged-reads.js';
import { Replicas } from './replicas/replicas.js';
import { ScheduledTasks } from './scheduled-tasks.js';
import { RecordingStatements } from './transactions/tenant-transaction.js';
import { UnitOfWork } from './transactions/unit-of-work.js';

/** The caller opens and closes the data source. */
@Global()
@Module({})
export class DatabaseModule {
  static with(dataSource: DataSource): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [
        { provide: DataSource, useValue: dataSource },
        {
          provide: UnitOfWork,
          useFactory: (recording: RecordingStatements, replicas: Replicas) =>
            UnitOfWork.open(dataSource, recording, replicas),
          inject: [RecordingStatements, Replicas],
        },
        {
          provide: ScheduledTasks,
          useFactory: ({ workerConcurrency }: Configuration, log: Log, instance: Instance | null) =>
            new ScheduledTasks(dataSource, log, workerConcurrency > 0 && runsBackgroundWork(instance)),
          inject: [CONFIGURATION, Log, INSTANCE],
        },
        CursorCodec,
        PagedReads,
        Replicas,
      ],
      exports: [CursorCodec, DataSource, PagedReads, Replicas, ScheduledTasks, UnitOfWork],
    };
  }
}
