import { Global, Module } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../config/configuration.js';
import { Mailer, NoMailer } from './mailer.js';

@Global()
@Module({
  providers: [
    {
      provide: Mailer,
      useFactory: async ({ smtpUrl, mailFrom }: Configuration): Promise<Mailer> => {
        if (!smtpUrl || !mailFrom) return new NoMailer();
        // Loaded only when needed, because loading nodemailer slows down the start.
        const { SmtpMailer } = await import('./smtp-mailer.js');
        return new SmtpMailer(smtpUrl, mailFrom);
      },
      inject: [CONFIGURATION],
    },
  ],
  exports: [Mailer],
})
export class MailModule {}
