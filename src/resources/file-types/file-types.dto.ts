import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { message } from '../../common/messages/message.js';
import { NameField, PatternField } from '../../platform/http/input/text-field.js';
import { type FileTypeEntity } from './file-type.entity.js';

const KEY = /^[a-z][A-Za-z0-9_-]{0,49}$/;

export class UpdateFileTypeBody {
  @NameField({ description: 'Name in German', example: 'Bauakte' })
  nameDe!: string;

  @NameField({ description: 'Name in English', example: 'Construction file' })
  nameEn!: string;
}

export class CreateFileTypeBody extends UpdateFileTypeBody {
  @PatternField(KEY, message('value.type-key'), {
    description: 'Unique in the tenant; cannot be changed later',
    example: 'construction',
  })
  key!: string;
}

@ApiSchema({ name: 'FileType' })
export class FileTypeResponse {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'construction' })
  key!: string;

  @ApiProperty({ example: 'Bauakte' })
  nameDe!: string;

  @ApiProperty({ example: 'Construction file' })
  nameEn!: string;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ format: 'date-time' })
  updatedAt!: string;
}

export function presentFileType(type: FileTypeEntity): FileTypeResponse {
  const { id, key, nameDe, nameEn, createdAt, updatedAt } = type;
  return { id, key, nameDe, nameEn, createdAt, updatedAt };
}
