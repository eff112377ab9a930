import { Get } from '@nestjs/common';
import { CurrentCaller } from '../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../platform/http/endpoint/endpoint.js';
import { TenantController } from '../../platform/http/endpoint/tenant-controller.js';
import { Caller } from '../../platform/tenancy/access/caller.js';
import { TenantMeResponse } from './me.dto.js';
import { MeReader } from './me.reader.js';

@TenantController('me', 'Me')
export class MeController {
  constructor(private readonly me: MeReader) {}

  @Get()
  @Endpoint({
    operation: 'GetTenantMe',
    summary: 'Get the caller’s user, tenant, role and permissions',
    permission: 'member',
    returns: TenantMeResponse,
    noAccess: 404,
    specified: true,
  })
  get(@CurrentCaller() caller: Caller) {
    return this.me.ofCaller(caller);
  }
}
