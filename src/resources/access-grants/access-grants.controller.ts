import { Body, Delete, Get, Post, Query } from '@nestjs/common';
import { CurrentCaller } from '../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../platform/http/endpoint/endpoint.js';
import { pageOf } from '../../platform/http/endpoint/page-of.js';
import { PathId } from '../../platform/http/endpoint/path-id.js';
import { TenantController } from '../../platform/http/endpoint/tenant-controller.js';
import { PageQuery } from '../../platform/http/input/page-query.js';
import { Caller } from '../../platform/tenancy/access/caller.js';
import { AccessGrantResponse, CreateAccessGrantBody } from './access-grants.dto.js';
import { AccessGrantsService } from './access-grants.service.js';

@TenantController('access-grants', 'Access grants')
export class AccessGrantsController {
  constructor(private readonly grants: AccessGrantsService) {}

  @Get()
  @Endpoint({
    operation: 'ListAccessGrants',
    summary: 'List access grants, newest first',
    description: 'Includes expired and revoked grants.',
    permission: 'accessGrants.read',
    returns: pageOf(AccessGrantResponse),
  })
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery) {
    return this.grants.list(caller, query);
  }

  @Post()
  @Endpoint({
    operation: 'CreateAccessGrant',
    summary: 'Grant access to a file, or to all files of a type',
    description:
      'Takes effect at once. The caller’s role must have every permission that the grant gives: `files.read` for Read; also `files.update`, `documents.create`, `documents.update` and `documents.file` for Write.',
    permission: 'accessGrants.manage',
    success: 201,
    codes: ['permission.escalation'],
    returns: AccessGrantResponse,
    idempotent: true,
  })
  create(@CurrentCaller() caller: Caller, @Body() body: CreateAccessGrantBody) {
    return this.grants.create(caller, body);
  }

  @Get(':grantId')
  @Endpoint({
    operation: 'GetAccessGrant',
    summary: 'Get an access grant',
    permission: 'accessGrants.read',
    returns: AccessGrantResponse,
  })
  get(@CurrentCaller() caller: Caller, @PathId('grantId') id: string) {
    return this.grants.get(caller, id);
  }

  @Delete(':grantId')
  @Endpoint({
    operation: 'RevokeAccess',
    summary: 'Revoke an access grant',
    description: 'Takes effect at once. Returns 409 if the grant has expired or was already revoked.',
    permission: 'accessGrants.manage',
    codes: ['access-grant.ended'],
    specified: true,
  })
  revoke(@CurrentCaller() caller: Caller, @PathId('grantId') id: string) {
    return this.grants.revoke(caller, id);
  }
}
