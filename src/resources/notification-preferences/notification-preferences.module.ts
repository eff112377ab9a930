import { Module } from '@nestjs/common';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { NotificationMailSelection } from './notification-mail-selection.js';
import { NotificationMailer } from './notification-mailer.js';
import { NotificationMailsRepository } from './notification-mails.repository.js';
import { NotificationPreferencesController } from './notification-preferences.controller.js';
import { NotificationPreferencesRepository } from './notification-preferences.repository.js';
import { NotificationPreferencesService } from './notification-preferences.service.js';
import { UnsubscribeTokens } from './unsubscribe-token.js';
import { UnsubscribeController } from './unsubscribe.controller.js';

@Module({
  imports: [NotificationsModule],
  controllers: [NotificationPreferencesController, UnsubscribeController],
  providers: [
    NotificationMailSelection,
    NotificationMailer,
    NotificationMailsRepository,
    NotificationPreferencesRepository,
    NotificationPreferencesService,
    UnsubscribeTokens,
  ],
})
export class NotificationPreferencesModule {}
