import { ApiExtraModels, ApiProperty, ApiSchema, getSchemaPath } from '@nestjs/swagger';
import { entityTag } from '../../common/entity-tag.js';
import { isJsonObject } from '../../common/json-object.js';
import { memberPath } from '../../common/member-path.js';
import { contentTag } from '../../platform/http/response/content-response.js';
import {
  BooleanField,
  EnumQuery,
  type Faults,
  Field,
  NameField,
  PageQuery,
  UuidField,
  UuidListField,
} from '../../platform/http/input/fields.js';
import { DOCUMENT_STATUSES, type DocumentStatus, type FieldValues } from './document.entity.js';
import { type DocumentView, type FiledDocumentRow, MAX_DUPLICATES } from './documents.repository.js';
import { MAX_TEXT, WITHOUT_TYPE, impossibleValue } from './values/value-rules.js';

/** Files or tags that one request can name. */
const MAX_LINKS = 100;
const TITLE_EXAMPLE = 'Baugenehmigung vom 20. November';
const FIELDS_EXAMPLE = { betrag: { amount: '1234.50', currency: 'EUR' }, eingang: '2026-11-20' };

const VALUES =
  'Text, Date (`2026-11-20`), Enumeration (the key of an option) and Reference (an id) take a string; Number a decimal ' +
  'string, or a number of at most 15 significant digits; Money an object with amount and currency. Null is no value.';

/** As many as a document type has fields. */
const MAX_VALUES = 100;

/** What the fields of some type accept. */
const VALUE_SCHEMA = {
  oneOf: [
    { type: 'string', maxLength: MAX_TEXT, nullable: true },
    { type: 'number' },
    { $ref: getSchemaPath('Money') },
  ],
};

/** Values by field key; the document type decides what each may be (see DocumentValues). */
function FieldValuesField<T>(
  isUntyped: (body: T) => boolean,
  options: { description: string; example: object },
): PropertyDecorator {
  return Field(
    (value, body) => fieldValuesFaults(value, isUntyped(body as T)),
    { type: 'object', additionalProperties: VALUE_SCHEMA, maxProperties: MAX_VALUES },
    { optional: true, nullable: true, ...options },
  );
}

/** What is wrong with the values whatever the fields of the type are. */
function fieldValuesFaults(values: unknown, isUntyped: boolean): Faults {
  if (!isJsonObject(values)) return 'must be an object';
  const entries = Object.entries(values);
  if (entries.length > MAX_VALUES) return `must have at most ${MAX_VALUES} members`;
  const faults: Record<string, string> = {};
  for (const [key, value] of entries) {
    const found = isUntyped ? WITHOUT_TYPE : impossibleValue(value);
    if (found !== null) faults[memberPath(key)] = found;
  }
  return Object.keys(faults).length > 0 ? faults : null;
}

/**
 * An optional member that is null counts as absent. Generators call the whole form `CreateDocumentBody`, so the schema
 * has another name.
 */
@ApiSchema({ name: 'NewDocument' })
export class CreateDocumentBody {
  @NameField({ example: TITLE_EXAMPLE })
  title!: string;

  @UuidField({ optional: true, nullable: true, description: 'Type of the document' })
  documentTypeId?: string | null;

  @FieldValuesField(({ documentTypeId = null }: CreateDocumentBody) => documentTypeId === null, {
    description: `Values by field key of the document type. ${VALUES}`,
    example: {},
  })
  fields?: FieldValues | null;

  @UuidListField({ optional: true, nullable: true, max: MAX_LINKS, description: 'Tags to put on it' })
  tagIds?: string[] | null;

  @UuidListField({
    optional: true,
    nullable: true,
    max: MAX_LINKS,
    description: 'Open files to file it into',
  })
  fileIds?: string[] | null;

  @BooleanField({
    optional: true,
    nullable: true,
    description: 'Only its creator sees it, until others are put on its list',
  })
  isConfidential?: boolean | null;
}

/** An absent member keeps what the document has. */
export class UpdateDocumentBody {
  @NameField({
    optional: true,
    description: 'Absent: the title stays as it is. Null and an empty text are refused (400).',
    example: TITLE_EXAMPLE,
  })
  title?: string;

  @UuidField({
    optional: true,
    nullable: true,
    description:
      'Absent: the type stays as it is. Null: the document has no type afterwards. A change of the type, also to null, ' +
      'without `fields` keeps the values, and is refused (400) if one of them does not fit the new type.',
  })
  documentTypeId?: string | null;

  @FieldValuesField(({ documentTypeId }: UpdateDocumentBody) => documentTypeId === null, {
    description:
      `Values by field key of the document type. ${VALUES} Absent: the values stay as they are. Given: they replace ` +
      'all values; a field that is left out has none afterwards. Null or empty: the document has no values afterwards.',
    example: {},
  })
  fields?: FieldValues | null;
}

@ApiSchema({ name: 'Money' })
export class MoneyResponse {
  @ApiProperty({ description: 'With the digits of the minor unit of its currency', example: '1234.50' })
  amount!: string;

