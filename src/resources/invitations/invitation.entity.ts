import { Column, Entity } from 'typeorm';
import { IdentifiedRow } from '../../platform/database/tenant-row.js';

export const INVITATION_STATUSES = ['Pending', 'Accepted', 'Declined', 'Revoked', 'Expired'] as const;
export type InvitationStatus = (typeof INVITATION_STATUSES)[number];

/** A user who has the address and the secret can become a member. */
@Entity('invitations')
export class InvitationEntity extends IdentifiedRow {
  @Column('text')
  email!: string;

  /** Normalized address for comparisons (`emailKey`). */
  @Column({ type: 'text', name: 'email_key' })
  emailKey!: string;

  @Column({ type: 'uuid', name: 'role_id' })
  roleId!: string;

  /**
   * The role while the invitation is pending; its foreign key blocks deletion of the role. Null afterwards.
   */
  @Column({ type: 'uuid', name: 'pending_role_id', nullable: true })
  pendingRoleId!: string | null;

  /**
   * An expired invitation can still be `Pending` here until the sweep marks it. All queries also check
   * `expires_at`.
   */
  @Column('text')
  status!: InvitationStatus;

  @Column({ type: 'text', nullable: true })
  message!: string | null;

  /** SHA-256 of the secret, without salt (see `hashOfSecret`). */
  @Column({ type: 'bytea', name: 'secret_hash' })
  secretHash!: Buffer;

  /** Whether a mail was queued when the invitation was created. Such invitations count for the limits per day. */
  @Column({ type: 'boolean', name: 'has_mail' })
  hasMail!: boolean;

  /**
   * Hash of the secret in the mail, which is created when the mail is sent (docs/adr/0014). Null if the mail was not
   * sent yet.
   */
  @Column({ type: 'bytea', name: 'mail_secret_hash', nullable: true })
  mailSecretHash!: Buffer | null;

  @Column({ type: 'uuid', name: 'invited_by' })
  invitedById!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt!: string;

  @Column({ type: 'timestamptz', name: 'accepted_at', precision: 3, nullable: true })
  acceptedAt!: string | null;

  @Column({ type: 'timestamptz', name: 'revoked_at', precision: 3, nullable: true })
  revokedAt!: string | null;
}
