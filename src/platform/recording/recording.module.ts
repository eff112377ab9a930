import { Global, Module } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../config/configuration.js';
import { RecordingStatements } from '../database/transactions/tenant-transaction.js';
import { Mailer } from '../mail/mailer.js';
import { NotificationMailQueue } from './notification-mail-queue.js';
import { Recording } from './recording.js';

@Global()
@Module({
  providers: [
    {
      provide: Recording,
      useFactory: (mailer: Mailer, configuration: Configuration) =>
        new Recording(new NotificationMailQueue(mailer, configuration)),
      inject: [Mailer, CONFIGURATION],
    },
    { provide: RecordingStatements, useExisting: Recording },
  ],
  exports: [Recording, RecordingStatements],
})
export class RecordingModule {}
