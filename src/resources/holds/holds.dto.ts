import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { message } from '../../common/messages/message.js';
import { NameField, TextField } from '../../platform/http/input/text-field.js';
import { UuidListField } from '../../platform/http/input/uuid-field.js';
import { HOLD_ITEM_TYPES, type HoldItemType } from './hold-item.entities.js';
import { HOLD_STATUSES, type HoldStatus } from './hold.entity.js';

/** Maximum number of files and documents of one request. */
export const MAX_ITEMS = 1000;
/** Items that cost as much as one request, as for bulk changes. */
const ITEMS_PER_REQUEST = 200;
const TOO_MANY = message('value.max-items', { max: MAX_ITEMS });

export class HoldBody {
  @NameField({ example: 'Rechtsstreit Seegut' })
  name!: string;

  @TextField({
    max: 2000,
    description: 'Why the files and documents must be kept',
    example: 'Klage vom 3. März 2026, Landgericht Musterstadt',
  })
  reason!: string;
}

export class AddHoldItemsBody {
  @UuidListField({ nullable: true, max: MAX_ITEMS, description: 'Files to hold, with the documents in them' })
  fileIds?: string[] | null;

  @UuidListField({
    nullable: true,
    max: MAX_ITEMS,
    conflict: (body) => (isTooMany(body) ? TOO_MANY : null),
    description: `Documents to hold. Together with \`fileIds\` at most ${MAX_ITEMS}`,
  })
  documentIds?: string[] | null;
}

function lengthOf(ids: unknown): number {
  return Array.isArray(ids) ? ids.length : 0;
}

function itemCount({ fileIds, documentIds }: AddHoldItemsBody): number {
  return lengthOf(fileIds) + lengthOf(documentIds);
}

/** Together; a single list that is too long has an error of its own. */
function isTooMany(body: AddHoldItemsBody): boolean {
  return lengthOf(body.fileIds) <= MAX_ITEMS && itemCount(body) > MAX_ITEMS;
}

export function itemsCost(body: object): number {
  return Math.min(MAX_ITEMS, itemCount(body)) / ITEMS_PER_REQUEST;
}

@ApiSchema({ name: 'Hold' })
export class HoldResponse {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'Rechtsstreit Seegut' })
  name!: string;

  @ApiProperty({ example: 'Klage vom 3. März 2026, Landgericht Musterstadt' })
  reason!: string;

  @ApiProperty({ enum: HOLD_STATUSES })
  status!: HoldStatus;

  @ApiProperty({ format: 'uuid' })
  createdById!: string;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  releasedAt!: string | null;
}

@ApiSchema({ name: 'HoldItem' })
export class HoldItemResponse {
  @ApiProperty({ enum: HOLD_ITEM_TYPES })
  subjectType!: HoldItemType;

  @ApiProperty({ format: 'uuid', description: 'Id of the file or the document' })
  subjectId!: string;

  @ApiProperty({
    description: 'Number and name of the file, or title of the document',
    example: 'BAU-2026-0001: Neubau Feuerwache Nord',
  })
  title!: string;

  @ApiProperty({ format: 'date-time' })
  addedAt!: string;

  @ApiProperty({ format: 'uuid' })
  addedById!: string;
}
