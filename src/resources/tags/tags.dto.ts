import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { NameField } from '../../platform/http/input/text-field.js';
import { type TagEntity } from './tag.entity.js';

export class CreateTagBody {
  @NameField({ description: 'Unique in the tenant, ignoring case', example: 'Eilt' })
  name!: string;
}

export class RenameTagBody {
  @NameField({ description: 'Unique in the tenant, ignoring case', example: 'Sehr dringend' })
  name!: string;
}

@ApiSchema({ name: 'Tag' })
export class TagResponse {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'Dringend' })
  name!: string;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;
}

export function presentTag({ id, name, createdAt }: TagEntity): TagResponse {
  return { id, name, createdAt };
}
