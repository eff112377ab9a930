import { Column, Entity, PrimaryColumn } from 'typeorm';

export type GrantLevel = 'Read' | 'Write';
export type GrantSubjectType = 'User' | 'Role';
export type GrantTargetType = 'File' | 'FileType';

/** Lets a member, or all members of a role, see or work on files beyond their role. */
@Entity('access_grants')
export class AccessGrantEntity {
  @PrimaryColumn({ type: 'uuid', name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  @Column({ type: 'text', name: 'subject_type' })
  subjectType!: GrantSubjectType;

  @Column({ type: 'uuid', name: 'subject_id' })
  subjectId!: string;

  @Column({ type: 'text', name: 'target_type' })
  targetType!: GrantTargetType;

  @Column({ type: 'uuid', name: 'target_id' })
  targetId!: string;

  @Column('text')
  level!: GrantLevel;

  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3, nullable: true })
  expiresAt!: string | null;

  @Column({ type: 'uuid', name: 'created_by' })
  createdBy!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;

  @Column({ type: 'timestamptz', name: 'revoked_at', precision: 3, nullable: true })
  revokedAt!: string | null;
}
