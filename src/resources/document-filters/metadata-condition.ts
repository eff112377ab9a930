import { type FieldType } from '../document-types/document-types.reader.js';

export const CONDITION_OPERATORS = [
  'EqualTo',
  'NotEqualTo',
  'Contains',
  'GreaterThan',
  'GreaterThanOrEqual',
  'LessThan',
  'LessThanOrEqual',
  'IsEmpty',
  'IsNotEmpty',
] as const;
export type ConditionOperator = (typeof CONDITION_OPERATORS)[number];

/** A condition on the values of documents, as filters have it. */
export interface MetadataCondition {
  readonly fieldKey: string;
  readonly operator: ConditionOperator;
  readonly value: string | null;
}

/** What values are compared with, in the form that they are stored in. */
export interface Operand {
  readonly value: string;
  /** Of Money, where only amounts in this currency are meant. */
  readonly currency: string | null;
}

/** The fields of one kind that a condition is about. */
export interface ConditionPart {
  readonly type: FieldType;
  readonly fieldIds: readonly string[];
  /** The document types that have these fields; no other documents are considered. */
  readonly documentTypeIds: readonly string[];
  /** Null for IsEmpty and IsNotEmpty. */
  readonly operand: Operand | null;
}

/** A condition that was held against the document types. It is met where one of its parts is. */
export interface ResolvedCondition {
  readonly fieldKey: string;
  readonly operator: ConditionOperator;
  readonly parts: readonly ConditionPart[];
}
