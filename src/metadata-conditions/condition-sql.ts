import { type Bind } from '../tenancy/visibility.js';
import { type ConditionOperator, type ConditionPart, type ResolvedCondition } from './metadata-condition.js';

/** How long the part of a text is that an index leads by (see the migration). */
const INDEXED_TEXT = 64;

const COMPARISONS: Readonly<Partial<Record<ConditionOperator, string>>> = {
  EqualTo: '=',
  NotEqualTo: '=',
  GreaterThan: '>',
  GreaterThanOrEqual: '>=',
  LessThan: '<',
  LessThanOrEqual: '<=',
};

/** The condition on a row `d` of `documents_search`. The statement's `$1` is the tenant. */
export function conditionSql({ fieldKey, operator, parts }: ResolvedCondition, bind: Bind): string {
  if (operator === 'IsEmpty' || operator === 'IsNotEmpty') {
    // Asked of the document's own row, so that looking for what few documents lack need not look at another table.
    const types = parts.flatMap(({ documentTypeIds }) => documentTypeIds);
    const has = `d.fields ? ${bind(fieldKey)}`;
    return `(d.document_type_id = ANY (${bind(types)}::uuid[]) AND ${operator === 'IsEmpty' ? `NOT ${has}` : has})`;
  }
  const alternatives = parts.map((part) => {
    const exists = `EXISTS (SELECT FROM document_values_search v
      WHERE v.tenant_id = $1 AND v.document_id = d.id AND ${valueSql(part, operator, bind)})`;
    return operator === 'NotEqualTo'
      ? `(d.document_type_id = ANY (${bind(part.documentTypeIds)}::uuid[]) AND NOT ${exists})`
      : exists;
  });
  return alternatives.length === 1 ? (alternatives[0] as string) : `(${alternatives.join(' OR ')})`;
}

/**
 * The condition on a row `v` of `document_values_search`, so that an index leads to the rows: the field, then what its
 * value is compared with. NotEqualTo is what of EqualTo is to be denied.
 */
export function valueSql(part: ConditionPart, operator: ConditionOperator, bind: Bind): string {
  const [field] = part.fieldIds;
  const ofField =
    part.fieldIds.length === 1
      ? `v.field_id = ${bind(field)}::uuid`
      : `v.field_id = ANY (${bind(part.fieldIds)}::uuid[])`;
  return `${ofField} AND ${comparisonSql(part, operator, bind)}`;
}

function comparisonSql({ type, operand }: ConditionPart, operator: ConditionOperator, bind: Bind): string {
  const column = COLUMNS[type];
  if (operand === null) return `v.${column.name} IS NOT NULL`;
  if (operator === 'Contains')
    return `v.text_key LIKE ${bind(`%${operand.value.replace(/[\\%_]/g, '\\$&')}%`)}`;
  const value = `${bind(operand.value)}::${column.type}`;
  if (type === 'Text')
    return `left(v.text_key, ${INDEXED_TEXT}) = left(${value}, ${INDEXED_TEXT}) AND v.text_key = ${value}`;
  const comparison = `v.${column.name} ${COMPARISONS[operator]} ${value}`;
  return operand.currency === null ? comparison : `${comparison} AND v.currency = ${bind(operand.currency)}`;
}

const COLUMNS: Readonly<Record<ConditionPart['type'], { name: string; type: string }>> = {
  Text: { name: 'text_key', type: 'text' },
  Number: { name: 'number_value', type: 'numeric' },
  Date: { name: 'date_value', type: 'date' },
  Money: { name: 'number_value', type: 'numeric' },
  Enumeration: { name: 'option_key', type: 'text' },
  Reference: { name: 'reference_id', type: 'uuid' },
};
