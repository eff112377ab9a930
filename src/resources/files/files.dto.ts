import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { DateTimeQuery, NotBefore } from '../../platform/http/input/date-time-field.js';
import { EnumListQuery, EnumQuery } from '../../platform/http/input/enum-field.js';
import { PageQuery } from '../../platform/http/input/page-query.js';
import { NameField, TextQuery } from '../../platform/http/input/text-field.js';
import { UuidField, UuidQuery } from '../../platform/http/input/uuid-field.js';
import { FILE_STATUSES, type FileStatus } from './file.entity.js';
import { FILE_SORTS, type FileSort } from './file-sorts.js';

/** Maximum of `documentCount` for one file, and for each file of a list. */
export const COUNTED = { one: 10_000, each: 1000 } as const;

const INCLUDES = ['counts'] as const;
type Include = (typeof INCLUDES)[number];

function IncludeQuery(most: number, more = ''): PropertyDecorator {
  return EnumListQuery(INCLUDES, {
    description: `\`counts\`: with \`documentCount\`, the documents that the caller sees in the file, at most ${most}${more}`,
  });
}

export class ListFilesQuery extends PageQuery {
  @UuidQuery({ description: 'Only files of this type' })
  fileTypeId?: string;

  @EnumQuery(FILE_STATUSES, { description: 'Only files with this status' })
  status?: FileStatus;

  @TextQuery({
    max: 200,
    mayBeEmpty: true,
    description:
      'Search text. Three or more characters match any part of the number or name; fewer match the start of the number or of a word of the name. Ignores case and diacritics.',
  })
  q?: string;

  @DateTimeQuery({ description: 'Only files created at or after this time' })
  createdFrom?: string;

  @DateTimeQuery({ description: 'Only files created before this time' })
  @NotBefore('createdFrom')
  createdTo?: string;

  @DateTimeQuery({ description: 'Only files closed at or after this time' })
  closedFrom?: string;

  @DateTimeQuery({ description: 'Only files closed before this time' })
  @NotBefore('closedFrom')
  closedTo?: string;

  @EnumQuery(FILE_SORTS, {
    description:
      'Order; a leading `-` means descending, `-createdAt` is the default. By `number`, digits count as numbers: A-9 comes ' +
      'before A-10. By `closedAt`, open files come last, newest first.',
  })
  sort?: FileSort;

  @IncludeQuery(COUNTED.each)
  include?: Include[];
}

export class GetFileQuery {
  @IncludeQuery(COUNTED.one, '. The entity tag is then no value for `If-Match`.')
  include?: Include[];
}

export class CreateFileBody {
  @UuidField({ description: 'Type of the file' })
  fileTypeId!: string;

  @NameField({
    max: 64,
    description: 'Unique in the tenant, ignoring case; cannot be changed later',
    example: 'AZ-2026/0042',
  })
  number!: string;

  @NameField({ example: 'Neubau Feuerwache Nord' })
  name!: string;
}

export class CreateNumberedFileBody {
  @NameField({ example: 'Neubau Feuerwache Nord' })
  name!: string;
}

export class RenameFileBody {
  @NameField({ example: 'Neubau Feuerwache Nord, zweiter Bauabschnitt' })
  name!: string;
}

@ApiSchema({ name: 'File' })
export class FileResponse {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'uuid' })
  fileTypeId!: string;

  @ApiProperty({ example: 'AZ-2026/0042' })
  number!: string;

  @ApiProperty({ example: 'Neubau Feuerwache Nord' })
  name!: string;

  @ApiProperty({ enum: FILE_STATUSES })
  status!: FileStatus;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ format: 'date-time' })
  updatedAt!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  closedAt!: string | null;
}

@ApiSchema({ name: 'CountedFile' })
export class CountedFileResponse extends FileResponse {
  @ApiProperty({
    type: 'integer',
    format: 'int32',
    required: false,
    description: 'Only with `include=counts`: documents that the caller sees in the file, without the bin',
  })
  documentCount?: number;
}
