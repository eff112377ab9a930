import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Permission } from '../../common/vocabulary/permissions.js';
import { type Position } from '../../platform/database/paging/cursor-codec.js';
import { TenantRepository } from '../../platform/database/transactions/tenant-repository.js';
import { type Statement } from '../../platform/database/transactions/tenant-batch.js';
import {
  type TenantTransaction,
  type WriteTransaction,
} from '../../platform/database/transactions/tenant-transaction.js';
import { type ExpiringRows } from '../../platform/tenancy/tenants/expiry-sweep.js';
import { InvitationEntity } from './invitation.entity.js';

const ROW_COLUMNS = [
  'id',
  'email',
  'roleId',
  'message',
  'invitedBy',
  'createdAt',
  'expiresAt',
  'acceptedAt',
  'revokedAt',
] as const;

/** The columns of an invitation that a response contains, with its current status. */
export type InvitationRow = Pick<InvitationEntity, (typeof ROW_COLUMNS)[number] | 'status'>;

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
  'id' | 'email' | 'emailKey' | 'roleId' | 'message' | 'secretHash' | 'hasMail' | 'invitedBy'
> & { readonly expiresAt: string | null };

/** Default validity of an invitation in days. */
export const DEFAULT_DAYS = 14;

const EXPIRED = `tenant_id = $1 AND status = 'Pending' AND expires_at <= now()`;

const OPEN = `i.tenant_id = $1 AND (i.secret_hash = $2 OR i.mail_secret_hash = $2)
  AND i.status = 'Pending' AND i.expires_at > now()`;
const OPEN_FOR_ADDRESSEE = `${OPEN} AND i.email_key = $3`;

/** Name of the inviter, as the invited person sees it; empty if unknown. The address only if it is verified. */
export const INVITER_NAME = `coalesce(u.display_name, CASE WHEN u.email_verified THEN u.email END, '')`;

@Injectable()
export class InvitationsRepository extends TenantRepository<InvitationEntity> implements ExpiringRows {
  readonly unmarked = { function: 'tenants_with_expired_invitations' } as const;
  private readonly rowColumns: string;

  constructor(dataSource: DataSource) {
    super(dataSource, InvitationEntity);
    const columns = this.select('i', ROW_COLUMNS);
    this.rowColumns = `${columns}, CASE WHEN i.status = 'Pending' AND i.expires_at <= now() THEN 'Expired'
      ELSE i.status END AS status`;
  }

