import { AUDIT_ACTIONS, type AuditAction } from '../../common/vocabulary/audit.js';
import { EnumListQuery } from '../../platform/http/input/enum-field.js';
import { IntegerQuery } from '../../platform/http/input/integer-field.js';

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
