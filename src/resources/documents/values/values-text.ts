import { type FieldView } from '../../document-types/document-types.reader.js';
import { type FieldValue } from './value-rules.js';

/** A value of a document, with its field. */
export interface ValueOfField {
  readonly field: Pick<FieldView, 'id' | 'type' | 'options'>;
  readonly value: FieldValue;
}

/**
 * The text by which a search finds the values, in their order. Without references: who sees the document may not see
 * their target.
 */
export function textOfValues(values: readonly ValueOfField[]): string {
  return values.flatMap(writingsOf).join(' · ');
}

/** The ways to write a value. */
function writingsOf({ field, value }: ValueOfField): readonly string[] {
  if (typeof value !== 'string') return [`${value.amount} ${value.currency}`];
  switch (field.type) {
    case 'Date':
      return [value, value.split('-').reverse().join('.')];
    case 'Enumeration': {
      const option = field.options?.find(({ key }) => key === value);
      return [...new Set(option ? [option.labelDe, option.labelEn, value] : [value])];
    }
    case 'Reference':
      return [];
    case 'Text':
    case 'Number':
    case 'Money':
      return [value];
  }
}
