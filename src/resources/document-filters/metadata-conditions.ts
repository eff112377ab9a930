import { Injectable } from '@nestjs/common';
import { type Message, message } from '../../common/messages/message.js';
import { type FieldErrors } from '../../common/problem.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import {
  DocumentTypesReader,
  type FieldType,
  type NamedField,
} from '../document-types/document-types.reader.js';
import { type ConditionPart, type MetadataCondition, type ResolvedCondition } from './metadata-condition.js';
import { isPresenceOperator, supportsOperator, readOperand } from './operand.js';

@Injectable()
export class MetadataConditions {
  constructor(private readonly types: DocumentTypesReader) {}

  /**
   * Resolves the conditions against the fields of one document type, or of all types that have them. Adds
   * errors to `errors` by path: `${path}[2].operator`. Checks everything except the shape of the conditions.
   *
   * @param documentTypeId an existing type; null for all types
   * @param path of the conditions in the request: `filter.metadataConditions`
   */
  async resolve(
    tx: TenantTransaction,
    conditions: readonly MetadataCondition[],
    documentTypeId: string | null,
    path: string,
    errors: FieldErrors,
  ): Promise<ResolvedCondition[]> {
    if (conditions.length === 0) return [];
    const keys = [...new Set(conditions.map(({ fieldKey }) => fieldKey))];
    const fields = await this.types.findFields(tx, keys, documentTypeId);
    return conditions.flatMap((condition, index) => {
      const named = fields.filter(({ key }) => key === condition.fieldKey);
      const resolved = resolveCondition(condition, named, documentTypeId !== null);
      if (!('error' in resolved)) return [resolved];
      errors[`${path}[${index}].${resolved.member}`] = [resolved.error];
      return [];
    });
  }
}

interface ConditionError {
  readonly member: keyof MetadataCondition;
  readonly error: Message;
}

/**
 * A part must have a known field, a suitable operator and a suitable value, in this order. Reports the first
 * of these checks that no part passes.
 */
function resolveCondition(
  { fieldKey, operator, value }: MetadataCondition,
  fields: readonly NamedField[],
  ofOneType: boolean,
): ResolvedCondition | ConditionError {
  if (fields.length === 0) {
    const error = ofOneType ? message('field.unknown') : message('field.unknown-in-all-types');
    return { member: 'fieldKey', error };
  }
  const fitting = [...byType(fields)].filter(([type]) => supportsOperator(type, operator));
  if (fitting.length === 0) {
    const types = [...byType(fields).keys()].join(', ');
    return { member: 'operator', error: message('filter.operator', { types }) };
  }
  if (isPresenceOperator(operator)) {
    if (value !== null)
      return { member: 'value', error: message('filter.value-with-operator', { operator }) };
    return { fieldKey, operator, parts: fitting.map(([type, named]) => partOf(type, named, null)) };
  }
  if (value === null)
    return { member: 'value', error: message('filter.no-value-with-operator', { operator }) };
  const errors: Message[] = [];
  const parts = fitting.flatMap(([type, named]) => {
    const operand = readOperand(type, value);
    if ('value' in operand) return [partOf(type, named, operand)];
    errors.push(operand);
    return [];
  });
  return parts.length > 0 ? { fieldKey, operator, parts } : { member: 'value', error: { anyOf: errors } };
}

function byType(fields: readonly NamedField[]): Map<FieldType, NamedField[]> {
  const types = new Map<FieldType, NamedField[]>();
  for (const field of fields) types.set(field.type, [...(types.get(field.type) ?? []), field]);
  return types;
}

function partOf(
  type: FieldType,
  fields: readonly NamedField[],
  operand: ConditionPart['operand'],
): ConditionPart {
  return {
    type,
    fieldIds: fields.map(({ id }) => id),
    documentTypeIds: fields.map(({ documentTypeId }) => documentTypeId),
    operand,
  };
}
