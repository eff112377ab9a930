import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { AUDIT_ACTIONS, type RelatedIds } from '../../common/vocabulary/audit.js';
import { type EventRow } from './events.reader.js';

const SUBJECT_TYPES = [...new Set(Object.values(AUDIT_ACTIONS))];

@ApiSchema({ name: 'Event' })
export class EventResponse {
  @ApiProperty({
    type: 'integer',
    format: 'int64',
    minimum: 0,
    description: 'Place in the event log of the tenant. Sequences have no gaps and never change.',
  })
  sequence!: number;

  @ApiProperty({ format: 'uuid', description: 'Id of the audit entry' })
  id!: string;

  @ApiProperty({
    enum: Object.keys(AUDIT_ACTIONS),
    description: 'What was done: the action of the audit entry. Later versions can have more values.',
    example: 'FileRenamed',
  })
  type!: string;

  @ApiProperty({ format: 'date-time' })
  occurredAt!: string;

  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'Null if the service itself did it',
  })
  actorId!: string | null;

  @ApiProperty({
    enum: SUBJECT_TYPES,
    description: 'Type of the object. Later versions can have more values.',
    example: 'File',
  })
  subjectType!: string;

  @ApiProperty({ format: 'uuid' })
  subjectId!: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string', format: 'uuid' },
    description:
      'Ids of other objects that the event is about, such as `fileId`, `tagId`, `userId` or `roleId`. Empty if there ' +
      'are none, and if the event is about a confidential document that the caller has no access to. ' +
      'Later versions can have more ids.',
    example: { fileTypeId: '0199f7a4-6c1e-7b52-9d2e-3f0a51c7e801' },
  })
  related!: RelatedIds;

  @ApiPropertyOptional({
    description:
      'Only in `AuditCheckpointSigned`: the checkpoint, a signed note. Keep it outside of the service.',
  })
  checkpoint?: string;
}

/** @param readerId User whose rights decide about ids related to confidential documents. */
export function presentEvent(event: EventRow, readerId: string): EventResponse {
  const { sequence, id, type, occurredAt, actorId, subjectType, subjectId, confidentialTo, checkpoint } =
    event;
  const related = confidentialTo === null || confidentialTo.includes(readerId) ? event.related : {};
  const presented = { sequence, id, type, occurredAt, actorId, subjectType, subjectId, related };
  return checkpoint === null ? presented : { ...presented, checkpoint };
}
