import { Get, Post, Query } from '@nestjs/common';
import { CurrentCaller } from '../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../platform/http/endpoint/endpoint.js';
import { pageOf } from '../../platform/http/endpoint/page-of.js';
import { PathId } from '../../platform/http/endpoint/path-id.js';
import { TenantController } from '../../platform/http/endpoint/tenant-controller.js';
import { Caller } from '../../platform/tenancy/access/caller.js';
import { ListNotificationsQuery, NotificationResponse } from './notifications.dto.js';
import { NotificationsService } from './notifications.service.js';

@TenantController('notifications', 'Notifications')
export class NotificationsController {
  constructor(private readonly notifications: NotificationsService) {}

  @Get()
  @Endpoint({
    operation: 'ListNotifications',
    summary: 'List the notifications of the caller, newest first',
    description:
      'Leaves out notifications about documents and files that the caller cannot see at the moment. Notifications that access was revoked are always included.',
    permission: 'member',
    success: 200,
    problems: [400],
    returns: pageOf(NotificationResponse),
  })
  list(@CurrentCaller() caller: Caller, @Query() query: ListNotificationsQuery) {
    return this.notifications.list(caller, query);
  }

  @Post('read-all')
  @Endpoint({
    operation: 'MarkAllNotificationsRead',
    summary: 'Mark all notifications of the caller as read',
    permission: 'member',
    success: 204,
    problems: [],
    addition: true,
  })
  markAllRead(@CurrentCaller() caller: Caller) {
    return this.notifications.markAllRead(caller);
  }

  @Post(':notificationId/read')
  @Endpoint({
    operation: 'MarkNotificationRead',
    summary: 'Mark a notification as read',
    description: 'Changes nothing if the notification was already read.',
    permission: 'member',
    success: 204,
    problems: [404],
    addition: true,
  })
  markRead(@CurrentCaller() caller: Caller, @PathId('notificationId') id: string) {
    return this.notifications.markRead(caller, id);
  }
}
