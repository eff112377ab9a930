import { Column, Entity } from 'typeorm';
import { IdentifiedRow } from '../../database/tenant-row.js';
import { type GrantIds } from '../../../common/vocabulary/audit.js';

export const GRANT_LEVELS = ['Read', 'Write'] as const;
export type GrantLevel = (typeof GRANT_LEVELS)[number];
export const GRANT_SUBJECT_TYPES = ['User', 'Role'] as const;
export type GrantSubjectType = (typeof GRANT_SUBJECT_TYPES)[number];
export const GRANT_TARGET_TYPES = ['File', 'FileType'] as const;
export type GrantTargetType = (typeof GRANT_TARGET_TYPES)[number];

/** Gives a member, or all members of a role, access to files beyond the permissions of their role. */
@Entity('access_grants')
export class AccessGrantEntity extends IdentifiedRow {
  @Column({ type: 'text', name: 'subject_type' })
  subjectType!: GrantSubjectType;

  @Column({ type: 'uuid', name: 'subject_id' })
  subjectId!: string;

  @Column({ type: 'text', name: 'target_type' })
  targetType!: GrantTargetType;

  @Column({ type: 'uuid', name: 'target_id' })
  targetId!: string;

  /** Time of creation of a file, for lists in this order; null for a file type. */
  @Column({ type: 'timestamptz', name: 'target_created_at', precision: 3, nullable: true })
  targetCreatedAt!: string | null;

  @Column('text')
  level!: GrantLevel;

  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3, nullable: true })
  expiresAt!: string | null;

  @Column({ type: 'uuid', name: 'created_by' })
  createdById!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;

  @Column({ type: 'timestamptz', name: 'revoked_at', precision: 3, nullable: true })
  revokedAt!: string | null;

  /** Equals `expiresAt` after the sweep has marked the grant as expired. A grant expires at `expiresAt` without it. */
  @Column({ type: 'timestamptz', name: 'expired_at', precision: 3, nullable: true })
  expiredAt!: string | null;
}

/** Target and subject of a grant, for the related ids of its audit entries. */
export function grantIds(
  grant: Pick<AccessGrantEntity, 'subjectType' | 'subjectId' | 'targetType' | 'targetId'>,
): GrantIds {
  return {
    ...(grant.targetType === 'File' ? { fileId: grant.targetId } : { fileTypeId: grant.targetId }),
    ...(grant.subjectType === 'User' ? { userId: grant.subjectId } : { roleId: grant.subjectId }),
  };
}
