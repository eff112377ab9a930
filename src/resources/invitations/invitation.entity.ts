import { Column, Entity, PrimaryColumn } from 'typeorm';

export const INVITATION_STATUSES = ['Pending', 'Accepted', 'Declined', 'Revoked', 'Expired'] as const;
export type InvitationStatus = (typeof INVITATION_STATUSES)[number];

/** Lets whoever has the address and the secret become a member. */
@Entity('invitations')
export class InvitationEntity {
  @PrimaryColumn({ type: 'uuid', name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  email!: string;

  /** What the address is compared by (`emailKey`). */
  @Column({ type: 'text', name: 'email_key' })
  emailKey!: string;

  @Column({ type: 'uuid', name: 'role_id' })
  roleId!: string;

  /** The role while the invitation is pending, which keeps it from being deleted; null afterwards. */
  @Column({ type: 'uuid', name: 'pending_role_id', nullable: true })
  pendingRoleId!: string | null;

  /** One that has run out can still be `Pending` here, until somebody notes it: the clock decides without it. */
  @Column('text')
  status!: InvitationStatus;

  @Column({ type: 'text', nullable: true })
  message!: string | null;

  /** SHA-256 of the secret, which is random and long, so that no salt is needed. */
  @Column({ type: 'bytea', name: 'secret_hash' })
  secretHash!: Buffer;

  @Column({ type: 'uuid', name: 'invited_by' })
  invitedBy!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt!: string;

  @Column({ type: 'timestamptz', name: 'accepted_at', precision: 3, nullable: true })
  acceptedAt!: string | null;

  @Column({ type: 'timestamptz', name: 'revoked_at', precision: 3, nullable: true })
  revokedAt!: string | null;
}
