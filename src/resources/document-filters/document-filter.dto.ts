import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Field, type FieldOptions } from '../../platform/http/input/field.js';
import { ReadWith } from '../../platform/http/input/read-with.js';
import { Rule } from '../../platform/http/input/rule.js';
import { FIELD_KEY } from '../document-types/document-types.reader.js';
import { MAX_CONDITIONS, MAX_TAGS, MAX_VALUE, filterErrors, readFilter } from './filter-input.js';
import { CONDITION_OPERATORS, type MetadataCondition } from './metadata-condition.js';

const FIELD =
  'Key of a field of the document type; without `documentTypeId`, of any document type that has this field';
const VALUE =
  `The value to compare with: a text, a number (\`"-12.5"\`), a date (\`"2026-11-20"\`), an amount with or
without a currency (\`"1234.50 EUR"\`), the key of an option, or the id that a Reference contains. Null for
IsEmpty and IsNotEmpty.`.replaceAll('\n', ' ');

class MetadataConditionBody {
  @ApiProperty({ pattern: FIELD_KEY.source, description: FIELD, example: 'betrag' })
  fieldKey!: string;

  @ApiProperty({ enum: CONDITION_OPERATORS, example: 'GreaterThan' })
  operator!: MetadataCondition['operator'];

  @ApiProperty({
    type: String,
    minLength: 1,
    maxLength: MAX_VALUE,
    nullable: true,
    required: false,
    description: VALUE,
    example: '1234.50 EUR',
  })
  value?: string | null;
}

class SavedViewFilterBody {
  @ApiProperty({ type: String, format: 'uuid', nullable: true, required: false })
  documentTypeId?: string | null;

  @ApiProperty({ type: String, format: 'uuid', nullable: true, required: false })
  fileId?: string | null;

  @ApiProperty({
    type: 'array',
    items: { type: 'string', format: 'uuid' },
    maxItems: MAX_TAGS,
    uniqueItems: true,
    required: false,
    description: 'The document must have all of these tags',
  })
  tagIds?: string[];

  @ApiProperty({
    type: [MetadataConditionBody],
    maxItems: MAX_CONDITIONS,
    required: false,
    description: 'The document must meet all of these conditions',
  })
  metadataConditions?: MetadataConditionBody[];
}

/**
 * A filter in a request body. The handler gets a {@link DocumentFilter} with all members; null and an absent
 * filter stay as sent.
 */
export function DocumentFilterField(options: FieldOptions): PropertyDecorator {
  return Field(
    { type: SavedViewFilterBody },
    { nullable: true, ...options },
    ReadWith(readFilter),
    Rule('filter', filterErrors),
  );
}

@ApiSchema({ name: 'MetadataCondition' })
class MetadataConditionResponse {
  @ApiProperty({ description: FIELD, example: 'betrag' })
  fieldKey!: string;

  @ApiProperty({ enum: CONDITION_OPERATORS, example: 'GreaterThan' })
  operator!: MetadataCondition['operator'];

  @ApiProperty({ type: String, nullable: true, example: '1234.50 EUR' })
  value!: string | null;
}

@ApiSchema({ name: 'SavedViewFilter' })
export class SavedViewFilterResponse {
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  documentTypeId!: string | null;

  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  fileId!: string | null;

  @ApiProperty({ type: [String], format: 'uuid' })
  tagIds!: readonly string[];

  @ApiProperty({ type: [MetadataConditionResponse] })
  metadataConditions!: readonly MetadataCondition[];
}

/**
 * A document must meet all criteria. Values of conditions are as sent, trimmed and in NFC; only those of IsEmpty and
 * IsNotEmpty are null.
 */
export type DocumentFilter = Readonly<SavedViewFilterResponse>;

export const NO_FILTER: DocumentFilter = {
  documentTypeId: null,
  fileId: null,
  tagIds: [],
  metadataConditions: [],
};

/** Without further members of what is stored. */
export function presentFilter(filter: DocumentFilter): SavedViewFilterResponse {
  const { documentTypeId, fileId, tagIds, metadataConditions } = filter;
  const conditions = metadataConditions.map(({ fieldKey, operator, value }) => ({
    fieldKey,
    operator,
    value,
  }));
  return { documentTypeId, fileId, tagIds, metadataConditions: conditions };
}
