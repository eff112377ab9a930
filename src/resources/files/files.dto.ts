import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EnumQuery } from '../../platform/http/input/enum-field.js';
import { PageQuery } from '../../platform/http/input/page-query.js';
import { NameField, TextQuery } from '../../platform/http/input/text-field.js';
import { UuidField, UuidQuery } from '../../platform/http/input/uuid-field.js';
import { FILE_STATUSES, type FileStatus } from './file.entity.js';
import { type FileRow } from './files.repository.js';

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

  @ApiProperty({ type: String, enum: FILE_STATUSES })
  status!: FileStatus;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ format: 'date-time' })
  updatedAt!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  closedAt!: string | null;
}

export function presentFile({
  id,
  fileTypeId,
  number,
  name,
  status,
  createdAt,
  updatedAt,
  closedAt,
}: FileRow): FileResponse {
  return { id, fileTypeId, number, name, status, createdAt, updatedAt, closedAt };
}
