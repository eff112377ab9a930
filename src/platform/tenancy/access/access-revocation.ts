import { Injectable } from '@nestjs/common';
import { Problem } from '../../../common/problem.js';
import { type Permission } from '../../../common/vocabulary/permissions.js';
import { type WriteTransaction } from '../../database/transactions/tenant-transaction.js';
import { AccessRevocationRepository } from './access-revocation.repository.js';
import { type GrantSubjectType, grantIds } from './access-grant.entity.js';

/** A member with both permissions can restore all other rights, so each tenant must always have such a member. */
const ADMINISTRATOR_PERMISSIONS: readonly Permission[] = ['roles.manage', 'members.manage'];

/** The name is for the audit log. */
interface EndedSubject {
  readonly id: string;
  readonly name: string;
}

/**
 * Removes what depends on a membership, a role or a file, with an audit entry for each grant, list entry and saved
 * view. Former members are not notified, because they can no longer read notifications of the tenant. Call it after
 * `startAccessChange`, so that nothing can be added meanwhile.
 */
@Injectable()
export class AccessRevocation {
  constructor(private readonly repository: AccessRevocationRepository) {}

  async endMembership(tx: WriteTransaction, user: EndedSubject): Promise<void> {
    await this.endGrants(tx, 'User', user);
    // A document with an empty list stays confidential. A member with `documents.confidential.manage` can add users
    // to the list.
    for (const { id, title } of await this.repository.removeFromConfidentialLists(tx, user.id)) {
      tx.record({
        action: 'ConfidentialUserRemoved',
        subjectId: id,
        summary: `${title}: ${user.name}`,
        related: { userId: user.id },
      });
    }
    // Only their owner can see them, and a new membership of the same user does not restore anything.
    for (const { id, name } of await this.repository.deleteSavedViews(tx, user.id)) {
      tx.record({ action: 'SavedViewDeleted', subjectId: id, summary: name, related: { userId: user.id } });
    }
    await this.removeExpectedMember(tx, user.id);
  }

  /** Call it before the role is deleted. Marks expired invitations, so that they do not prevent the deletion. */
  async endRole(tx: WriteTransaction, role: EndedSubject): Promise<void> {
    await this.endGrants(tx, 'Role', role);
    await this.repository.markExpiredInvitations(tx, role.id);
  }

  /** Revokes the active grants on a file that is being deleted, and notifies the users of these grants. */
  async endFile(tx: WriteTransaction, fileId: string, title: string): Promise<void> {
    const { actorName } = tx;
    const target = { targetType: 'File', targetId: fileId, actorName } as const;
    for (const grant of await this.repository.revokeGrantsOnFile(tx, fileId)) {
      const { id, level, subject, userIds } = grant;
      tx.record({
        action: 'AccessRevoked',
        subjectId: id,
        summary: `${level}: ${subject} → ${title}`,
        related: grantIds({ ...grant, ...target }),
      });
      for (const userId of userIds) tx.notify(userId, 'AccessRevoked', { grantId: id, level, ...target });
    }
  }

  /**
   * Deletes the expected member with the user's verified address. Otherwise a user who was added in another way would
   * become a member again after being removed.
   */
  async removeExpectedMember(tx: WriteTransaction, userId: string): Promise<void> {
    await this.repository.deleteExpectedMember(tx, userId);
  }

  /**
   * Throws `member.last-administrator` when the change takes the permissions to manage roles and members away, and no member
   * remains who has both. Only members who have called the tenant count, because any (issuer, subject) can be added as a
   * member, even one that cannot log in.
   *
   * Call it after the change, in a transaction that has called `startAccessChange`. Such changes of a tenant run one
   * after another, so two of them cannot remove the last two administrators at the same time.
   *
   * @param before permissions of the member or role before the change; `after`: those after it
   */
  async requireAdministrator(
    tx: WriteTransaction,
    before: readonly string[],
    after: readonly string[] = [],
  ): Promise<void> {
    if (!areOfAdministrator(before) || areOfAdministrator(after)) return;
    if (!(await this.repository.hasMemberWith(tx, ADMINISTRATOR_PERMISSIONS)))
      throw new Problem('member.last-administrator');
  }

  private async endGrants(
    tx: WriteTransaction,
    type: GrantSubjectType,
    subject: EndedSubject,
  ): Promise<void> {
    for (const grant of await this.repository.revokeGrantsOf(tx, type, subject.id)) {
      tx.record({
        action: 'AccessRevoked',
        subjectId: grant.id,
        summary: `${grant.level}: ${subject.name} → ${grant.target}`,
        related: grantIds({ ...grant, subjectType: type, subjectId: subject.id }),
      });
    }
  }
}

function areOfAdministrator(permissions: readonly string[]): boolean {
  return ADMINISTRATOR_PERMISSIONS.every((permission) => permissions.includes(permission));
}
