import { Body, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { CurrentCaller } from '../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../platform/http/endpoint/endpoint.js';
import { pageOf } from '../../platform/http/endpoint/page-of.js';
import { PathId } from '../../platform/http/endpoint/path-id.js';
import { TenantController } from '../../platform/http/endpoint/tenant-controller.js';
import { PageQuery } from '../../platform/http/input/page-query.js';
import { Caller } from '../../platform/tenancy/access/caller.js';
import {
  AddMemberBody,
  ChangeMemberRoleBody,
  ListUserNamesQuery,
  MemberResponse,
  UserNameResponse,
} from './members.dto.js';
import { MembersService } from './members.service.js';

@TenantController('', 'Members')
export class MembersController {
  constructor(private readonly members: MembersService) {}

  @Get('members')
  @Endpoint({
    operation: 'ListMembers',
    summary: 'List members, sorted by name',
    description:
      'Sorted by display name, or by e-mail address or subject if there is none. A member who has not called this tenant yet is listed by subject, without name and address.',
    permission: 'members.read',
    returns: pageOf(MemberResponse),
  })
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery) {
    return this.members.list(caller, query);
  }

  @Post('members')
  @Endpoint({
    operation: 'AddMember',
    summary: 'Add a user or a machine client as a member',
    description:
      'Adds a user with a known issuer and subject, who need not have called the service before. To add a person by e-mail address, use CreateInvitation. Name and address are null until the member calls this tenant. The caller must have every permission of the role.',
    permission: 'members.manage',
    success: 201,
    codes: ['permission.escalation', 'member.exists'],
    returns: MemberResponse,
    idempotent: true,
    createdId: 'userId',
  })
  add(@CurrentCaller() caller: Caller, @Body() body: AddMemberBody) {
    return this.members.add(caller, body);
  }

  @Get('members/:userId')
  @Endpoint({
    operation: 'GetMember',
    summary: 'Get a member',
    permission: 'members.read',
    returns: MemberResponse,
  })
  get(@CurrentCaller() caller: Caller, @PathId('userId') userId: string) {
    return this.members.get(caller, userId);
  }

  @Put('members/:userId')
  @Endpoint({
    operation: 'ChangeMemberRole',
    summary: 'Change the role of a member',
    description:
      'Takes effect on the member’s next request. The caller must have every permission of the current and the new role.',
    permission: 'members.manage',
    codes: ['permission.escalation', 'member.last-administrator'],
    returns: MemberResponse,
  })
  changeRole(
    @CurrentCaller() caller: Caller,
    @PathId('userId') userId: string,
    @Body() body: ChangeMemberRoleBody,
  ) {
    return this.members.changeRole(caller, userId, body);
  }

  @Delete('members/:userId')
  @Endpoint({
    operation: 'RemoveMember',
    summary: 'Remove a member',
    description:
      'Takes effect on the member’s next request. Also ends their access grants and removes them from access lists of confidential documents; adding them again does not restore these. If they were the last user on an access list, the document stays confidential with an empty list. The caller must have every permission of the member’s role.',
    permission: 'members.manage',
    codes: ['permission.escalation', 'member.last-administrator'],
  })
  remove(@CurrentCaller() caller: Caller, @PathId('userId') userId: string) {
    return this.members.remove(caller, userId);
  }

  @Get('users')
  @Endpoint({
    operation: 'ListUserNames',
    summary: 'Get the names of members by id',
    description:
      'For members without `members.read`, to show a name beside an id such as `createdById`. Sorted by id. Without users who are not members of the tenant, or no longer.',
    permission: 'member',
    returns: [UserNameResponse],
  })
  names(@CurrentCaller() caller: Caller, @Query() query: ListUserNamesQuery) {
    return this.members.names(caller, query.ids ?? []);
  }
}
