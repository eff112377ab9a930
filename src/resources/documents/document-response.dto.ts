import { ApiExtraModels, ApiProperty, ApiSchema, getSchemaPath } from '@nestjs/swagger';
import { entityTag } from '../../common/entity-tag.js';
import { PROCESSING_FAILURES, type ProcessingFailure } from '../../common/vocabulary/processing-failures.js';
import {
  CONTENT_TEXTS,
  type ContentText,
  DOCUMENT_STATUSES,
  type DocumentStatus,
  type FieldValues,
} from './document.entity.js';
import { type DocumentView, MAX_DUPLICATES } from './documents.repository.js';

export const TITLE_EXAMPLE = 'Baugenehmigung vom 20. November';
const FIELDS_EXAMPLE = { betrag: { amount: '1234.50', currency: 'EUR' }, eingang: '2026-11-20' };

export const SHA256 = {
  pattern: '^[0-9a-f]{64}$',
  example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
};
export const PAGE_COUNT = {
  type: 'integer',
  format: 'int32',
  nullable: true,
  description: 'Null if unknown or not processed yet',
} as const;

@ApiSchema({ name: 'Money' })
class MoneyResponse {
  @ApiProperty({
    description: 'Decimal string with as many decimal places as the currency has',
    example: '1234.50',
  })
  amount!: string;

  @ApiProperty({ description: 'ISO 4217 currency code', example: 'EUR' })
  currency!: string;
}

@ApiSchema({ name: 'DocumentContent' })
class DocumentContentResponse {
  @ApiProperty({ type: String, nullable: true, example: 'Genehmigung.pdf' })
  fileName!: string | null;

  @ApiProperty({ example: 'application/pdf' })
  mediaType!: string;

  @ApiProperty({ type: 'integer', format: 'int64', description: 'In bytes' })
  size!: number;

  @ApiProperty(SHA256)
  sha256!: string;

  @ApiProperty(PAGE_COUNT)
  pageCount!: number | null;

  @ApiProperty({
    enum: CONTENT_TEXTS,
    description:
      'Whether searches find its text: `Pending` (not read yet), `Available`, `None` (it has no text, or its format is not read), or `Failed`',
  })
  text!: ContentText;

  @ApiProperty({
    enum: PROCESSING_FAILURES,
    nullable: true,
    description: 'Why reading its text failed; null unless `text` is `Failed`',
  })
  failure!: ProcessingFailure | null;
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

  @ApiProperty({ enum: DOCUMENT_STATUSES })
  status!: DocumentStatus;

  @ApiProperty({
    type: 'object',
    additionalProperties: { oneOf: [{ type: 'string' }, { $ref: getSchemaPath(MoneyResponse) }] },
    description: 'Values by field key: Money as objects, all other types as strings',
    example: FIELDS_EXAMPLE,
  })
  fields!: FieldValues;

  @ApiProperty({ type: [String], format: 'uuid' })
  tagIds!: string[];

  @ApiProperty({
    type: [String],
    format: 'uuid',
    description: 'Files that contain the document and are visible to the caller',
  })
  fileIds!: string[];

  @ApiProperty()
  isConfidential!: boolean;

  @ApiProperty({ type: DocumentContentResponse, nullable: true })
  content!: DocumentContentResponse | null;

  @ApiProperty({ format: 'uuid' })
  createdById!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Display name of the creator. Null if they have none, or are no longer a member',
    example: 'Edith Editor',
  })
  createdByName!: string | null;

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
      'Other documents with the same current content that the caller can read, newest first. Only the response to an upload contains it',
  })
  duplicateIds!: string[];
}

export function presentDocument(document: DocumentView): DocumentResponse {
  return {
    id: document.id,
    title: document.title,
    documentTypeId: document.documentTypeId,
    status: document.status,
    fields: document.fields,
    tagIds: document.tagIds,
    fileIds: document.fileIds,
    isConfidential: document.isConfidential,
    content: presentContent(document),
    createdById: document.createdBy,
    createdByName: document.createdByName,
    createdAt: document.createdAt,
    updatedAt: document.updatedAt,
  };
}

export function presentUploaded(
  document: DocumentView,
  duplicateIds: readonly string[],
): UploadedDocumentResponse {
  return { ...presentDocument(document), duplicateIds: [...duplicateIds] };
}

/** Entity tag of the document without `duplicateIds`: the same tag as that of GetDocument. */
export function documentEntityTag(answer: object): string {
  return entityTag(
    JSON.stringify(answer, (member, value: unknown) => (member === 'duplicateIds' ? undefined : value)),
  );
}

function presentContent(document: DocumentView): DocumentContentResponse | null {
  const {
    contentSha256: sha256,
    contentMediaType: mediaType,
    contentSize: size,
    contentText: text,
  } = document;
  // Check constraints ensure that all four are set or none.
  if (sha256 === null || mediaType === null || size === null || text === null) return null;
  const { contentFileName: fileName, contentPageCount: pageCount, contentFailure: failure } = document;
  return { fileName, mediaType, size, sha256, pageCount, text, failure };
}
