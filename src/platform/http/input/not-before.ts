import { ValidateBy } from 'class-validator';
import { parseDateTime } from '../../../common/timestamps.js';
import { pack } from './fields.js';
import { message } from '../../../common/messages/message.js';

/** Refuses a moment before that of another member; moments that cannot be read have an error of their own. */
export function NotBefore(member: string): PropertyDecorator {
  return ValidateBy({
    name: 'notBefore',
    validator: {
      validate(value, args) {
        const sent = (args?.object ?? {}) as Record<string, unknown>;
        const [from, to] = [sent[member], value as unknown].map((moment) =>
          typeof moment === 'string' ? parseDateTime(moment) : null,
        );
        return !from || !to || from <= to;
      },
      defaultMessage: () => pack(message('value.not-before', { member })),
    },
  });
}
