import { Injectable } from '@nestjs/common';
import { DEFAULT_LIMIT, type Page } from '../../../common/page.js';
import { type FieldErrors, invalid, invalidValue } from '../../../common/problem.js';
import { type Position, CursorCodec } from '../../../platform/database/paging/cursor-codec.js';
import { type TenantTransaction } from '../../../platform/database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../../platform/database/transactions/unit-of-work.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import {
  type DocumentFilter,
  DocumentFiltersReader,
  NO_FILTER,
} from '../../document-filters/document-filters.reader.js';
import { DocumentTypesReader } from '../../document-types/document-types.reader.js';
import { SavedViewsReader } from '../../saved-views/saved-views.reader.js';
import { presentDocument } from '../document-response.dto.js';
import {
  type FoundDocumentResponse,
  type ListDocumentsQuery,
  type SearchDocumentsBody,
} from './document-search.dto.js';
import { type FoundDocument, DocumentSearchRepository } from './document-search.repository.js';
import { type ExcerptSource, excerptOf } from './excerpt.js';
import { DOCUMENT_ORDERS, type DocumentSort, isFieldSort } from './document-sorts.js';
import { type FieldSort, partsOf, positionOf } from './field-sort.js';
import { NEWEST_FIRST, orderOf } from '../../../platform/database/paging/list-order.js';
import { type RankedPage, type RankedRow } from './ranked-statement.js';
import { type DocumentSearch } from './search-conditions.js';
import { type TextSearch } from './text-search.js';

/** Number of conditions times `limit` that costs as much of the rate limit as one request. */
const CHECKS_PER_REQUEST = 400;

const NO_DOCUMENTS = { items: [], nextCursor: null };
const UNKNOWN_TYPE = 'unknown type';

