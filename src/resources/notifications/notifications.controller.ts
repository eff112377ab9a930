import { Get, Post, Query, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { CurrentCaller } from '../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../platform/http/endpoint/endpoint.js';
import { pageOf } from '../../platform/http/endpoint/page-of.js';
import { PathId } from '../../platform/http/endpoint/path-id.js';
import { TenantController } from '../../platform/http/endpoint/tenant-controller.js';
import type { FilingRequest } from '../../platform/http/pipeline/request-state.js';
import { Caller } from '../../platform/tenancy/access/caller.js';
import { ListNotificationsQuery, NotificationResponse } from './notifications.dto.js';
import { NotificationStreamsService } from './notification-streams.service.js';
import { NotificationsService } from './notifications.service.js';

@TenantController('notifications', 'Notifications')
export class NotificationsController {
  constructor(
    private readonly notifications: NotificationsService,
    private readonly streams: NotificationStreamsService,
  ) {}

  @Get()
  @Endpoint({
    operation: 'ListNotifications',
    summary: 'List the notifications of the caller, newest first',
    description:
      'Leaves out notifications about documents and files that the caller cannot see at the moment. Notifications that access was revoked are always included.',
    permission: 'member',
    returns: pageOf(NotificationResponse),
    specified: true,
  })
  list(@CurrentCaller() caller: Caller, @Query() query: ListNotificationsQuery) {
    return this.notifications.list(caller, query);
  }

  @Get('stream')
  @Endpoint({
    operation: 'StreamNotifications',
    summary: 'Receive the notifications of the caller as they occur (Server-Sent Events)',
    description:
      'Sends the notifications that are created while the stream is open, with the type as `event` and without `id`. ' +
      'After each connection, list the notifications to get the earlier ones. ' +
      'Visibility is as in ListNotifications.',
    permission: 'member',
    returns: NotificationResponse,
    eventStream: 'live',
  })
  stream(@Req() request: FilingRequest, @Res() response: Response) {
    return this.streams.open(request, response);
  }

  @Post('read-all')
  @Endpoint({
    operation: 'MarkAllNotificationsRead',
    summary: 'Mark all notifications of the caller as read',
    permission: 'member',
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
  })
  markRead(@CurrentCaller() caller: Caller, @PathId('notificationId') id: string) {
    return this.notifications.markRead(caller, id);
  }
}
