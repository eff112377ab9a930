import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { AUDIT_ACTIONS } from '../../common/vocabulary/audit.js';
import { DateTimeQuery } from '../../platform/http/input/date-time-field.js';
import { NotBefore } from '../../platform/http/input/date-time-field.js';
import { PageQuery } from '../../platform/http/input/page-query.js';
import { TextQuery } from '../../platform/http/input/text-field.js';
import { UuidQuery } from '../../platform/http/input/uuid-field.js';
import { type AuditEntryRow } from './audit-log.repository.js';

const SUBJECT_TYPES = [...new Set(Object.values(AUDIT_ACTIONS))];

export class ListAuditEntriesQuery extends PageQuery {
  @TextQuery({
    description:
      'Only entries of this action (see `action` of AuditEntry); one that does not exist has no entries',
  })
  action?: string;

  @UuidQuery({ description: 'Only what this user did' })
  actorId?: string;

  @UuidQuery({ description: 'Only what was done to this' })
  subjectId?: string;

  @DateTimeQuery({ description: 'Only from this moment on, itself included' })
  from?: string;

  @DateTimeQuery({ description: 'Only before this moment, itself excluded' })
  @NotBefore('from')
  to?: string;
}

@ApiSchema({ name: 'AuditEntry' })
export class AuditEntryResponse {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'date-time' })
  occurredAt!: string;

  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'Null for what the service did by itself',
  })
  actorId!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Name at that time' })
  actorName!: string | null;

  @ApiProperty({
    type: String,
    enum: Object.keys(AUDIT_ACTIONS),
    description: 'What was done. Later versions can have more values.',
    example: 'FileRenamed',
  })
  action!: string;

  @ApiProperty({
    type: String,
    enum: SUBJECT_TYPES,
    description: 'What it was done to. Later versions can have more values.',
    example: 'File',
  })
  subjectType!: string;

  @ApiProperty({ format: 'uuid' })
  subjectId!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Null also where it is about a document that is confidential to others',
  })
  summary!: string | null;
}

export function presentAuditEntry(entry: AuditEntryRow): AuditEntryResponse {
  const { id, occurredAt, actorId, actorName, action, subjectType, subjectId, summary } = entry;
  return { id, occurredAt, actorId, actorName, action, subjectType, subjectId, summary };
}
