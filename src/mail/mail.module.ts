import { Global, Module } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../config/configuration.js';
import { Mailer, NoMailer } from './mailer.js';
import { SmtpMailer } from './smtp-mailer.js';

@Global()
@Module({
  providers: [
    {
      provide: Mailer,
      useFactory: ({ smtpUrl, mailFrom }: Configuration) =>
        smtpUrl && mailFrom ? new SmtpMailer(smtpUrl, mailFrom) : new NoMailer(),
      inject: [CONFIGURATION],
    },
  ],
  exports: [Mailer],
})
export class MailModule {}
