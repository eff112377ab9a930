import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { TenantTable } from '../../platform/database/transactions/tenant-table.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { InvitationEntity } from './invitation.entity.js';
import { INVITER_NAME } from './invitations.repository.js';

/** What the mails of a day are counted by, with the condition of each. */
const COUNTED_BY = {
  address: 'AND i.email_key = $2',
  inviter: 'AND i.invited_by = $3',
  tenant: '',
} as const;

/** Most mails within 24 hours. */
export type MailLimits = Readonly<Record<keyof typeof COUNTED_BY, number>>;

export interface ExceededLimit {
  readonly by: keyof MailLimits;
  /** Until a mail of the same kind is possible. */
  readonly seconds: number;
}

/** What the mail about an invitation contains, besides the link. */
export type MailedInvitation = Pick<InvitationEntity, 'email' | 'message' | 'expiresAt'> & {
  readonly tenantName: string;
  readonly tenantSlug: string;
  readonly roleName: string;
  /** Empty if unknown. */
  readonly inviterName: string;
};

const IS_SENDABLE = `has_mail AND mail_secret_hash IS NULL AND status = 'Pending' AND expires_at > now()`;

/** The invitations for which mail is sent. */
@Injectable()
export class InvitationMailsRepository extends TenantTable<InvitationEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, InvitationEntity);
  }

  /**
   * Counts the invitations of the last 24 hours, ended ones too, with the new one. Of several exceeded limits, returns
   * the one with the longest wait. The caller has an exclusive lock, so that no other invitation is created meanwhile.
   */
  exceededLimit(
    tx: TenantTransaction,
    { emailKey, invitedById }: Pick<InvitationEntity, 'emailKey' | 'invitedById'>,
    limits: MailLimits,
  ): Promise<ExceededLimit | null> {
    const firstTooMany = Object.entries(COUNTED_BY).map(
      ([by, condition], index) =>
        `(SELECT '${by}' AS by, ceil(extract(epoch FROM i.created_at + interval '1 day' - now()))::int AS seconds
            FROM invitations i
           WHERE i.tenant_id = $1 AND i.has_mail AND i.created_at > now() - interval '1 day' ${condition}
           ORDER BY i.created_at DESC OFFSET $${index + 4} LIMIT 1)`,
    );
    return tx.queryOrNull<ExceededLimit>(
      `${firstTooMany.join(' UNION ALL ')} ORDER BY seconds DESC LIMIT 1`,
      [tx.tenantId, emailKey, invitedById, limits.address, limits.inviter, limits.tenant],
    );
  }

  /**
   * Stores the hash of the secret in the mail. This claims the mail: no other job sends it. Returns null if the
   * invitation has ended, or its mail is claimed.
   */
  async claim(tx: TenantTransaction, id: string, secretHash: Buffer): Promise<MailedInvitation | null> {
    const [[claimed], [invitation]] = await tx.queryAll<[object, MailedInvitation]>([
      this.updateStatement(tx, { mailSecretHash: secretHash }, { id }, { and: IS_SENDABLE, returning: 'id' }),
      {
        text: `SELECT i.email, i.message, i.expires_at AS "expiresAt", r.name AS "roleName",
                      t.name AS "tenantName", s.slug AS "tenantSlug",
                      ${INVITER_NAME} AS "inviterName"
                 FROM invitations i
                 JOIN roles r ON r.tenant_id = i.tenant_id AND r.id = i.role_id
                 JOIN users u ON u.id = i.invited_by
                 JOIN tenants t ON t.id = i.tenant_id
                 JOIN tenant_slugs s ON s.tenant_id = t.id AND s.expires_at IS NULL
                WHERE i.tenant_id = $1 AND i.id = $2`,
        values: [tx.tenantId, id],
      },
    ]);
    return (claimed && invitation) ?? null;
  }

  /** Makes the mail pending again. */
  async release(tx: TenantTransaction, id: string): Promise<void> {
    await this.send(tx, this.updateStatement(tx, { mailSecretHash: null }, { id }));
  }
}
