import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { orNotFound } from '../../common/problem.js';
import { type Permission } from '../../common/vocabulary/permissions.js';
import { TenantRepository } from '../../platform/database/transactions/tenant-repository.js';
import {
  type TenantTransaction,
  type WriteTransaction,
} from '../../platform/database/transactions/tenant-transaction.js';
import { membersOf } from '../../platform/http/response/members-of.js';
import { type ExpiringRows, ExpirySweep } from '../../platform/tenancy/tenants/expiry-sweep.js';
import { InvitationEntity } from './invitation.entity.js';
import { DEFAULT_DAYS, InvitationResponse } from './invitations.dto.js';

/** What the invitation page shows before the login. Names of inviter and text of message are empty if unknown. */
export interface InvitationTexts {
  readonly tenant: string;
  readonly inviter: string;
  readonly role: string;
  readonly message: string;
}

export interface InvitationCheck {
  /** Null if the tenant has no such role. */
  readonly role: { readonly name: string; readonly permissions: Permission[] } | null;
  readonly expiresInFuture: boolean;
  /**
   * Whether a member has this address. Considers only members whose address the tenant may know
   * (tenancy/member-names).
   */
  readonly isMember: boolean;
}

type NewInvitation = Pick<
  InvitationEntity,
  'id' | 'email' | 'emailKey' | 'roleId' | 'message' | 'secretHash' | 'hasMail' | 'invitedById'
> & { readonly expiresAt: string | null };

const IS_EXPIRED = `status = 'Pending' AND expires_at <= now()`;
const EXPIRED = { status: 'Expired', pendingRoleId: null } as const;

/** @param secretHash Parameter with the hash of the secret. */
const isOpen = (secretHash: string) => `(secret_hash = ${secretHash} OR mail_secret_hash = ${secretHash})
  AND status = 'Pending' AND expires_at > now()`;

/** Name of the inviter, as the invited person sees it; empty if unknown. The address only if it is verified. */
export const INVITER_NAME = `coalesce(u.display_name, CASE WHEN u.email_verified THEN u.email END, '')`;

@Injectable()
export class InvitationsRepository
  extends TenantRepository<InvitationEntity, InvitationResponse>
  implements ExpiringRows
{
  readonly unmarked = { function: 'tenants_with_expired_invitations' } as const;

  constructor(dataSource: DataSource, sweep: ExpirySweep) {
    super(dataSource, InvitationEntity, { properties: membersOf(InvitationResponse, 'status') });
    sweep.register(this);
  }

  protected override rows() {
    return super.rows().addSelect(`CASE WHEN ${IS_EXPIRED} THEN 'Expired' ELSE status END`, 'status');
  }

  async check(
    tx: TenantTransaction,
    { roleId, emailKey, expiresAt }: Pick<NewInvitation, 'roleId' | 'emailKey' | 'expiresAt'>,
  ): Promise<InvitationCheck> {
    const [row] = await tx.query<InvitationCheck>(
      `SELECT (SELECT jsonb_build_object('name', r.name, 'permissions', r.permissions)
                 FROM roles r WHERE r.tenant_id = $1 AND r.id = $2) AS role,
              coalesce($4::timestamptz > now(), true) AS "expiresInFuture",
              EXISTS (SELECT FROM members m JOIN users u ON u.id = m.user_id
                       WHERE m.tenant_id = $1 AND m.first_called_at IS NOT NULL AND u.email_key = $3) AS "isMember"`,
      [tx.tenantId, roleId, emailKey, expiresAt],
    );
    return row as InvitationCheck;
  }

  /**
   * Marks expired invitations to the same address first, because an address can have only one pending
   * invitation.
   */
  async insertRow(
    tx: TenantTransaction,
    { expiresAt, ...invitation }: NewInvitation,
  ): Promise<InvitationResponse> {
    const { emailKey, roleId } = invitation;
    const status = 'Pending';
    const [, [row] = []] = await tx.queryAll([
      this.updateStatement(tx, EXPIRED, { emailKey }, { and: IS_EXPIRED }),
      this.insertStatement(tx, {
        ...{ ...invitation, status, pendingRoleId: roleId },
        expiresAt: expiresAt ?? (() => `now() + interval '${DEFAULT_DAYS} days'`),
      }),
    ]);
    return { ...(row as unknown as InvitationResponse), status };
  }

  /** The texts of the open invitation with this secret; null if there is none. */
  findTexts(tx: TenantTransaction, secretHash: Buffer): Promise<InvitationTexts | null> {
    return tx.queryOrNull<InvitationTexts>(
      `SELECT t.name AS tenant, ${INVITER_NAME} AS inviter, r.name AS role, coalesce(i.message, '') AS message
         FROM invitations i
         JOIN tenants t ON t.id = i.tenant_id
         JOIN roles r ON r.tenant_id = i.tenant_id AND r.id = i.role_id
         JOIN users u ON u.id = i.invited_by
        WHERE i.tenant_id = $1 AND ${isOpen('$2')}`,
      [tx.tenantId, secretHash],
    );
  }

  async hasOpen(tx: TenantTransaction, secretHash: Buffer, emailKey: string | null): Promise<boolean> {
    const rows = await this.send(tx, this.openStatement(tx, secretHash, emailKey));
    return rows.length > 0;
  }

  /** Like {@link hasOpen}, and locks the invitation. Throws the 404 if it was just ended. */
  async lockOpen(
    tx: TenantTransaction,
    secretHash: Buffer,
    emailKey: string | null,
  ): Promise<InvitationResponse> {
    const [row] = await this.send(tx, this.openStatement(tx, secretHash, emailKey, 'for_no_key_update'));
    return orNotFound(row);
  }

  private openStatement(
    tx: TenantTransaction,
    secretHash: Buffer,
    emailKey: string | null,
    lock?: 'for_no_key_update',
  ) {
    const and = `email_key = :emailKey AND ${isOpen(':secretHash')}`;
    return this.selectStatement(tx, {}, { and, values: { secretHash, emailKey }, lock });
  }

  async end(tx: TenantTransaction, id: string, status: 'Accepted' | 'Declined' | 'Revoked'): Promise<void> {
    const at = (ending: typeof status) => (status === ending ? () => 'now()' : null);
    const times = { acceptedAt: at('Accepted'), revokedAt: at('Revoked') };
    await this.update(tx, id, { status, pendingRoleId: null, ...times });
  }

  /**
   * Adds the member; violates `pk_members` if the user already is one. Returns the names of user and role for
   * the audit log.
   */
  async addMember(
    tx: TenantTransaction,
    userId: string,
    roleId: string,
  ): Promise<{ name: string; roleName: string }> {
    const [row] = await tx.query<{ name: string; roleName: string }>(
      `WITH member AS (INSERT INTO members (tenant_id, user_id, role_id, first_called_at)
                        VALUES ($1, $2, $3, now()) RETURNING user_id, role_id)
       SELECT coalesce(u.display_name, u.email, u.subject) AS name, r.name AS "roleName"
         FROM member m JOIN users u ON u.id = m.user_id JOIN roles r ON r.tenant_id = $1 AND r.id = m.role_id`,
      [tx.tenantId, userId, roleId],
    );
    return row as { name: string; roleName: string };
  }

  async markExpired(tx: WriteTransaction): Promise<void> {
    await this.send(tx, this.updateStatement(tx, EXPIRED, {}, { and: IS_EXPIRED }));
  }
}
