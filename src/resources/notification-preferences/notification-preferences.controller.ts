import { Body, Get, Put } from '@nestjs/common';
import { CurrentCaller } from '../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../platform/http/endpoint/endpoint.js';
import { TenantController } from '../../platform/http/endpoint/tenant-controller.js';
import { Caller } from '../../platform/tenancy/access/caller.js';
import {
  NotificationPreferencesResponse,
  UpdateNotificationPreferencesBody,
} from './notification-preferences.dto.js';
import { NotificationPreferencesService } from './notification-preferences.service.js';

@TenantController('notification-preferences', 'Notifications')
export class NotificationPreferencesController {
  constructor(private readonly preferences: NotificationPreferencesService) {}

  @Get()
  @Endpoint({
    operation: 'GetNotificationPreferences',
    summary: 'Get when the caller gets mail about notifications',
    permission: 'member',
    returns: NotificationPreferencesResponse,
    entityTag: true,
  })
  get(@CurrentCaller() caller: Caller) {
    return this.preferences.get(caller);
  }

  @Put()
  @Endpoint({
    operation: 'UpdateNotificationPreferences',
    summary: 'Change when the caller gets mail about notifications',
    description: `\`immediate\`: within a minute, at most one mail per minute. \`daily\`: one mail at 07:00. Mail goes only to the address that the issuer has verified, and only if the service has a mail server. It contains no notification that the caller cannot see at that time. The link in each mail turns all mail of the tenant off.`,
    permission: 'member',
    returns: NotificationPreferencesResponse,
    entityTag: true,
  })
  update(@CurrentCaller() caller: Caller, @Body() body: UpdateNotificationPreferencesBody) {
    return this.preferences.update(caller, body);
  }
}
