import { Injectable } from '@nestjs/common';
import { emailKey } from '../../common/email-address.js';
import { notFound, orNotFound } from '../../common/problem.js';
import { type TenantContext } from '../../platform/database/transactions/tenant-context.js';
import { type WriteTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { type SignedInUser } from '../../platform/http/endpoint/current-signed-in-user.js';
import { AccessRevocation } from '../../platform/tenancy/access/access-revocation.js';
import { AccessDirectory, serviceContext } from '../../platform/tenancy/access/access.directory.js';
import { MeReader, type TenantMeResponse } from '../me/me.reader.js';
import { hashOfSecret } from './invitation-secret.js';
import { type InvitationResponse } from './invitations.dto.js';
import { type InvitationTexts, InvitationsRepository } from './invitations.repository.js';

/**
 * Accepts and declines invitations. The callers are not members, so the response must not reveal anything
 * else about the tenant. An unknown tenant, a wrong or ended secret, and another address cause the same
 * queries and the same 404.
 */
@Injectable()
export class InvitationAnswersService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly directory: AccessDirectory,
    private readonly invitations: InvitationsRepository,
    private readonly accessRevocation: AccessRevocation,
    private readonly me: MeReader,
  ) {}

  /**
   * Makes the caller a member with the current permissions of the role. Privilege escalation is not possible: a
   * user who changed the role meanwhile had all its permissions. The permissions of the inviter do not matter any
   * more, because the invitation belongs to the tenant and can be revoked. A caller who already is a member keeps
   * their role, and the invitation stays pending (`member.exists`).
   */
  async accept(signedInUser: SignedInUser, slug: string, secret: string): Promise<TenantMeResponse> {
    const { user } = signedInUser;
    return this.uow.write(await this.contextOf(signedInUser, slug), async (tx) => {
      const invitation = await this.lockInvitation(tx, signedInUser, secret, () => tx.startAccessChange());
      const { id, email, roleId, invitedById } = invitation;
      const member = await this.invitations.addMember(tx, user.id, roleId);
      await this.accessRevocation.removeExpectedMember(tx, user.id);
      await this.invitations.end(tx, id, 'Accepted');
      tx.record({
        action: 'InvitationAccepted',
        subjectId: id,
        summary: email,
        related: { roleId, userId: user.id },
      });
      tx.record({
        action: 'MemberAdded',
        subjectId: user.id,
        summary: `${member.name}: ${member.roleName}`,
        related: { roleId },
      });
      if (await this.directory.findMember(tx, invitedById)) {
        tx.notify(invitedById, 'InvitationAccepted', { invitationId: id, email, userId: user.id });
      }
      return this.me.get(tx, user.id);
    });
  }

  /** What an open invitation says, for a page that has its secret but no user yet. Changes nothing. */
  async describe(slug: string, secret: string): Promise<InvitationTexts> {
    const context = serviceContext(await this.directory.tenantId(slug));
    return orNotFound(
      await this.uow.read(context, (tx) => this.invitations.findTexts(tx, hashOfSecret(secret))),
    );
  }

  async decline(signedInUser: SignedInUser, slug: string, secret: string): Promise<void> {
    await this.uow.write(await this.contextOf(signedInUser, slug), async (tx) => {
      const { id, email, roleId } = await this.lockInvitation(tx, signedInUser, secret);
      await this.invitations.end(tx, id, 'Declined');
      tx.record({ action: 'InvitationDeclined', subjectId: id, summary: email, related: { roleId } });
    });
  }

  /**
   * Locks the invitation of the caller, or throws 404. Looks for it before taking any lock, so that callers
   * without an invitation never wait. Locks it after the tenant, like all changes of access.
   */
  private async lockInvitation(
    tx: WriteTransaction,
    { user: { verifiedEmail } }: SignedInUser,
    secret: string,
    lockFirst: () => Promise<void> = () => Promise.resolve(),
  ): Promise<InvitationResponse> {
    const secretHash = hashOfSecret(secret);
    const key = verifiedEmail === null ? null : emailKey(verifiedEmail);
    if (!(await this.invitations.hasOpen(tx, secretHash, key))) throw notFound();
    await lockFirst();
    return this.invitations.lockOpen(tx, secretHash, key);
  }

  private async contextOf({ user }: SignedInUser, slug: string): Promise<TenantContext> {
    const tenantId = await this.directory.tenantId(slug);
    return { ...serviceContext(tenantId), actorId: user.id, actorName: user.displayName ?? user.email };
  }
}
