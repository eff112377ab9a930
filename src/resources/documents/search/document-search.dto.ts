import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { DateTimeField, DateTimeQuery, NotBefore } from '../../../platform/http/input/date-time-field.js';
import { EnumField, EnumQuery } from '../../../platform/http/input/enum-field.js';
import { CursorField, LimitField, PageQuery } from '../../../platform/http/input/page-query.js';
import { UuidField, UuidListQuery, UuidQuery } from '../../../platform/http/input/uuid-field.js';
import {
  type DocumentFilter,
  DocumentFilterField,
  MAX_TAGS,
} from '../../document-filters/document-filters.reader.js';
import { DocumentResponse } from '../document-response.dto.js';
import {
  CONTENT_TEXTS,
  type ContentText,
  DOCUMENT_STATUSES,
  type DocumentStatus,
} from '../document.entity.js';
import { type DocumentSort } from './document-sorts.js';
import {
  CREATED_FROM,
  CREATED_TO,
  type SearchOrder,
  SearchOrderField,
  SearchQueryField,
  SortField,
  SortQuery,
} from './search-fields.js';

const STATUS = 'Only documents with this status; absent: all except those in the bin';
const TEXT =
  'Only documents whose content has this `text`: `None` and `Failed` find what searches by words cannot find';
const VIEW = 'Id of a saved view of the caller; documents must also match its filter';

export class ListDocumentsQuery extends PageQuery {
  @UuidQuery({ description: 'Only documents of this type' })
  documentTypeId?: string;

  @UuidQuery({ description: 'Only documents in this file' })
  fileId?: string;

  @UuidListQuery({ max: MAX_TAGS, description: 'Only documents with all of these tags' })
  tagIds?: string[];

  @EnumQuery(DOCUMENT_STATUSES, { description: STATUS })
  status?: DocumentStatus;

  @EnumQuery(CONTENT_TEXTS, { description: TEXT })
  text?: ContentText;

  @UuidQuery({ description: VIEW })
  savedViewId?: string;

  @DateTimeQuery({ description: CREATED_FROM })
  createdFrom?: string;

  @DateTimeQuery({ description: CREATED_TO })
  @NotBefore('createdFrom')
  createdTo?: string;

  @SearchQueryField()
  q?: string;

  @SortQuery()
  sort?: DocumentSort;

  @SearchOrderField()
  order?: SearchOrder;
}

export class SearchDocumentsBody {
  @DocumentFilterField({ description: 'Null or absent: all documents' })
  filter?: DocumentFilter | null;

  @EnumField(CONTENT_TEXTS, { optional: true, nullable: true, description: TEXT })
  text?: ContentText | null;

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

  @SortField()
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

  @ApiProperty({ description: 'Whether this text matches `q`' })
  isMatch!: boolean;
}

@ApiSchema({ name: 'Excerpt' })
class ExcerptResponse {
  @ApiProperty({ type: [ExcerptSegmentResponse], description: 'The consecutive segments of the excerpt' })
  segments!: readonly ExcerptSegmentResponse[];
}

@ApiSchema({ name: 'FoundDocument' })
export class FoundDocumentResponse extends DocumentResponse {
  @ApiProperty({
    type: ExcerptResponse,
    required: false,
    nullable: true,
    description:
      'Only with `q`: about 30 words around the match, from the text or else from title and file name; null if `q` only ' +
      'excludes words',
  })
  excerpt?: ExcerptResponse | null;
}
