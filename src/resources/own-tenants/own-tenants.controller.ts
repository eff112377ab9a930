import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CurrentSignedInUser,
  type SignedInUser,
} from '../../platform/http/endpoint/current-signed-in-user.js';
import { Endpoint } from '../../platform/http/endpoint/endpoint.js';
import { type OperationGroup } from '../../platform/http/endpoint/operation-groups.js';
import { pageOf } from '../../platform/http/endpoint/page-of.js';
import { PageQuery } from '../../platform/http/input/page-query.js';
import { OwnTenantResponse } from './own-tenants.dto.js';
import { OwnTenantsService } from './own-tenants.service.js';

/** The only operation that needs a token but no tenant. */
@Controller('api/v1/tenants')
@ApiTags('Me' satisfies OperationGroup)
export class OwnTenantsController {
  constructor(private readonly tenants: OwnTenantsService) {}

  @Get()
  @Endpoint({
    operation: 'ListOwnTenants',
    summary: 'List the tenants of the caller, sorted by name',
    description:
      'Includes tenants that the caller is a member of, and tenants that named the caller as administrator when they were created: the first call makes the caller a member. The role is the same as in the response of GetTenantMe, which also has the permissions.',
    permission: 'user',
    returns: pageOf(OwnTenantResponse),
  })
  list(@CurrentSignedInUser() signedInUser: SignedInUser, @Query() query: PageQuery) {
    return this.tenants.list(signedInUser, query);
  }
}
