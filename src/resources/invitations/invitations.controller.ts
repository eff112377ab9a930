import { Body, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { CurrentCaller } from '../../platform/http/endpoint/current-caller.js';
import {
  CurrentSignedInUser,
  type SignedInUser,
} from '../../platform/http/endpoint/current-signed-in-user.js';
import { Endpoint } from '../../platform/http/endpoint/endpoint.js';
import { pageOf } from '../../platform/http/endpoint/page-of.js';
import { PathId } from '../../platform/http/endpoint/path-id.js';
import { TenantController } from '../../platform/http/endpoint/tenant-controller.js';
import { PageQuery } from '../../platform/http/input/page-query.js';
import { Caller } from '../../platform/tenancy/access/caller.js';
import { TenantMeResponse } from '../me/me.reader.js';
import { InvitationAnswersService } from './invitation-answers.service.js';
import {
  CreateInvitationBody,
  CreatedInvitationResponse,
  InvitationResponse,
  InvitationSecretBody,
} from './invitations.dto.js';
import { InvitationsService } from './invitations.service.js';

@TenantController('invitations', 'Invitations')
export class InvitationsController {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly answers: InvitationAnswersService,
  ) {}

  @Get()
  @Endpoint({
    operation: 'ListInvitations',
    summary: 'List invitations, newest first',
    description: 'Includes accepted, declined, revoked and expired invitations.',
    permission: 'invitations.manage',
    returns: pageOf(InvitationResponse),
  })
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery) {
    return this.invitations.list(caller, query);
  }

  @Post()
  @Endpoint({
    operation: 'CreateInvitation',
    summary: 'Invite a person by e-mail address',
    description:
      'An invitation link is mailed if the service has a mail server, unless `sendMail` is `false`. The response contains another link to the same invitation, only once. Within 24 hours, at most 3 mails are sent to an address, and a limited number by a member and by all members of the tenant; ended invitations count. Addresses are compared by the ASCII form of the domain and, before the @, ignoring the case of ASCII letters. The caller must have every permission of the role.',
    permission: 'invitations.manage',
    success: 201,
    codes: ['permission.escalation', 'invitation.exists', 'invitation.too-many-mails'],
    returns: CreatedInvitationResponse,
    idempotent: { secrets: ['secret', 'acceptUrl'] },
  })
  create(@CurrentCaller() caller: Caller, @Body() body: CreateInvitationBody) {
    return this.invitations.create(caller, body);
  }

  @Get(':invitationId')
  @Endpoint({
    operation: 'GetInvitation',
    summary: 'Get an invitation',
    description: 'Only the response of CreateInvitation contains the secret.',
    permission: 'invitations.manage',
    returns: InvitationResponse,
  })
  get(@CurrentCaller() caller: Caller, @PathId('invitationId') id: string) {
    return this.invitations.get(caller, id);
  }

  @Delete(':invitationId')
  @Endpoint({
    operation: 'RevokeInvitation',
    summary: 'Revoke a pending invitation',
    description: 'Returns 409 if the invitation was accepted, declined or revoked, or has expired.',
    permission: 'invitations.manage',
    codes: ['invitation.ended'],
    specified: true,
  })
  revoke(@CurrentCaller() caller: Caller, @PathId('invitationId') id: string) {
    return this.invitations.revoke(caller, id);
  }

  @Post('accept')
  @Endpoint({
    operation: 'AcceptInvitation',
    summary: 'Accept an invitation',
    description:
      'Makes the caller a member of the tenant. Requires an access token with the invited address as verified e-mail address. Returns the same 404 for an unknown tenant, an unknown or ended secret, and another address. Returns 409 if the caller already is a member.',
    permission: 'user',
    problems: [404],
    codes: ['member.exists'],
    bodyLimit: 'secret',
    returns: TenantMeResponse,
  })
  accept(
    @CurrentSignedInUser() signedInUser: SignedInUser,
    @Param('tenant') tenant: string,
    @Body() { secret }: InvitationSecretBody,
  ) {
    return this.answers.accept(signedInUser, tenant, secret);
  }

  @Post('decline')
  @Endpoint({
    operation: 'DeclineInvitation',
    summary: 'Decline an invitation',
    description: 'Has the same requirements as AcceptInvitation and returns the same 404.',
    permission: 'user',
    problems: [404],
    bodyLimit: 'secret',
  })
  decline(
    @CurrentSignedInUser() signedInUser: SignedInUser,
    @Param('tenant') tenant: string,
    @Body() { secret }: InvitationSecretBody,
  ) {
    return this.answers.decline(signedInUser, tenant, secret);
  }
}
