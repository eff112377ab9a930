import { Get } from '@nestjs/common';
import { CurrentCaller } from '../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../platform/http/endpoint/endpoint.js';
import { TenantController } from '../../platform/http/endpoint/tenant-controller.js';
import { Caller } from '../../platform/tenancy/access/caller.js';
import { PermissionResponse } from './roles.dto.js';
import { RolesService } from './roles.service.js';

@TenantController('permissions', 'Roles')
export class PermissionsController {
  constructor(private readonly roles: RolesService) {}

  @Get()
  @Endpoint({
    operation: 'ListPermissions',
    summary: 'List all permissions that a role can have',
    description: 'The same for all tenants.',
    permission: 'roles.read',
    returns: [PermissionResponse],
  })
  list(@CurrentCaller() caller: Caller) {
    return this.roles.permissions(caller);
  }
}