  @ApiProperty({ description: 'ISO 4217', example: 'EUR' })
  currency!: string;
}

@ApiSchema({ name: 'DocumentContent' })
export class DocumentContentResponse {
  @ApiProperty({ type: String, nullable: true, example: 'Genehmigung.pdf' })
  fileName!: string | null;

  @ApiProperty({ example: 'application/pdf' })
  mediaType!: string;

  @ApiProperty({ type: 'integer', format: 'int64', description: 'In bytes' })
  size!: number;

  @ApiProperty({
    pattern: '^[0-9a-f]{64}$',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  })
  sha256!: string;

  @ApiProperty({
    type: 'integer',
    format: 'int32',
    nullable: true,
    description: 'Null while, or if, nobody knows',
  })
  pageCount!: number | null;
}

@ApiExtraModels(MoneyResponse)
@ApiSchema({ name: 'Document' })
export class DocumentResponse {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: TITLE_EXAMPLE })
  title!: string;

  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  documentTypeId!: string | null;

  @ApiProperty({ type: String, enum: DOCUMENT_STATUSES })
  status!: DocumentStatus;

  @ApiProperty({
    type: 'object',
    additionalProperties: { oneOf: [{ type: 'string' }, { $ref: getSchemaPath(MoneyResponse) }] },
    description: 'Values by field key: amounts of money as objects, all others as strings',
    example: FIELDS_EXAMPLE,
  })
  fields!: FieldValues;

  @ApiProperty({ type: [String], format: 'uuid' })
  tagIds!: string[];

  @ApiProperty({
    type: [String],
    format: 'uuid',
    description: 'Files that it is in, as far as the caller sees them',
  })
  fileIds!: string[];

  @ApiProperty()
  isConfidential!: boolean;

  @ApiProperty({ type: DocumentContentResponse, nullable: true })
  content!: DocumentContentResponse | null;

  @ApiProperty({ format: 'uuid' })
  createdById!: string;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ format: 'date-time' })
  updatedAt!: string;
}

@ApiSchema({ name: 'UploadedDocument' })
export class UploadedDocumentResponse extends DocumentResponse {
  @ApiProperty({
    type: [String],
    format: 'uuid',
    maxItems: MAX_DUPLICATES,
    description:
      'Other documents that the caller can read and that have the same content now, newest first. It is told of an upload only, and is no part of the document',
  })
  duplicateIds!: string[];
}

export class ContentQuery {
  @EnumQuery(['attachment', 'inline'], {
    description:
      'What a browser is to do with the content: keep it, as without, or show it, which only those media types are for that cannot run scripts. Others are an attachment all the same',
  })
  disposition?: 'attachment' | 'inline';
}

export class ListFileDocumentsQuery extends PageQuery {}

@ApiSchema({ name: 'FileDocument' })
export class FileDocumentResponse {
  @ApiProperty({ format: 'uuid' })
  documentId!: string;

  @ApiProperty({ example: TITLE_EXAMPLE })
  title!: string;

  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  documentTypeId!: string | null;

  @ApiProperty({ type: String, enum: DOCUMENT_STATUSES })
  status!: DocumentStatus;

  @ApiProperty({ format: 'date-time' })
  filedAt!: string;
}

export function presentDocument(document: DocumentView): DocumentResponse {
  const { id, title, documentTypeId, status, fields, tagIds, fileIds, isConfidential } = document;
  const { createdBy, createdAt, updatedAt } = document;
  const content = presentContent(document);
  return {
    id,
    title,
    documentTypeId,
    status,
    fields,
    tagIds,
    fileIds,
    isConfidential,
    content,
    createdById: createdBy,
    createdAt,
    updatedAt,
  };
}

export function presentUploaded(
  document: DocumentView,
  duplicateIds: readonly string[],
): UploadedDocumentResponse {
  return { ...presentDocument(document), duplicateIds: [...duplicateIds] };
}

/** Entity tag of the document alone: what GetDocument answers with. */
export function tagOfDocument(answer: object): string {
  return entityTag(
    JSON.stringify(answer, (member, value: unknown) => (member === 'duplicateIds' ? undefined : value)),
  );
}

/** Entity tag of the content, which is what the request was about (RFC 9110, 9.3.4). */
export function tagOfContent(answer: object): string {
  return contentTag((answer as DocumentResponse).content?.sha256 ?? '');
}

function presentContent(document: DocumentView): DocumentContentResponse | null {
  const { contentFileName, contentMediaType, contentSize, contentSha256, contentPageCount } = document;
  // All three or none: the table's constraints say so.
  if (contentSha256 === null || contentMediaType === null || contentSize === null) return null;
  return {
    fileName: contentFileName,
    mediaType: contentMediaType,
    size: contentSize,
    sha256: contentSha256,
    pageCount: contentPageCount,
  };
}

export function presentFileDocument(row: FiledDocumentRow): FileDocumentResponse {
  const { documentId, title, documentTypeId, status, filedAt } = row;
  return { documentId, title, documentTypeId, status, filedAt };
}
