import { Global, Module } from '@nestjs/common';
import { RecordingStatements } from '../database/transactions/unit-of-work.js';
import { Recording } from './recording.js';

@Global()
@Module({
  providers: [{ provide: RecordingStatements, useClass: Recording }],
  exports: [RecordingStatements],
})
export class RecordingModule {}
