import { Get, Query } from '@nestjs/common';
import { CurrentCaller } from '../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../platform/http/endpoint/endpoint.js';
import { TenantController } from '../../platform/http/endpoint/tenant-controller.js';
import { Caller } from '../../platform/tenancy/access/caller.js';
import { ListUserNamesQuery, UserNameResponse } from './members.dto.js';
import { MembersService } from './members.service.js';

@TenantController('users', 'Members')
export class UserNamesController {
  constructor(private readonly members: MembersService) {}

  @Get()
  @Endpoint({
    operation: 'ListUserNames',
    summary: 'Get the names of members by id',
    description:
      'For members without `members.read`, to show a name beside an id such as `createdById`. Sorted by id. Without users who are not members of the tenant, or no longer.',
    permission: 'member',
    returns: [UserNameResponse],
  })
  list(@CurrentCaller() caller: Caller, @Query() query: ListUserNamesQuery) {
    return this.members.names(caller, query.ids ?? []);
  }
}
