import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import {
  type DocumentFilter,
  DocumentFilterField,
  MAX_TAGS,
} from '../../document-filters/document-filters.reader.js';
import {
  CursorField,
  EnumField,
  EnumQuery,
  LimitField,
  PageQuery,
  UuidField,
  UuidListQuery,
  UuidQuery,
} from '../../http/fields.js';
import { DOCUMENT_STATUSES, type DocumentStatus } from '../document.entity.js';
import { DocumentResponse } from '../documents.dto.js';

const STATUS = 'Only documents in this state; without it, all but those in the bin';
const VIEW = 'A saved view of the caller, whose filter must hold, too';

export class ListDocumentsQuery extends PageQuery {
  @UuidQuery({ description: 'Only documents of this type' })
  documentTypeId?: string;

  @UuidQuery({ description: 'Only documents in this file' })
  fileId?: string;

  /** As sent. */
  @UuidListQuery({ max: MAX_TAGS, description: 'Only documents with all of these tags, separated by commas' })
  tagIds?: string;

  @EnumQuery(DOCUMENT_STATUSES, { description: STATUS })
  status?: DocumentStatus;

  @UuidQuery({ description: VIEW })
  savedViewId?: string;
}

export class SearchDocumentsBody {
  @DocumentFilterField({ description: 'Null or absent: all documents' })
  filter?: DocumentFilter | null;

  @UuidField({ optional: true, nullable: true, description: VIEW })
  savedViewId?: string | null;

  @EnumField(DOCUMENT_STATUSES, { optional: true, nullable: true, description: STATUS })
  status?: DocumentStatus | null;

  @CursorField()
  cursor?: string | null;

  @LimitField()
  limit?: number | null;
}

@ApiSchema({ name: 'DocumentPage' })
export class DocumentPageResponse {
  @ApiProperty({ type: [DocumentResponse] })
  items!: DocumentResponse[];

  @ApiProperty({ type: String, nullable: true })
  nextCursor!: string | null;
}
