import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { message } from '../../common/messages/message.js';
import { EXPORT_FAILURES, type ExportFailure } from '../../common/vocabulary/exports.js';
import { BooleanField } from '../../platform/http/input/boolean-field.js';
import { type FieldOptions } from '../../platform/http/input/field.js';
import { Rule } from '../../platform/http/input/rule.js';
import { NameField } from '../../platform/http/input/text-field.js';
import { UuidField, UuidListField } from '../../platform/http/input/uuid-field.js';
import { type DocumentScope } from '../documents/documents.reader.js';
import { EXPORT_STATUSES, type ExportEntity, type ExportStatus } from './export.entity.js';

const MAX_IDS = 1000;

const SCOPES = ['fileIds', 'documentIds', 'fileTypeId', 'disposalId', 'all'] as const;

type Scope = (typeof SCOPES)[number];

/** Exactly one of the scopes is given; null is like absent. Of two, the first has the error. */
function scope(member: Scope): FieldOptions {
  const given = (body: object) => SCOPES.filter((other) => (body as CreateExportBody)[other] != null);
  const later = SCOPES.slice(SCOPES.indexOf(member) + 1);
  return {
    nullable: true,
    conflict: (body) => {
      const other = given(body).find((name) => later.includes(name));
      return other === undefined ? null : message('value.not-with', { member: other });
    },
    // The error of a body without any scope.
    ...(member === 'fileIds' && { requiredIf: (body: object) => given(body).length === 0 }),
  };
}

export class CreateExportBody {
  @NameField({ description: 'Title of the package', example: 'Neubau Feuerwache Nord' })
  name!: string;

  @UuidListField({
    ...scope('fileIds'),
    notEmpty: true,
    max: MAX_IDS,
    description:
      'These files with their documents. Exactly one of `fileIds`, `documentIds`, `fileTypeId`, `disposalId` and `all` is required.',
  })
  fileIds?: string[] | null;

  @UuidListField({ ...scope('documentIds'), notEmpty: true, max: MAX_IDS, description: 'These documents' })
  documentIds?: string[] | null;

  @UuidField({ ...scope('fileTypeId'), description: 'All files of this type with their documents' })
  fileTypeId?: string | null;

  @UuidField({
    ...scope('disposalId'),
    description:
      'The files of a disposal that is not carried out, with their documents, for example for the archive that takes them. Needs a permission to read disposals.',
  })
  disposalId?: string | null;

  @BooleanField({ ...scope('all'), description: '`true`: all files and all documents', example: true })
  @Rule('true', (value) => (value === true || value == null ? null : message('value.true')))
  all?: boolean | null;
}

/** Without the scope of a disposal, which is that of its files. */
export function scopeOf({ fileIds, documentIds, fileTypeId }: CreateExportBody): DocumentScope {
  if (fileIds) return { fileIds };
  if (documentIds) return { documentIds };
  return fileTypeId ? { fileTypeId } : { all: true };
}

@ApiSchema({ name: 'Export' })
export class ExportResponse {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'Neubau Feuerwache Nord' })
  name!: string;

  @ApiProperty({
    enum: EXPORT_STATUSES,
    description: 'Only a `Ready` export has a content. It is `Expired` after 48 hours.',
  })
  status!: ExportStatus;

  @ApiProperty({
    type: 'integer',
    format: 'int32',
    minimum: 0,
    description: 'Number of documents, as counted when the export was created; once it is ready, those in it',
  })
  documentCount!: number;

  @ApiProperty({ type: 'integer', format: 'int32', minimum: 0, description: 'Documents that are packed' })
  documentsDone!: number;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    nullable: true,
    description: 'Of the package in bytes; null until it is ready',
  })
  size!: number | null;

  @ApiProperty({ format: 'uuid' })
  createdById!: string;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'Null until it is ready' })
  expiresAt!: string | null;

  @ApiProperty({
    enum: EXPORT_FAILURES,
    nullable: true,
    description:
      'Why the export failed; null otherwise. `NotPermitted`: its creator has lost `exports.create`. `ContentDamaged`: a stored content is missing or has changed.',
  })
  failure!: ExportFailure | null;
}

/** An export as its creator sees it: `Ready` only until it expires, even before the sweep marks it. */
export type ExportRow = ExportResponse & Pick<ExportEntity, 'hasAuditEntries' | 'contentSha256'>;

export function presentExport(row: ExportRow): ExportResponse {
  const { id, name, status, documentCount, documentsDone, size, createdById } = row;
  const { createdAt, expiresAt, failure } = row;
  const shown = { id, name, status, documentCount, documentsDone, size, createdById };
  return { ...shown, createdAt, expiresAt, failure };
}
