import { Inject, Injectable } from '@nestjs/common';
import { emailKey } from '../../common/email-address.js';
import { newId } from '../../common/identifier.js';
import { message } from '../../common/messages/message.js';
import { type Page } from '../../common/page.js';
import { type FieldErrors, Problem, invalid } from '../../common/problem.js';
import { CONFIGURATION, type Configuration } from '../../platform/config/configuration.js';
import { PagedReads } from '../../platform/database/paging/paged-reads.js';
import { type WriteTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { type PageQuery } from '../../platform/http/input/page-query.js';
import { Mailer } from '../../platform/mail/mailer.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { refuseEscalation } from '../../platform/tenancy/access/escalation.js';
import { type InvitationEntity } from './invitation.entity.js';
import { InvitationMailsRepository } from './invitation-mails.repository.js';
import { acceptUrl, hashOfSecret, newSecret } from './invitation-secret.js';
import {
  type CreateInvitationBody,
  type CreatedInvitationResponse,
  type InvitationResponse,
} from './invitations.dto.js';
import { type InvitationCheck, InvitationsRepository } from './invitations.repository.js';

/** Within 24 hours. */
const MAX_MAILS_TO_ADDRESS = 3;

const EXCEEDED = {
  address: 'invitation.many-mails-to-address',
  inviter: 'invitation.many-mails-of-inviter',
  tenant: 'invitation.many-mails-of-tenant',
} as const;

/** InvitationAnswersService accepts and declines invitations. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly invitations: InvitationsRepository,
    private readonly mails: InvitationMailsRepository,
    private readonly mailer: Mailer,
    private readonly pages: PagedReads,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  list(caller: Caller, page: PageQuery): Promise<Page<InvitationResponse>> {
    return this.pages.list(caller, 'ListInvitations', page, this.invitations);
  }

  get(caller: Caller, id: string): Promise<InvitationResponse> {
    return this.uow.read(caller, (tx) => this.invitations.get(tx, id));
  }

  create(caller: Caller, body: CreateInvitationBody): Promise<CreatedInvitationResponse> {
    const { email, roleId, message = null, expiresAt = null, sendMail = true } = body;
    const hasMail = sendMail && this.mailer.isConfigured;
    const secret = newSecret();
    const key = emailKey(email);
    const invite = async (tx: WriteTransaction): Promise<CreatedInvitationResponse> => {
      // Blocks changes of members and roles until the commit, and other invitations by mail, which are counted.
      await tx.lockAccess({ isExclusive: hasMail });
      const check = await this.invitations.check(tx, { roleId, emailKey: key, expiresAt });
      const role = roleOf(check);
      refuseEscalation(caller, role.permissions);
      if (check.isMember) throw new Problem('invitation.exists');
      const invitation = await this.invitations.insertRow(tx, {
        id: newId(),
        email,
        emailKey: key,
        roleId,
        message,
        secretHash: hashOfSecret(secret),
        hasMail,
        invitedById: caller.user.id,
        expiresAt,
      });
      if (hasMail)
        await this.queueMail(tx, { id: invitation.id, emailKey: key, invitedById: caller.user.id });
      tx.record({
        action: 'InvitationCreated',
        subjectId: invitation.id,
        summary: `${email}: ${role.name}`,
        related: { roleId },
      });
      const link = acceptUrl(this.configuration.invitationUrl, caller.tenant.slug, secret);
      return { ...invitation, secret, acceptUrl: link };
    };
    return this.uow.write(caller, invite, async (tx) => {
      const { role } = await this.invitations.check(tx, { roleId, emailKey: key, expiresAt });
      refuseEscalation(caller, role?.permissions ?? []);
    });
  }

  private async queueMail(
    tx: WriteTransaction,
    invitation: Pick<InvitationEntity, 'id' | 'emailKey' | 'invitedById'>,
  ): Promise<void> {
    const limits = {
      address: MAX_MAILS_TO_ADDRESS,
      inviter: this.configuration.invitationMailsPerInviter,
      tenant: this.configuration.invitationMailsPerTenant,
    };
    const exceeded = await this.mails.exceededLimit(tx, invitation, limits);
    if (exceeded)
      throw new Problem('invitation.too-many-mails', {
        detail: message(EXCEEDED[exceeded.by], { max: limits[exceeded.by] }),
        headers: { 'Retry-After': String(exceeded.seconds) },
      });
    tx.enqueue('SendInvitationMail', { invitationId: invitation.id });
  }

  async revoke(caller: Caller, id: string): Promise<void> {
    await this.uow.write(caller, async (tx) => {
      const invitation = await this.invitations.lock(tx, id);
      if (invitation.status !== 'Pending') throw new Problem('invitation.ended');
      await this.invitations.end(tx, id, 'Revoked');
      tx.record({
        action: 'InvitationRevoked',
        subjectId: id,
        summary: invitation.email,
        related: { roleId: invitation.roleId },
      });
    });
  }
}

/** Returns the role, or throws all errors of the check together. */
function roleOf({ role, expiresInFuture }: InvitationCheck): NonNullable<InvitationCheck['role']> {
  const errors: FieldErrors = {};
  if (!role) errors.roleId = [message('reference.role')];
  if (!expiresInFuture) errors.expiresAt = [message('value.future')];
  if (!role || !expiresInFuture) throw invalid(errors);
  return role;
}
