import { Module, type OnModuleInit } from '@nestjs/common';
import { ExpirySweep } from '../../platform/tenancy/tenants/expiry-sweep.js';
import { NotificationsController } from './notifications.controller.js';
import { NotificationsRepository } from './notifications.repository.js';
import { NotificationsService } from './notifications.service.js';

@Module({
  controllers: [NotificationsController],
  providers: [NotificationsRepository, NotificationsService],
})
export class NotificationsModule implements OnModuleInit {
  constructor(
    private readonly sweep: ExpirySweep,
    private readonly notifications: NotificationsRepository,
  ) {}

  onModuleInit(): void {
    this.sweep.register(this.notifications);
  }
}
