import { Global, Module, type DynamicModule } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { RecordingStatements, UnitOfWork } from './transactions/unit-of-work.js';

/** Gives everybody the data source that `main` (or a test) has opened, and the unit of work on it. */
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
      ],
      exports: [DataSource, UnitOfWork],
    };
  }
}
