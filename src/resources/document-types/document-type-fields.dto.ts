import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import {
  FIELD_TYPES,
  type FieldType,
  REFERENCE_TARGETS,
  type ReferenceTarget,
} from './document-type-field.entity.js';
import { FIELD_KEY, MAX_LABEL, MAX_OPTIONS, OPTION_KEY } from './field-rules.js';

const LABEL = { minLength: 1, maxLength: MAX_LABEL };
const REMOVED =
  'Only in responses, and only if true: the field was removed by an update; its values are kept';
const STAYS_REMOVED =
  'Send the value that was read. True: a removed field stays removed. False or absent: a removed field is restored ' +
  'with its values. True is refused (400) in a new document type and for a field that the type never had.';
const OPTIONS = 'Options of an Enumeration; null for other types';
const TARGET = 'What a Reference refers to; null for other types';

class DocumentTypeFieldOptionBody {
  @ApiProperty({ pattern: OPTION_KEY.source, example: 'open' })
  key!: string;

  @ApiProperty({ ...LABEL, example: 'Offen' })
  labelDe!: string;

  @ApiProperty({ ...LABEL, example: 'Open' })
  labelEn!: string;
}

export class DocumentTypeFieldBody {
  @ApiProperty({ pattern: FIELD_KEY.source, example: 'state' })
  key!: string;

  @ApiProperty({ enum: FIELD_TYPES, example: 'Enumeration', description: 'Cannot be changed later' })
  type!: FieldType;

  @ApiProperty({
    description: 'Whether documents of the type must have a value in this field',
    example: true,
  })
  required!: boolean;

  @ApiProperty({ ...LABEL, example: 'Stand' })
  labelDe!: string;

  @ApiProperty({ ...LABEL, example: 'State' })
  labelEn!: string;

  @ApiProperty({
    type: [DocumentTypeFieldOptionBody],
    minItems: 1,
    maxItems: MAX_OPTIONS,
    uniqueItems: true,
    required: false,
    nullable: true,
    description: OPTIONS,
    example: [{ key: 'open', labelDe: 'Offen', labelEn: 'Open' }],
  })
  options?: DocumentTypeFieldOptionBody[] | null;

  @ApiProperty({
    enum: REFERENCE_TARGETS,
    required: false,
    nullable: true,
    description: TARGET,
    example: null,
  })
  referenceTarget?: ReferenceTarget | null;

  @ApiProperty({ required: false, description: STAYS_REMOVED, example: false })
  isRemoved?: boolean;
}

@ApiSchema({ name: 'DocumentTypeFieldOption' })
class DocumentTypeFieldOptionResponse {
  @ApiProperty({ example: 'open' })
  key!: string;

  @ApiProperty({ example: 'Offen' })
  labelDe!: string;

  @ApiProperty({ example: 'Open' })
  labelEn!: string;
}

@ApiSchema({ name: 'DocumentTypeField' })
export class DocumentTypeFieldResponse {
  @ApiProperty({ example: 'state' })
  key!: string;

  @ApiProperty({ enum: FIELD_TYPES, example: 'Enumeration' })
  type!: FieldType;

  @ApiProperty({ example: true })
  required!: boolean;

  @ApiProperty({ example: 'Stand' })
  labelDe!: string;

  @ApiProperty({ example: 'State' })
  labelEn!: string;

  @ApiProperty({
    type: [DocumentTypeFieldOptionResponse],
    required: false,
    nullable: true,
    description: `${OPTIONS}. Always present.`,
    example: [{ key: 'open', labelDe: 'Offen', labelEn: 'Open' }],
  })
  options!: DocumentTypeFieldOptionResponse[] | null;

  @ApiProperty({
    enum: REFERENCE_TARGETS,
    required: false,
    nullable: true,
    description: `${TARGET}. Always present.`,
    example: null,
  })
  referenceTarget!: ReferenceTarget | null;

  @ApiProperty({ required: false, readOnly: true, description: REMOVED, example: true })
  isRemoved?: boolean;
}
