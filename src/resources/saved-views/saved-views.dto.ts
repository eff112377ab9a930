import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { NameField } from '../../platform/http/input/text-field.js';
import {
  type DocumentFilter,
  DocumentFilterField,
  SavedViewFilterResponse,
  presentFilter,
} from '../document-filters/document-filters.reader.js';
import { type SavedViewEntity } from './saved-view.entity.js';

const NAME = 'Unique among the saved views of the caller, ignoring case';

export class CreateSavedViewBody {
  @NameField({ description: NAME, example: 'Rechnungen über 1000 €' })
  name!: string;

  @DocumentFilterField({ description: 'Null or absent: all documents' })
  filter?: DocumentFilter | null;
}

export class UpdateSavedViewBody {
  @NameField({ description: NAME, example: 'Rechnungen über 5000 €' })
  name!: string;

  @DocumentFilterField({ description: 'Null or absent: the filter stays unchanged' })
  filter?: DocumentFilter | null;
}

@ApiSchema({ name: 'SavedView' })
export class SavedViewResponse {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'Rechnungen über 1000 €' })
  name!: string;

  @ApiProperty({ type: SavedViewFilterResponse })
  filter!: SavedViewFilterResponse;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ format: 'date-time' })
  updatedAt!: string;
}

export function presentSavedView(view: SavedViewEntity): SavedViewResponse {
  const { id, name, filter, createdAt, updatedAt } = view;
  return { id, name, filter: presentFilter(filter), createdAt, updatedAt };
}
