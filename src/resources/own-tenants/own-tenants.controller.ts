import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CurrentSignedInUser,
  type SignedInUser,
} from '../../platform/http/endpoint/current-signed-in-user.js';
import { Endpoint } from '../../platform/http/endpoint/endpoint.js';
import { type Tag } from '../../platform/http/endpoint/operation-groups.js';
import { pageOf } from '../../platform/http/endpoint/page-of.js';
import { PageQuery } from '../../platform/http/input/page-query.js';
import { OwnTenantResponse } from './own-tenants.dto.js';
import { OwnTenantsService } from './own-tenants.service.js';

/** The one operation that needs a token and lies outside tenants. */
@Controller('api/v1/tenants')
@ApiTags('Me' satisfies Tag)
export class OwnTenantsController {
  constructor(private readonly tenants: OwnTenantsService) {}

  @Get()
  @Endpoint({
    operation: 'ListOwnTenants',
    summary: 'List the tenants of the caller, by name',
    description:
      'Those that the caller is a member of, or becomes a member of at the first call (as the administrator who was named when the tenant was created). The role is as `GetTenantMe` of the tenant answers it, which also tells the permissions.',
    permission: 'user',
    success: 200,
    problems: [400],
    returns: pageOf(OwnTenantResponse),
    addition: true,
  })
  list(@CurrentSignedInUser() signedInUser: SignedInUser, @Query() query: PageQuery) {
    return this.tenants.list(signedInUser, query);
  }
}