  list(tx: TenantTransaction, after: Position | null, limit: number): Promise<InvitationRow[]> {
    const afterPosition = after ? 'AND (i.created_at, i.id) < ($3::timestamptz, $4::uuid)' : '';
    return tx.query<InvitationRow>(
      `SELECT ${this.rowColumns} FROM invitations i WHERE i.tenant_id = $1 ${afterPosition}
        ORDER BY i.created_at DESC, i.id DESC LIMIT $2`,
      [tx.tenantId, limit + 1, ...(after ?? [])],
    );
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
  async insertRow(tx: TenantTransaction, invitation: NewInvitation): Promise<InvitationRow> {
    const { expiresAt } = invitation;
    const [, , created] = await tx.queryAll([
      {
        text: `UPDATE invitations SET status = 'Expired', pending_role_id = NULL WHERE ${EXPIRED} AND email_key = $2`,
        values: [tx.tenantId, invitation.emailKey],
      },
      {
        text: `INSERT INTO invitations AS i (tenant_id, id, email, email_key, role_id, pending_role_id, status, message,
                                             secret_hash, invited_by, has_mail, expires_at)
               VALUES ($1, $2, $3, $4, $5, $5, 'Pending', $6, $7, $8, $9,
                       ${expiresAt === null ? `now() + interval '${DEFAULT_DAYS} days'` : '$10'})`,
        values: [
          tx.tenantId,
          invitation.id,
          invitation.email,
          invitation.emailKey,
          invitation.roleId,
          invitation.message,
          invitation.secretHash,
          invitation.invitedBy,
          invitation.hasMail,
          ...(expiresAt === null ? [] : [expiresAt]),
        ],
      },
      this.rowStatement(tx, invitation.id),
    ]);
    return created?.[0] as unknown as InvitationRow;
  }

  async findRow(tx: TenantTransaction, id: string): Promise<InvitationRow | null> {
    const [rows] = (await tx.queryAll([this.rowStatement(tx, id)])) as unknown as [InvitationRow[]];
    return rows[0] ?? null;
  }

  private rowStatement(tx: TenantTransaction, id: string): Statement {
    return {
      text: `SELECT ${this.rowColumns} FROM invitations i WHERE i.tenant_id = $1 AND i.id = $2`,
      values: [tx.tenantId, id],
    };
  }

  async lockRowOrNull(tx: TenantTransaction, id: string): Promise<InvitationRow | null> {
    const [row] = await tx.query<InvitationRow>(
      `SELECT ${this.rowColumns} FROM invitations i WHERE i.tenant_id = $1 AND i.id = $2 FOR NO KEY UPDATE`,
      [tx.tenantId, id],
    );
    return row ?? null;
  }

  /** The texts of the open invitation with this secret; null if there is none. */
  async findTexts(tx: TenantTransaction, secretHash: Buffer): Promise<InvitationTexts | null> {
    const [texts] = await tx.query<InvitationTexts>(
      `SELECT t.name AS tenant, ${INVITER_NAME} AS inviter, r.name AS role, coalesce(i.message, '') AS message
         FROM invitations i
         JOIN tenants t ON t.id = i.tenant_id
         JOIN roles r ON r.tenant_id = i.tenant_id AND r.id = i.role_id
         JOIN users u ON u.id = i.invited_by
        WHERE ${OPEN}`,
      [tx.tenantId, secretHash],
    );
    return texts ?? null;
  }

  async hasOpen(tx: TenantTransaction, secretHash: Buffer, emailKey: string | null): Promise<boolean> {
    const rows = await tx.query(`SELECT FROM invitations i WHERE ${OPEN_FOR_ADDRESSEE}`, [
      tx.tenantId,
      secretHash,
      emailKey,
    ]);
    return rows.length > 0;
  }

  /** Like {@link hasOpen}, and locks the invitation. Returns null if it was just ended. */
  async lockOpen(
    tx: TenantTransaction,
    secretHash: Buffer,
    emailKey: string | null,
  ): Promise<InvitationRow | null> {
    const [row] = await tx.query<InvitationRow>(
      `SELECT ${this.rowColumns} FROM invitations i WHERE ${OPEN_FOR_ADDRESSEE} FOR NO KEY UPDATE`,
      [tx.tenantId, secretHash, emailKey],
    );
    return row ?? null;
  }

  async end(tx: TenantTransaction, id: string, status: 'Accepted' | 'Declined' | 'Revoked'): Promise<void> {
    const at = (ending: typeof status) => (status === ending ? 'now()' : 'NULL');
    await tx.query(
      `UPDATE invitations SET status = $3, pending_role_id = NULL,
              accepted_at = ${at('Accepted')}, revoked_at = ${at('Revoked')}
        WHERE tenant_id = $1 AND id = $2`,
      [tx.tenantId, id, status],
    );
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

  async isMember(tx: TenantTransaction, userId: string): Promise<boolean> {
    const rows = await tx.query('SELECT FROM members WHERE tenant_id = $1 AND user_id = $2', [
      tx.tenantId,
      userId,
    ]);
    return rows.length > 0;
  }

  async markExpired(tx: WriteTransaction): Promise<void> {
    await tx.query(`UPDATE invitations SET status = 'Expired', pending_role_id = NULL WHERE ${EXPIRED}`, [
      tx.tenantId,
    ]);
  }
}
