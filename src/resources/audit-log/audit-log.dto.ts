import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { AUDIT_ACTIONS } from '../../common/vocabulary/audit.js';
import { DateTimeQuery, NotBefore } from '../../platform/http/input/date-time-field.js';
import { PageQuery } from '../../platform/http/input/page-query.js';
import { TextQuery } from '../../platform/http/input/text-field.js';
import { UuidQuery } from '../../platform/http/input/uuid-field.js';

const SUBJECT_TYPES = [...new Set(Object.values(AUDIT_ACTIONS))];

export class ListAuditEntriesQuery extends PageQuery {
  @TextQuery({
    description:
      'Only entries with this action (see `action` of AuditEntry). An unknown action matches nothing.',
  })
  action?: string;

  @UuidQuery({ description: 'Only entries for actions of this user' })
  actorId?: string;

  @UuidQuery({ description: 'Only entries about the object with this id' })
  subjectId?: string;

  @DateTimeQuery({ description: 'Only entries at or after this time' })
  from?: string;

  @DateTimeQuery({ description: 'Only entries before this time' })
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
    description: 'Null if the service itself did it',
  })
  actorId!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Name of the user at that time' })
  actorName!: string | null;

  @ApiProperty({
    enum: Object.keys(AUDIT_ACTIONS),
    description: 'What was done. Later versions can have more values.',
    example: 'FileRenamed',
  })
  action!: string;

  @ApiProperty({
    enum: SUBJECT_TYPES,
    description: 'Type of the object. Later versions can have more values.',
    example: 'File',
  })
  subjectType!: string;

  @ApiProperty({ format: 'uuid' })
  subjectId!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Null also if the entry is about a confidential document that the caller has no access to',
  })
  summary!: string | null;
}
