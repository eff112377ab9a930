import { Injectable } from '@nestjs/common';
import { emailKey } from '../../common/email-address.js';
import { notFound } from '../../common/problem.js';
import { type TenantContext } from '../../platform/database/transactions/tenant-context.js';
import { type WriteTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { type SignedInUser } from '../../platform/http/endpoint/current-signed-in-user.js';
import { AccessRevocation } from '../../platform/tenancy/access/access-revocation.js';
import { AccessDirectory, serviceContext } from '../../platform/tenancy/access/access.directory.js';
import { MeReader, type TenantMeResponse } from '../me/me.reader.js';
import { hashOfSecret } from './invitation-secret.js';
import { type InvitationRow, InvitationsRepository } from './invitations.repository.js';

/**
 * What those who are invited answer. They are not members, so nothing may tell them more than that an invitation for
 * them is there: for a tenant that does not exist, a wrong or ended secret, and somebody else's address the same is
 * looked up and the same is answered.
 */
@Injectable()
export class InvitationAnswersService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly directory: AccessDirectory,
    private readonly invitations: InvitationsRepository,
    private readonly endings: AccessRevocation,
    private readonly me: MeReader,
  ) {}

  /**
   * Makes the caller a member with the role as it is now: whoever changed it since held all that is in it. That the
   * inviter may have lost rights does not matter either; the invitation is the tenant's, and can be revoked.
   * Somebody who is a member keeps the role they have, and the invitation stays (`member.exists`).
   */
  async accept(signedInUser: SignedInUser, slug: string, secret: string): Promise<TenantMeResponse> {
    const { user } = signedInUser;
    return this.uow.write(await this.contextOf(signedInUser, slug), async (tx) => {
      const invitation = await this.lockInvitation(tx, signedInUser, secret, () => tx.startAccessChange());
      const { id, email, roleId, invitedBy } = invitation;
      const member = await this.invitations.addMember(tx, user.id, roleId);
      await this.endings.removeExpectedMember(tx, user.id);
      await this.invitations.end(tx, id, 'Accepted');
      tx.record({ action: 'InvitationAccepted', subjectId: id, summary: email });
      tx.record({ action: 'MemberAdded', subjectId: user.id, summary: `${member.name}: ${member.roleName}` });
      if (await this.invitations.isMember(tx, invitedBy)) {
        tx.notify(invitedBy, 'InvitationAccepted', { invitationId: id, email, userId: user.id });
      }
      return this.me.get(tx, user.id);
    });
  }

  async decline(signedInUser: SignedInUser, slug: string, secret: string): Promise<void> {
    await this.uow.write(await this.contextOf(signedInUser, slug), async (tx) => {
      const { id, email } = await this.lockInvitation(tx, signedInUser, secret);
      await this.invitations.end(tx, id, 'Declined');
      tx.record({ action: 'InvitationDeclined', subjectId: id, summary: email });
    });
  }

  /**
   * The caller's invitation, locked, or the 404. Looked up before anything is locked, so that who has none waits for
   * nobody; and locked after the tenant, like everything that changes access.
   */
  private async lockInvitation(
    tx: WriteTransaction,
    { user: { verifiedEmail } }: SignedInUser,
    secret: string,
    lockFirst: () => Promise<void> = () => Promise.resolve(),
  ): Promise<InvitationRow> {
    const secretHash = hashOfSecret(secret);
    const key = verifiedEmail === null ? null : emailKey(verifiedEmail);
    if (!(await this.invitations.hasOpen(tx, secretHash, key))) throw notFound();
    await lockFirst();
    const invitation = await this.invitations.lockOpen(tx, secretHash, key);
    if (!invitation) throw notFound();
    return invitation;
  }

  private async contextOf({ user }: SignedInUser, slug: string): Promise<TenantContext> {
    const tenantId = await this.directory.tenantId(slug);
    return { ...serviceContext(tenantId), actorId: user.id, actorName: user.displayName ?? user.email };
  }
}
