import { type Message, message } from '../../common/messages/message.js';
import { type ConditionField, type FieldType } from '../document-types/document-types.reader.js';
import { type ConditionPart, type MetadataCondition, type ResolvedCondition } from './metadata-condition.js';
import { isPresenceOperator, supportsOperator, readOperand } from './operand.js';

/** An error in one member of a condition. */
interface ConditionError {
  readonly member: keyof MetadataCondition;
  readonly error: Message;
}

/**
 * Document types can use the same key for fields of different types. The resolved condition has one part for each
 * field type that supports the operator and the value. Returns an error if there is none.
 */
export function resolveCondition(
  { fieldKey, operator, value }: MetadataCondition,
  fields: readonly ConditionField[],
  hasDocumentType: boolean,
): ResolvedCondition | ConditionError {
  if (fields.length === 0) {
    const error = hasDocumentType ? message('field.unknown') : message('field.unknown-in-all-types');
    return { member: 'fieldKey', error };
  }
  const groups = [...groupByFieldType(fields)];
  const supported = groups.filter(([fieldType]) => supportsOperator(fieldType, operator));
  if (supported.length === 0) {
    const types = groups.map(([fieldType]) => fieldType).join(', ');
    return { member: 'operator', error: message('filter.operator', { types }) };
  }
  if (isPresenceOperator(operator)) {
    if (value !== null)
      return { member: 'value', error: message('filter.value-with-operator', { operator }) };
    return {
      fieldKey,
      operator,
      parts: supported.map(([fieldType, group]) => partOf(fieldType, group, null)),
    };
  }
  if (value === null)
    return { member: 'value', error: message('filter.no-value-with-operator', { operator }) };
  const errors: Message[] = [];
  const parts = supported.flatMap(([fieldType, group]) => {
    const operandOrError = readOperand(fieldType, value);
    if ('value' in operandOrError) return [partOf(fieldType, group, operandOrError)];
    errors.push(operandOrError);
    return [];
  });
  return parts.length > 0 ? { fieldKey, operator, parts } : { member: 'value', error: { anyOf: errors } };
}

function groupByFieldType(fields: readonly ConditionField[]): Map<FieldType, ConditionField[]> {
  const groups = new Map<FieldType, ConditionField[]>();
  for (const field of fields) groups.set(field.type, [...(groups.get(field.type) ?? []), field]);
  return groups;
}

function partOf(
  type: FieldType,
  fields: readonly ConditionField[],
  operand: ConditionPart['operand'],
): ConditionPart {
  return {
    type,
    fieldIds: fields.map(({ id }) => id),
    documentTypeIds: fields.map(({ documentTypeId }) => documentTypeId),
    operand,
  };
}
