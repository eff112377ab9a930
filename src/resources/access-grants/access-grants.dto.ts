import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { DateTimeField } from '../../platform/http/input/date-time-field.js';
import { EnumField } from '../../platform/http/input/enum-field.js';
import { TextField } from '../../platform/http/input/text-field.js';
import { UuidField } from '../../platform/http/input/uuid-field.js';
import {
  GRANT_LEVELS,
  GRANT_SUBJECT_TYPES,
  GRANT_TARGET_TYPES,
  type GrantLevel,
  type GrantSubjectType,
  type GrantTargetType,
} from '../../platform/tenancy/access/access-grant.entity.js';

const GRANT_STATUSES = ['Active', 'Expired', 'Revoked'] as const;

export class CreateAccessGrantBody {
  @EnumField(GRANT_SUBJECT_TYPES, {
    description: '`User` grants access to one member, `Role` to all members with the role',
  })
  subjectType!: GrantSubjectType;

  @UuidField({ description: 'Id of the user or the role' })
  subjectId!: string;

  @EnumField(GRANT_TARGET_TYPES, {
    description: '`File` grants access to one file, `FileType` to all files of the type',
  })
  targetType!: GrantTargetType;

  @UuidField({ description: 'Id of the file or the file type' })
  targetId!: string;

  @EnumField(GRANT_LEVELS, {
    description: '`Read`: see the file. `Write`: also rename it, and create, edit and file documents in it.',
  })
  level!: GrantLevel;

  @TextField({
    nullable: true,
    min: 0,
    max: 2000,
    description: 'Reason for the grant',
    example: 'Stands in for Alice until Easter',
  })
  reason?: string | null;

  @DateTimeField({ nullable: true, description: 'Time when the grant expires; null: never' })
  expiresAt?: string | null;
}

@ApiSchema({ name: 'AccessGrant' })
export class AccessGrantResponse {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ enum: GRANT_SUBJECT_TYPES })
  subjectType!: GrantSubjectType;

  @ApiProperty({ format: 'uuid' })
  subjectId!: string;

  @ApiProperty({ enum: GRANT_TARGET_TYPES })
  targetType!: GrantTargetType;

  @ApiProperty({ format: 'uuid' })
  targetId!: string;

  @ApiProperty({ enum: GRANT_LEVELS })
  level!: GrantLevel;

  @ApiProperty({ enum: GRANT_STATUSES })
  status!: (typeof GRANT_STATUSES)[number];

  @ApiProperty({ type: String, nullable: true, example: 'Stands in for Alice until Easter' })
  reason!: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  expiresAt!: string | null;

  @ApiProperty({ format: 'uuid' })
  createdById!: string;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  revokedAt!: string | null;
}
