import { Global, Module } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../config/configuration.js';
import { Mailer, NoMailer } from './mailer.js';

@Global()
@Module({
  providers: [
    {
      provide: Mailer,
      useFactory: async (configuration: Configuration): Promise<Mailer> => {
        const { smtpUrl, mailFrom, mailDkimDomain, mailDkimSelector, mailDkimKey, mailDemoUsers } =
          configuration;
        if (!smtpUrl || !mailFrom) return new NoMailer();
        // Loaded only when needed, because loading nodemailer slows down the start.
        const { SmtpMailer } = await import('./smtp-mailer.js');
        const dkim =
          mailDkimDomain && mailDkimSelector && mailDkimKey
            ? { domainName: mailDkimDomain, keySelector: mailDkimSelector, privateKey: mailDkimKey }
            : null;
        return new SmtpMailer(smtpUrl, mailFrom, mailDemoUsers, dkim);
      },
      inject: [CONFIGURATION],
    },
  ],
  exports: [Mailer],
})
export class MailModule {}
