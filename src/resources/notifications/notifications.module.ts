import { Module } from '@nestjs/common';
import { NotificationStreamsService } from './notification-streams.service.js';
import { NotificationsController } from './notifications.controller.js';
import { NotificationsReader } from './notifications.reader.js';
import { NotificationsRepository } from './notifications.repository.js';
import { NotificationsService } from './notifications.service.js';

@Module({
  controllers: [NotificationsController],
  providers: [NotificationsReader, NotificationsRepository, NotificationsService, NotificationStreamsService],
  exports: [NotificationsReader],
})
export class NotificationsModule {}
