import { Body, Put } from '@nestjs/common';
import { CurrentCaller } from '../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../platform/http/endpoint/endpoint.js';
import { TenantController } from '../../platform/http/endpoint/tenant-controller.js';
import { Caller } from '../../platform/tenancy/access/caller.js';
import { ChangeTenantSlugBody, TenantSlugResponse } from './tenant-settings.dto.js';
import { TenantSettingsService } from './tenant-settings.service.js';

@TenantController('settings', 'Settings')
export class TenantSettingsController {
  constructor(private readonly settings: TenantSettingsService) {}

  @Put('slug')
  @Endpoint({
    operation: 'ChangeTenantSlug',
    summary: 'Change the slug of the tenant',
    description:
      'The former slug still refers to the tenant for 90 days, and no other tenant can use it in this time. At most three former slugs are kept. At most 10 attempts per hour and tenant.',
    permission: 'settings.manage',
    codes: ['tenant.slug-unavailable'],
    body: ChangeTenantSlugBody,
    validated: false,
    returns: TenantSlugResponse,
    specified: true,
  })
  changeSlug(@CurrentCaller() caller: Caller, @Body() body: unknown) {
    return this.settings.changeSlug(caller, body);
  }
}