@Injectable()
export class DocumentSearchService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly filters: DocumentFiltersReader,
    private readonly savedViews: SavedViewsReader,
    private readonly types: DocumentTypesReader,
    private readonly searches: DocumentSearchRepository,
    private readonly cursors: CursorCodec,
  ) {}

  list(caller: Caller, query: ListDocumentsQuery): Promise<Page<FoundDocumentResponse>> {
    const { documentTypeId = null, fileId = null, tagIds = [] } = query;
    const filter = { ...NO_FILTER, documentTypeId, fileId, tagIds };
    const find = (tx: TenantTransaction) => this.find(tx, caller, 'ListDocuments', filter, query);
    return this.uow.read(caller, find, { fromReplica: true });
  }

  search(caller: Caller, body: SearchDocumentsBody): Promise<Page<FoundDocumentResponse>> {
    const filter = body.filter ?? NO_FILTER;
    const find = (tx: TenantTransaction) => this.find(tx, caller, 'SearchDocuments', filter, body);
    return this.uow.read(caller, find, { fromReplica: true });
  }

  /** @param parameters what both operations accept besides the filter */
  private async find(
    tx: TenantTransaction,
    caller: Caller,
    operation: string,
    filter: DocumentFilter,
    parameters: Omit<SearchDocumentsBody, 'filter'>,
  ): Promise<Page<FoundDocumentResponse>> {
    const { savedViewId = null, status = null, text: contentText = null } = parameters;
    const { createdFrom = null, createdTo = null } = parameters;
    // Null counts as absent.
    const q = parameters.q ?? '';
    const order = parameters.order ?? 'newest';
    const sort = parameters.sort ?? '-createdAt';
    const cursor = parameters.cursor ?? undefined;
    const limit = parameters.limit ?? DEFAULT_LIMIT;
    const view = savedViewId === null ? null : await this.viewFilter(tx, caller, savedViewId);
    const fieldSort = isFieldSort(sort) ? await this.fieldSort(tx, sort, filter, view) : null;
    if (fieldSort === UNKNOWN_TYPE) return NO_DOCUMENTS;
    // Includes the filter of the view and the order of options: after a change of them, old cursors are not valid for
    // the new list.
    const created = { createdFrom, createdTo };
    const options = fieldSort?.field.options?.map(({ key }) => key);
    const filters = { filter, view, status, contentText, q, order, sort, options, ...created };
    const list = { operation, filters };
    const after = this.cursors.read(caller, list, cursor);
    const text = await this.searches.textSearch(tx, caller, q);
    const terms = await this.resolveSearch(tx, filter, view);
    const present = (row: FoundDocument) => presentFound(row, q === '' ? undefined : text);
    if (terms === null) return NO_DOCUMENTS;
    caller.debit(Math.floor((terms.conditions.length * limit) / CHECKS_PER_REQUEST));
    const common = { ...terms, status, contentText, ...created };
    if (fieldSort) {
      const parts = partsOf(fieldSort, after);
      const rows = await this.searches.findParts(tx, caller, { ...common, text }, parts, limit);
      return this.cursors.page(caller, list, rows, limit, (row) => positionOf(fieldSort, row), present);
    }
    const search = { ...common, order: isFieldSort(sort) ? NEWEST_FIRST : orderOf(DOCUMENT_ORDERS, sort) };
    // If the query only excludes words, all documents have the same rank.
    if (order === 'newest' || text === null || text.wanted.length === 0) {
      const rows = await this.searches.find(tx, caller, { ...search, text }, after, limit);
      const { key } = search.order;
      return this.cursors.page(caller, list, rows, limit, (row) => [row[key], row.id], present);
    }
    const rows = await this.searches.findRanked(tx, caller, { ...search, text }, rankedPage(after), limit);
    return this.cursors.page(caller, list, rows, limit, rankedPosition, present);
  }

  /** The field of a sort order. Its type is that of the request or of the saved view. */
  private async fieldSort(
    tx: TenantTransaction,
    sort: DocumentSort,
    filter: DocumentFilter,
    view: DocumentFilter | null,
  ): Promise<FieldSort | typeof UNKNOWN_TYPE> {
    const documentTypeId = filter.documentTypeId ?? view?.documentTypeId;
    if (!documentTypeId) throw invalidValue('sort', 'filter.sort-without-type');
    const type = await this.types.find(tx, documentTypeId);
    if (!type) return UNKNOWN_TYPE;
    const name = sort.replace('-', '');
    const field = type.fields.find(({ key, isRemoved }) => `fields.${key}` === name && !isRemoved);
    if (!field) throw invalidValue('sort', 'field.unknown');
    if (field.type === 'Reference') throw invalidValue('sort', 'filter.sort-by-reference');
    return { field, documentTypeId, isDescending: sort !== name };
  }

  private async viewFilter(tx: TenantTransaction, caller: Caller, id: string): Promise<DocumentFilter> {
    const filter = await this.savedViews.findFilter(tx, caller, id);
    if (!filter) throw invalidValue('savedViewId', 'reference.saved-view');
    return filter;
  }

  /**
   * Resolves the filters of the request and the saved view. Returns null if nothing can match: an unknown
   * type, or a view with a field that no longer exists. An unknown field in the request itself is an error.
   */
  private async resolveSearch(
    tx: TenantTransaction,
    filter: DocumentFilter,
    view: DocumentFilter | null,
  ): Promise<Pick<DocumentSearch, 'documentTypeIds' | 'fileIds' | 'tagIds' | 'conditions'> | null> {
    const errors: FieldErrors = {};
    const own = await this.filters.resolveConditions(tx, filter, errors);
    if (Object.keys(errors).length > 0) {
      const inFilter = Object.entries(errors).map(
        ([path, messages]) => [`filter.${path}`, messages] as const,
      );
      throw invalid(Object.fromEntries(inFilter));
    }
    const viewErrors: FieldErrors = {};
    const saved = view === null ? [] : await this.filters.resolveConditions(tx, view, viewErrors);
    if (own === null || saved === null || Object.keys(viewErrors).length > 0) return null;
    const all = view === null ? [filter] : [filter, view];
    return {
      documentTypeIds: distinct(all.flatMap(({ documentTypeId }) => documentTypeId ?? [])),
      fileIds: distinct(all.flatMap(({ fileId }) => fileId ?? [])),
      tagIds: distinct(all.flatMap(({ tagIds }) => tagIds)),
      conditions: distinct([...own, ...saved]),
    };
  }
}

/** Without repeated ids, or conditions with the same field, operator and value. */
function distinct<T>(criteria: readonly T[]): T[] {
  return [...new Map(criteria.map((criterion) => [JSON.stringify(criterion), criterion])).values()];
}

/** The position in a ranked list includes the window of documents that were ranked for the first page. */
function rankedPosition({ rank, createdAt, id, newest, oldest, part }: FoundDocument & RankedRow): Position {
  return [rank, createdAt, id, ...newest, ...oldest, part];
}

function rankedPage(position: Position | null): Pick<RankedPage, 'part' | 'window' | 'after'> {
  if (position === null) return { part: 'words', window: null, after: null };
  return {
    // Cursors of earlier releases have no part.
    part: position[7] === 'compounds' ? 'compounds' : 'words',
    window: { newest: position.slice(3, 5), oldest: position.slice(5, 7) },
    after: position.slice(0, 3),
  };
}

/** @param text the search words; null if the query has none, undefined without a query */
function presentFound(row: FoundDocument, text: TextSearch | null | undefined): FoundDocumentResponse {
  const document = presentDocument(row);
  if (text === undefined) return document;
  // Parsed one by one: all sources together would be many small arrays in memory.
  const source = text && row.excerptSource ? (JSON.parse(row.excerptSource) as ExcerptSource) : null;
  const excerpt = text && source ? excerptOf(source, text) : null;
  return { ...document, excerpt };
}
