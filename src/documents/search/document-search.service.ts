import { Injectable } from '@nestjs/common';
import { DEFAULT_LIMIT, type Page } from '../../common/page.js';
import { type FieldErrors, invalid, invalidValue } from '../../common/problem.js';
import { type TenantTransaction } from '../../database/tenant-transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import {
  type DocumentFilter,
  DocumentFiltersReader,
  NO_FILTER,
} from '../../document-filters/document-filters.reader.js';
import { CursorCodec } from '../../http/cursor-codec.js';
import { limitOf } from '../../http/fields.js';
import { SavedViewsReader } from '../../saved-views/saved-views.reader.js';
import { type Caller } from '../../tenancy/caller.js';
import { type DocumentStatus } from '../document.entity.js';
import { type DocumentResponse, presentDocument } from '../documents.dto.js';
import { type ListDocumentsQuery, type SearchDocumentsBody } from './document-search.dto.js';
import { DocumentSearchRepository } from './document-search.repository.js';
import { type DocumentSearch } from './search-statement.js';

/** A search as one of the operations was asked for it. */
interface Request {
  readonly operation: 'ListDocuments' | 'SearchDocuments';
  readonly filter: DocumentFilter;
  readonly savedViewId: string | null;
  readonly status: DocumentStatus | null;
  readonly cursor: string | undefined;
  readonly limit: number;
}

@Injectable()
export class DocumentSearchService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly filters: DocumentFiltersReader,
    private readonly savedViews: SavedViewsReader,
    private readonly searches: DocumentSearchRepository,
    private readonly cursors: CursorCodec,
  ) {}

  list(caller: Caller, query: ListDocumentsQuery): Promise<Page<DocumentResponse>> {
    const { documentTypeId = null, fileId = null, tagIds, savedViewId = null, status = null } = query;
    const tags = tagIds === undefined ? [] : tagIds.split(',');
    return this.find(caller, {
      operation: 'ListDocuments',
      filter: { ...NO_FILTER, documentTypeId, fileId, tagIds: tags },
      savedViewId,
      status,
      cursor: query.cursor,
      limit: limitOf(query),
    });
  }

  search(caller: Caller, body: SearchDocumentsBody): Promise<Page<DocumentResponse>> {
    const { filter, savedViewId = null, status = null, cursor, limit } = body;
    return this.find(caller, {
      operation: 'SearchDocuments',
      filter: filter ?? NO_FILTER,
      savedViewId,
      status,
      cursor: cursor ?? undefined,
      limit: limit ?? DEFAULT_LIMIT,
    });
  }

  private find(caller: Caller, request: Request): Promise<Page<DocumentResponse>> {
    const { operation, filter, savedViewId, status, cursor, limit } = request;
    return this.uow.read(caller, async (tx) => {
      const view = savedViewId === null ? null : await this.viewFilter(tx, caller, savedViewId);
      // With the content of the view: once it changes, what follows on a page of before is another list.
      const list = { operation, filters: { filter, view, status } };
      const after = this.cursors.read(caller, list, cursor);
      const search = await this.read(tx, filter, view, status);
      const rows = search === null ? [] : await this.searches.find(tx, caller, search, after, limit);
      return this.cursors.page(caller, list, rows, limit, (row) => [row.createdAt, row.id], presentDocument);
    });
  }

  private async viewFilter(tx: TenantTransaction, caller: Caller, id: string): Promise<DocumentFilter> {
    const filter = await this.savedViews.findFilter(tx, caller, id);
    if (!filter) throw invalidValue('savedViewId', 'names no saved view of the caller');
    return filter;
  }

  /**
   * Null when nothing can match: a type that is not there, or a view with a field that has gone since. In the request
   * itself a field that is not there is a fault.
   */
  private async read(
    tx: TenantTransaction,
    filter: DocumentFilter,
    view: DocumentFilter | null,
    status: DocumentStatus | null,
  ): Promise<DocumentSearch | null> {
    const errors: FieldErrors = {};
    const own = await this.filters.conditions(tx, filter, errors);
    if (Object.keys(errors).length > 0) {
      const inFilter = Object.entries(errors).map(
        ([path, sentences]) => [`filter.${path}`, sentences] as const,
      );
      throw invalid(Object.fromEntries(inFilter));
    }
    const gone: FieldErrors = {};
    const saved = view === null ? [] : await this.filters.conditions(tx, view, gone);
    if (own === null || saved === null || Object.keys(gone).length > 0) return null;
    const all = view === null ? [filter] : [filter, view];
    return {
      documentTypeIds: distinct(all.flatMap(({ documentTypeId }) => documentTypeId ?? [])),
      fileIds: distinct(all.flatMap(({ fileId }) => fileId ?? [])),
      tagIds: distinct(all.flatMap(({ tagIds }) => tagIds)),
      conditions: [...own, ...saved],
      status,
    };
  }
}

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}
