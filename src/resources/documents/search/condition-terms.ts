import { BY_NAME } from '../../../platform/database/paging/list-order.js';
import { type Bind, patternContaining } from '../../../platform/database/sql-parameters.js';
import { type ResolvedCondition } from '../../document-filters/document-filters.reader.js';
import { type Term, either, probedSql } from './search-terms.js';

type Part = ResolvedCondition['parts'][number];
type Operator = ResolvedCondition['operator'];

/** Maximum number of fields that are searched as separate parts. Each part adds the cost of one page. */
const MAX_PARTS = 16;

/** Number of leading characters of a text in the index, in the root collation (see the migration). */
export const INDEXED_TEXT = 64;

const COMPARISONS: Readonly<Partial<Record<Operator, string>>> = {
  EqualTo: '=',
  NotEqualTo: '=',
  GreaterThan: '>',
  GreaterThanOrEqual: '>=',
  LessThan: '<',
  LessThanOrEqual: '<=',
};

const COLUMNS: Readonly<Record<Part['type'], { readonly name: string; readonly type: string }>> = {
  Text: { name: 'text_key', type: 'text' },
  Number: { name: 'number_value', type: 'numeric' },
  Date: { name: 'date_value', type: 'date' },
  Money: { name: 'number_value', type: 'numeric' },
  Enumeration: { name: 'option_key', type: 'text' },
  Reference: { name: 'reference_id', type: 'uuid' },
};

const RANKS: Readonly<Record<Part['type'], number>> = {
  Reference: 2,
  Text: 3,
  Number: 3,
  Money: 3,
  Date: 4,
  Enumeration: 6,
};

/** Whether documents without a value meet the condition. No rows of values show that: see {@link absenceSql}. */
export function isAbsence({ operator }: ResolvedCondition): boolean {
  return operator === 'NotEqualTo' || operator === 'IsEmpty';
}

/** Returns the term for the rows of values that meet the condition; null for absences. */
export function conditionTerm(condition: ResolvedCondition): Term | null {
  if (isAbsence(condition)) return null;
  const { operator, parts } = condition;
  const term = termOf(operator, parts);
  // Several document types have this key. The parts share no documents, because a document has one type.
  const fields = parts.flatMap((part) => part.fieldIds.map((fieldId) => ({ ...part, fieldIds: [fieldId] })));
  const isInParts = term.isOrdered && fields.length > 1 && fields.length <= MAX_PARTS;
  return isInParts ? { ...term, parts: fields.map((field) => termOf(operator, [field])) } : term;
}

function termOf(operator: Operator, parts: readonly Part[]): Term {
  return {
    view: 'document_values_search',
    condition: (bind, isWide) => either(parts.map((part) => `(${valueSql(part, operator, bind, isWide)})`)),
    ...(operator === 'Contains' && { textFieldIds: parts.flatMap(({ fieldIds }) => fieldIds) }),
    isOrdered: operator === 'EqualTo' || operator === 'IsNotEmpty',
    rank: rankOf(operator, parts),
  };
}

function rankOf(operator: Operator, parts: readonly Part[]): number {
  if (operator === 'EqualTo') return Math.max(...parts.map(({ type }) => RANKS[type]));
  if (operator === 'Contains') return 5;
  return operator === 'IsNotEmpty' ? 9 : 8;
}

/**
 * SQL condition on a row `d` of `documents_search` for NotEqualTo and IsEmpty. No index contains missing
 * values, so this checks the values in the document row: about ten times as fast as a search for a missing
 * row of `document_values`. Text (compared without case) and Money (compared by amount) need the rows of
 * `document_values`.
 */
export function absenceSql({ fieldKey, operator, parts }: ResolvedCondition, bind: Bind): string {
  return either(
    parts.map((part) => {
      const { documentTypeIds, operand, type } = part;
      const ofType = isOneOf('d.document_type_id', documentTypeIds, bind);
      if (operand === null) return `(${ofType} AND NOT d.fields ? ${bind(fieldKey)})`;
      if (type !== 'Text' && type !== 'Money')
        return `(${ofType} AND d.fields ->> ${bind(fieldKey)} IS DISTINCT FROM ${bind(operand.value)})`;
      const equal: Term = {
        view: 'document_values_search',
        condition: (into) => valueSql(part, operator, into),
        isOrdered: false,
        rank: 0,
      };
      return `(${ofType} AND NOT ${probedSql(equal, bind)})`;
    }),
  );
}

/**
 * SQL condition on a row `t` of `document_values_search`: the field and the comparison with its value.
 *
 * @param isWide whether the index looks up only the text
 */
function valueSql({ fieldIds, type, operand }: Part, operator: Operator, bind: Bind, isWide = false): string {
  const isOfField = isOneOf('t.field_id', fieldIds, bind);
  const ofField = isWide ? `(${isOfField}) IS TRUE` : isOfField;
  if (operand === null) return ofField;
  const { value, currency } = operand;
  if (operator === 'Contains') return `${ofField} AND t.text_key LIKE ${bind(patternContaining(value))}`;
  const column = COLUMNS[type];
  const given = `${bind(value)}::${column.type}`;
  if (type === 'Text') {
    const beginning = `left(t.text_key, ${INDEXED_TEXT}) = left(${given}, ${INDEXED_TEXT}) ${BY_NAME.collation}`;
    // With this collation, PostgreSQL cannot search the trigrams, which takes longer than the beginnings.
    return `${ofField} AND ${beginning} AND t.text_key = ${given} ${BY_NAME.collation}`;
  }
  const comparison = `${ofField} AND t.${column.name} ${COMPARISONS[operator]} ${given}`;
  return currency === null ? comparison : `${comparison} AND t.currency = ${bind(currency)}`;
}

function isOneOf(column: string, ids: readonly string[], bind: Bind): string {
  const [first, ...more] = ids;
  return more.length === 0 ? `${column} = ${bind(first)}::uuid` : `${column} = ANY (${bind(ids)}::uuid[])`;
}
