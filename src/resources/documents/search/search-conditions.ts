import { type Bind } from '../../../platform/database/sql-parameters.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { binCondition, visibleFiles } from '../../../platform/tenancy/access/visibility.js';
import { type ResolvedCondition } from '../../document-filters/document-filters.reader.js';
import { type ContentText, type DocumentStatus } from '../document.entity.js';
import { absenceSql, isAbsence } from './condition-terms.js';
import { type DocumentOrder } from './document-order.js';
import { type Range, type SearchPlan, inRange, joinedSql, probedSql } from './search-terms.js';
import { type TextSearch, unwantedTerm, wantedTerm } from './text-search.js';

/** A document must meet all criteria. */
export interface DocumentSearch {
  /** Several different ids, or an unknown one, match nothing. */
  readonly documentTypeIds: readonly string[];
  readonly fileIds: readonly string[];
  readonly tagIds: readonly string[];
  readonly conditions: readonly ResolvedCondition[];
  readonly text: TextSearch | null;
  /** Null: all except documents in the bin. */
  readonly status: DocumentStatus | null;
  /** Null: any, and documents without content. */
  readonly contentText: ContentText | null;
  /** ISO 8601; the start is inclusive, the end is exclusive. */
  readonly createdFrom: string | null;
  readonly createdTo: string | null;
  readonly order: DocumentOrder;
}

/**
 * Conditions that an index of documents covers, so that the newest documents are found without reading more
 * rows.
 */
export function ownConditions(
  caller: Caller,
  { documentTypeIds, status, contentText }: DocumentSearch,
  bind: Bind,
  range: Range,
): string[] {
  return [
    'd.tenant_id = $1',
    binCondition(caller, 'd'),
    status === null ? `d.status <> 'Deleted'` : `d.status = ${bind(status)}`,
    ...(contentText === null ? [] : [`d.content_text = ${bind(contentText)}`]),
    ...documentTypeIds.map((id) => `d.document_type_id = ${bind(id)}::uuid`),
    ...inRange('d', 'id', bind, range),
  ];
}

export function furtherConditions(
  caller: Caller,
  { fileIds, conditions, text }: DocumentSearch,
  { lead, joined, probed }: SearchPlan,
  bind: Bind,
  range: Range,
): string[] {
  const absences = conditions.filter(isAbsence);
  const all = text === null ? null : unwantedTerm(text);
  const isRemoved = lead !== null && 'sets' in lead && !all?.candidates;
  const unwanted = isRemoved ? null : all;
  const notAll = (text?.notAll ?? []).map((item) => probedSql(wantedTerm(item), bind));
  return [
    ...joined.map((term) => joinedSql(term, bind, range)),
    ...probed.map((term) => probedSql(term, bind)),
    ...absences.map((condition) => absenceSql(condition, bind)),
    ...(unwanted ? [`NOT ${probedSql(unwanted, bind)}`] : []),
    ...(notAll.length > 0 ? [`NOT (${notAll.join(' AND ')})`] : []),
    ...fileIds.map((id) => fileVisibleSql(caller, id, bind)),
  ];
}

/**
 * SQL condition: the file is visible to the caller. Otherwise, a search would reveal the documents of an
 * invisible file.
 */
function fileVisibleSql(caller: Caller, id: string, bind: Bind): string {
  if (caller.has('files.read')) return 'true';
  return `EXISTS (SELECT FROM files f
    WHERE f.tenant_id = $1 AND f.id = ${bind(id)}::uuid AND ${visibleFiles(caller, 'f', bind)})`;
}
