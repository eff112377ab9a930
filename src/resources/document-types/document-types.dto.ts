import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { message } from '../../common/messages/message.js';
import { Field } from '../../platform/http/input/field.js';
import { ReadWith } from '../../platform/http/input/read-with.js';
import { Rule } from '../../platform/http/input/rule.js';
import { NameField, PatternField } from '../../platform/http/input/text-field.js';
import { DocumentTypeFieldBody, DocumentTypeFieldResponse } from './document-type-fields.dto.js';
import { type DocumentTypeView, type FieldView } from './document-types.repository.js';
import { type FieldInput, MAX_FIELDS, MAX_FIELDS_EVER, fieldsErrors, readFields } from './field-rules.js';

const KEY = /^[a-z][A-Za-z0-9_-]{0,49}$/;

function FieldsField({ mayBeRemoved, ...options }: { mayBeRemoved: boolean; description: string }) {
  return Field(
    {
      type: [DocumentTypeFieldBody],
      maxItems: mayBeRemoved ? MAX_FIELDS_EVER : MAX_FIELDS,
      uniqueItems: true,
    },
    { nullable: true, ...options },
    ReadWith(readFields),
    Rule('fields', (value) => fieldsErrors(value, mayBeRemoved)),
  );
}

class DocumentTypeNames {
  @NameField({ description: 'Name in German', example: 'Rechnung' })
  nameDe!: string;

  @NameField({ description: 'Name in English', example: 'Invoice' })
  nameEn!: string;
}

export class CreateDocumentTypeBody extends DocumentTypeNames {
  @PatternField(KEY, message('value.type-key'), {
    description: 'Unique in the tenant; cannot be changed later',
    example: 'invoice',
  })
  key!: string;

  @FieldsField({ mayBeRemoved: false, description: 'At most 100 fields; null or absent: none' })
  fields?: FieldInput[] | null;
}

export class UpdateDocumentTypeBody extends DocumentTypeNames {
  @FieldsField({
    mayBeRemoved: true,
    description:
      'All live fields in display order, at most 100. A field that is missing is removed; its values are kept. A removed ' +
      'field stays removed if it is sent with `isRemoved: true`; sent without it, with the same key and type, it is ' +
      'restored. So a response of GetDocumentType can be sent back unchanged. Null or absent: all fields stay unchanged.',
  })
  fields?: FieldInput[] | null;
}

@ApiSchema({ name: 'DocumentType' })
export class DocumentTypeResponse {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'invoice' })
  key!: string;

  @ApiProperty({ example: 'Rechnung' })
  nameDe!: string;

  @ApiProperty({ example: 'Invoice' })
  nameEn!: string;

  @ApiProperty({ type: [DocumentTypeFieldResponse] })
  fields!: DocumentTypeFieldResponse[];

  @ApiProperty()
  isActive!: boolean;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ format: 'date-time' })
  updatedAt!: string;
}

export function presentDocumentType(type: DocumentTypeView): DocumentTypeResponse {
  const { id, key, nameDe, nameEn, isActive, createdAt, updatedAt } = type;
  return { id, key, nameDe, nameEn, fields: presentFields(type.fields), isActive, createdAt, updatedAt };
}

export function presentFields(fields: readonly FieldView[]): DocumentTypeFieldResponse[] {
  return fields.map(presentField);
}

function presentField(field: FieldView): DocumentTypeFieldResponse {
  const { key, type, required, labelDe, labelEn, referenceTarget, isRemoved } = field;
  const options = field.options?.map(({ key, labelDe, labelEn }) => ({ key, labelDe, labelEn })) ?? null;
  return {
    key,
    type,
    required,
    labelDe,
    labelEn,
    options,
    referenceTarget,
    ...(isRemoved && { isRemoved }),
  };
}
