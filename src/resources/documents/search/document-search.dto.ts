import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { DateTimeField, DateTimeQuery } from '../../../platform/http/input/date-time-field.js';
import { NotBefore } from '../../../platform/http/input/date-time-field.js';
import { EnumField, EnumQuery } from '../../../platform/http/input/enum-field.js';
import { CursorField, LimitField, PageQuery } from '../../../platform/http/input/page-query.js';
import { UuidField, UuidListQuery, UuidQuery } from '../../../platform/http/input/uuid-field.js';
import {
  type DocumentFilter,
  DocumentFilterField,
  MAX_TAGS,
} from '../../document-filters/document-filters.reader.js';
import { DocumentResponse } from '../document-response.dto.js';
import { DOCUMENT_STATUSES, type DocumentStatus } from '../document.entity.js';
import { DOCUMENT_SORTS, type DocumentSort } from './list-order.js';
import {
  CREATED_FROM,
  CREATED_TO,
  SORT,
  type SearchOrder,
  SearchOrderField,
  SearchQueryField,
} from './search-fields.js';

const STATUS = 'Only documents in this state; without it, all but those in the bin';
const VIEW = 'A saved view of the caller, whose filter must hold, too';

export class ListDocumentsQuery extends PageQuery {
  @UuidQuery({ description: 'Only documents of this type' })
  documentTypeId?: string;

  @UuidQuery({ description: 'Only documents in this file' })
  fileId?: string;

  /** As sent. */
  @UuidListQuery({ max: MAX_TAGS, description: 'Only documents with all of these tags' })
  tagIds?: string;

  @EnumQuery(DOCUMENT_STATUSES, { description: STATUS })
  status?: DocumentStatus;

  @UuidQuery({ description: VIEW })
  savedViewId?: string;

  @DateTimeQuery({ description: CREATED_FROM })
  createdFrom?: string;

  @DateTimeQuery({ description: CREATED_TO })
  @NotBefore('createdFrom')
  createdTo?: string;

  @SearchQueryField()
  q?: string;

  @EnumQuery(DOCUMENT_SORTS, SORT)
  sort?: DocumentSort;

  @SearchOrderField()
  order?: SearchOrder;
}

export class SearchDocumentsBody {
  @DocumentFilterField({ description: 'Null or absent: all documents' })
  filter?: DocumentFilter | null;

  @UuidField({ optional: true, nullable: true, description: VIEW })
  savedViewId?: string | null;

  @EnumField(DOCUMENT_STATUSES, { optional: true, nullable: true, description: STATUS })
  status?: DocumentStatus | null;

  @DateTimeField({ optional: true, nullable: true, description: CREATED_FROM })
  createdFrom?: string | null;

  @DateTimeField({ optional: true, nullable: true, description: CREATED_TO })
  @NotBefore('createdFrom')
  createdTo?: string | null;

  @SearchQueryField({ nullable: true })
  q?: string | null;

  @EnumField(DOCUMENT_SORTS, { ...SORT, optional: true, nullable: true })
  sort?: DocumentSort | null;

  @SearchOrderField({ nullable: true })
  order?: SearchOrder | null;

  @CursorField()
  cursor?: string | null;

  @LimitField()
  limit?: number | null;
}

@ApiSchema({ name: 'ExcerptSegment' })
class ExcerptSegmentResponse {
  @ApiProperty({ description: 'Plain text, never HTML', example: 'Genehmigung' })
  text!: string;

  @ApiProperty({ description: 'Whether it is something that `q` asked for' })
  isMatch!: boolean;
}

@ApiSchema({ name: 'Excerpt' })
class ExcerptResponse {
  @ApiProperty({ type: [ExcerptSegmentResponse], description: 'One after the other, they are the excerpt' })
  segments!: readonly ExcerptSegmentResponse[];
}

@ApiSchema({ name: 'FoundDocument' })
export class FoundDocumentResponse extends DocumentResponse {
  @ApiProperty({
    type: ExcerptResponse,
    required: false,
    nullable: true,
    description:
      'Only with a `q`: about 30 words of the text, or else of title and file name, around what `q` asked for; null ' +
      'when it asked for nothing but the absence of words',
  })
  excerpt?: ExcerptResponse | null;
}
