import { Global, Module, type DynamicModule } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Log } from '../logging/log.js';
import { CursorCodec } from './paging/cursor-codec.js';
import { PagedReads } from './paging/paged-reads.js';
import { ScheduledTasks } from './scheduled-tasks.js';
import { RecordingStatements, UnitOfWork } from './transactions/unit-of-work.js';

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
          useFactory: (recording: RecordingStatements) => new UnitOfWork(dataSource, recording),
          inject: [RecordingStatements],
        },
        {
          provide: ScheduledTasks,
          useFactory: (log: Log) => new ScheduledTasks(dataSource, log),
          inject: [Log],
        },
        CursorCodec,
        PagedReads,
      ],
      exports: [CursorCodec, DataSource, PagedReads, ScheduledTasks, UnitOfWork],
    };
  }
}
