import { Injectable } from '@nestjs/common';
import { Problem } from '../../../common/problem.js';
import { type WriteTransaction } from '../../database/transactions/tenant-transaction.js';
import { AccessRevocationRepository } from './access-revocation.repository.js';
import { type GrantSubjectType } from './access-grant.entity.js';
import { ADMINISTRATOR_PERMISSIONS } from './administrators.js';

/** A user or role whose access ends; the name is for the audit log. */
interface EndedSubject {
  readonly id: string;
  readonly name: string;
}

/**
 * What ends with a membership, a role or a file. Each grant, place and view that is taken away is recorded; a former
 * member is not notified, because they can no longer read notifications here. To be called after `startAccessChange`, so
 * that nothing can be added meanwhile.
 */
@Injectable()
export class AccessRevocation {
  constructor(private readonly repository: AccessRevocationRepository) {}

  async endMembership(tx: WriteTransaction, user: EndedSubject): Promise<void> {
    await this.endGrants(tx, 'User', user);
    // A document whose list has no user left stays confidential. A member with `documents.confidential.manage` can put
    // users on the list again.
    for (const { id, title } of await this.repository.removeFromConfidentialLists(tx, user.id)) {
      tx.record({ action: 'ConfidentialUserRemoved', subjectId: id, summary: `${title}: ${user.name}` });
    }
    // Only their owner sees them, and coming back restores nothing.
    for (const { id, name } of await this.repository.deleteSavedViews(tx, user.id)) {
      tx.record({ action: 'SavedViewDeleted', subjectId: id, summary: name });
    }
    await this.removeExpectedMember(tx, user.id);
  }

  /** Before a role is deleted. Invitations that have run out do not prevent that, whether they are marked or not. */
  async endRole(tx: WriteTransaction, role: EndedSubject): Promise<void> {
    await this.endGrants(tx, 'Role', role);
    await this.repository.markExpiredInvitations(tx, role.id);
  }

  /** Revokes what still counted of the grants on a file that is being deleted; users who lose access are notified. */
  async endFile(tx: WriteTransaction, fileId: string, title: string): Promise<void> {
    const { actorName } = tx;
    const target = { targetType: 'File', targetId: fileId, actorName } as const;
    for (const { id, level, subject, userIds } of await this.repository.revokeGrantsOnFile(tx, fileId)) {
      tx.record({ action: 'AccessRevoked', subjectId: id, summary: `${level}: ${subject} → ${title}` });
      for (const userId of userIds) tx.notify(userId, 'AccessRevoked', { grantId: id, level, ...target });
    }
  }

  /**
   * Forgets that a member with the user's verified address was expected when the tenant was made: otherwise a user
   * who was made a member in another way would, once removed, be let in again by that.
   */
  async removeExpectedMember(tx: WriteTransaction, userId: string): Promise<void> {
    await this.repository.deleteExpectedMember(tx, userId);
  }

  /**
   * Throws `member.last-administrator` when no member is left who can manage both roles and members. Only members who
   * have called the tenant count: any (issuer, subject) can be made a member, also one that cannot log in. Called
   * after a change that took this from a member, in a transaction that has called `startAccessChange`: such changes of one
   * tenant wait for each other, so two of them cannot each count on the other's administrator.
   */
  async requireAdministrator(tx: WriteTransaction): Promise<void> {
    if (!(await this.repository.hasMemberWith(tx, ADMINISTRATOR_PERMISSIONS))) {
      throw new Problem('member.last-administrator');
    }
  }

  private async endGrants(
    tx: WriteTransaction,
    type: GrantSubjectType,
    subject: EndedSubject,
  ): Promise<void> {
    for (const { id, level, target } of await this.repository.revokeGrantsOf(tx, type, subject.id)) {
      tx.record({ action: 'AccessRevoked', subjectId: id, summary: `${level}: ${subject.name} → ${target}` });
    }
  }
}
