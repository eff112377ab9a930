import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { message } from '../../common/messages/message.js';
import { AUDIT_ACTIONS, type AuditAction } from '../../common/vocabulary/audit.js';
import { EventResponse } from '../../platform/events/event.dto.js';
import { EnumListQuery } from '../../platform/http/input/enum-field.js';
import { IntegerQuery } from '../../platform/http/input/integer-field.js';
import { PageQuery } from '../../platform/http/input/page-query.js';

export class ListEventsQuery extends PageQuery {
  @IntegerQuery({
    description:
      'Only events with a greater sequence. Without `after` and `cursor`, the list starts with the first event of the ' +
      'tenant. At most the sequence of the newest event; not together with `cursor`.',
    conflict: ({ cursor }: ListEventsQuery) =>
      cursor === undefined ? null : message('value.not-with', { member: 'cursor' }),
  })
  after?: number;

  @EnumListQuery(Object.keys(AUDIT_ACTIONS), { description: 'Only events of these types' })
  types?: AuditAction[];
}

export class StreamEventsQuery {
  @IntegerQuery({
    description:
      'Only events with a greater sequence: the stream begins with the next one. At most the sequence of the newest ' +
      'event. Without it, the stream begins with the events that occur from now on.',
  })
  after?: number;

  @EnumListQuery(Object.keys(AUDIT_ACTIONS), { description: 'Only events of these types' })
  types?: AuditAction[];
}

@ApiSchema({ name: 'EventPage' })
export class EventPage {
  @ApiProperty({ type: [EventResponse] })
  items!: EventResponse[];

  @ApiProperty({
    description:
      'Never null. After the last event, the page has fewer items than `limit`, and the cursor later returns what came ' +
      'since. It advances past events that the filter left out.',
  })
  nextCursor!: string;
}
