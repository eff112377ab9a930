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

export interface MetadataCondition {
  readonly fieldKey: string;
  readonly operator: ConditionOperator;
  readonly value: string | null;
}

/** The value to compare with, in the form in which values are stored. */
export interface Operand {
  readonly value: string;
  /** For Money: compare only amounts in this currency; null: all currencies. */
  readonly currency: string | null;
}

/** The fields of one type that a condition refers to. */
export interface ConditionPart {
  readonly type: FieldType;
  readonly fieldIds: readonly string[];
  /** The document types of these fields. Only their documents are searched. */
  readonly documentTypeIds: readonly string[];
  /** Null for IsEmpty and IsNotEmpty. */
  readonly operand: Operand | null;
}

/** A condition with the fields it refers to. A document meets it if it meets one of its parts. */
export interface ResolvedCondition {
  readonly fieldKey: string;
  readonly operator: ConditionOperator;
  readonly parts: readonly ConditionPart[];
}
