import { getSchemaPath } from '@nestjs/swagger';
import { isJsonObject } from '../../../common/json-object.js';
import { memberPath } from '../../../common/member-path.js';
import { type Message, message } from '../../../common/messages/message.js';
import { Field } from '../../../platform/http/input/field.js';
import { Rule, type ValueErrors } from '../../../platform/http/input/rule.js';
import { MAX_TEXT, WITHOUT_TYPE, valueShapeError } from './value-rules.js';

/** The maximum number of live fields of a document type. */
const MAX_VALUES = 100;

const VALUE_SCHEMA = {
  oneOf: [
    { type: 'string', maxLength: MAX_TEXT, nullable: true },
    { type: 'number' },
    { $ref: getSchemaPath('Money') },
  ],
};

/** Values by field key; the document type decides what each may be (see DocumentValues). */
export function FieldValuesField<T>(
  isUntyped: (body: T) => boolean,
  options: { description: string; example: object },
): PropertyDecorator {
  return Field(
    { type: 'object', additionalProperties: VALUE_SCHEMA, maxProperties: MAX_VALUES },
    { nullable: true, ...options },
    Rule('fieldValues', (value, body) => fieldValuesErrors(value, isUntyped(body as T))),
  );
}

/** Returns the errors that do not depend on the fields of the type. */
function fieldValuesErrors(values: unknown, isUntyped: boolean): ValueErrors | null {
  if (!isJsonObject(values)) return message('value.object');
  const entries = Object.entries(values);
  if (entries.length > MAX_VALUES) return message('value.max-members', { max: MAX_VALUES });
  const errors: Record<string, Message> = {};
  for (const [key, value] of entries) {
    const found = isUntyped ? WITHOUT_TYPE : valueShapeError(value);
    if (found !== null) errors[memberPath(key)] = found;
  }
  return Object.keys(errors).length > 0 ? errors : null;
}
