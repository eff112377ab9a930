import { Body, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { CurrentCaller } from '../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../platform/http/endpoint/endpoint.js';
import { pageOf } from '../../platform/http/endpoint/page-of.js';
import { PathId } from '../../platform/http/endpoint/path-id.js';
import { TenantController } from '../../platform/http/endpoint/tenant-controller.js';
import { PageQuery } from '../../platform/http/input/page-query.js';
import { Caller } from '../../platform/tenancy/access/caller.js';
import { CreateRoleBody, PermissionResponse, RoleResponse, UpdateRoleBody } from './roles.dto.js';
import { RolesService } from './roles.service.js';

@TenantController('', 'Roles')
export class RolesController {
  constructor(private readonly roles: RolesService) {}

  @Get('roles')
  @Endpoint({
    operation: 'ListRoles',
    summary: 'List roles, sorted by name',
    permission: 'roles.read',
    returns: pageOf(RoleResponse),
  })
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery) {
    return this.roles.list(caller, query);
  }

  @Post('roles')
  @Endpoint({
    operation: 'CreateRole',
    summary: 'Create a role',
    description: 'The caller must have every permission of the new role.',
    permission: 'roles.manage',
    success: 201,
    codes: ['permission.escalation', 'role.name-taken'],
    returns: RoleResponse,
    entityTag: true,
    idempotent: true,
  })
  create(@CurrentCaller() caller: Caller, @Body() body: CreateRoleBody) {
    return this.roles.create(caller, body);
  }

  @Get('roles/:roleId')
  @Endpoint({
    operation: 'GetRole',
    summary: 'Get a role',
    permission: 'roles.read',
    returns: RoleResponse,
    entityTag: true,
  })
  get(@CurrentCaller() caller: Caller, @PathId('roleId') id: string) {
    return this.roles.get(caller, id);
  }

  @Put('roles/:roleId')
  @Endpoint({
    operation: 'UpdateRole',
    summary: 'Rename a role or change its permissions',
    description:
      'Takes effect for all members with the role on their next request. The caller must have every permission that the role has before or after the change.',
    permission: 'roles.manage',
    codes: ['permission.escalation', 'role.built-in', 'role.name-taken', 'member.last-administrator'],
    returns: RoleResponse,
    entityTag: true,
    specified: true,
  })
  update(@CurrentCaller() caller: Caller, @PathId('roleId') id: string, @Body() body: UpdateRoleBody) {
    return this.roles.update(caller, id, body);
  }

  @Delete('roles/:roleId')
  @Endpoint({
    operation: 'DeleteRole',
    summary: 'Delete a role that no member has',
    description: 'Access grants for the role end, too. The caller must have every permission of the role.',
    permission: 'roles.manage',
    codes: ['permission.escalation', 'role.built-in', 'role.in-use'],
    entityTag: true,
    specified: true,
  })
  delete(@CurrentCaller() caller: Caller, @PathId('roleId') id: string) {
    return this.roles.delete(caller, id);
  }

  @Get('permissions')
  @Endpoint({
    operation: 'ListPermissions',
    summary: 'List all permissions that a role can have',
    description: 'The same for all tenants.',
    permission: 'roles.read',
    returns: [PermissionResponse],
  })
  permissions(@CurrentCaller() caller: Caller) {
    return this.roles.permissions(caller);
  }
}
