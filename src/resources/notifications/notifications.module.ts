import { Module } from '@nestjs/common';
import { NotificationExpiry } from './notification-expiry.js';
import { NotificationsController } from './notifications.controller.js';
import { NotificationsRepository } from './notifications.repository.js';
import { NotificationsService } from './notifications.service.js';

@Module({
  controllers: [NotificationsController],
  providers: [NotificationExpiry, NotificationsRepository, NotificationsService],
})
export class NotificationsModule {}
