import { caseFold } from 'unicode-case-folding';
import { type QueryItem, type TextsModel, hasWords, lexiconOf } from './text-model.js';

/** Reference model of the document search: it checks every document, and shares no code with the service. */
export type FieldType = 'Text' | 'Number' | 'Date' | 'Money' | 'Enumeration' | 'Reference';

export interface TypeModel {
  readonly id: string;
  /** Field types by key, without removed fields. */
  readonly fields: Readonly<Record<string, FieldType>>;
}

export type Value = string | { readonly amount: string; readonly currency: string };

export interface DocumentModel {
  readonly id: string;
  readonly typeId: string | null;
  readonly status: string;
  readonly values: Readonly<Record<string, Value>>;
  readonly tagIds: readonly string[];
  readonly fileIds: readonly string[];
  /** Ids of the users on the list of a confidential document, null otherwise. */
  readonly listed: readonly string[] | null;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** One of {@link TITLES}. */
  readonly title: string;
  readonly texts: TextsModel;
}

/** Titles in the order of the root collation. */
export const TITLES = ['_x', '1', '10', '2', 'a', 'A', 'Ab', 'aß', 'asz', 'Äx', 'Az', 'b', 'ж'];

/** Sort and period of a list; newest first without `sort`. */
export interface ListModel {
  readonly sort?: string;
  /** ISO 8601, inclusive; `createdTo` is exclusive. */
  readonly createdFrom?: string;
  readonly createdTo?: string;
}

export interface CallerModel {
  readonly userId: string;
  /** Ids of the files that the caller can see, null for all. */
  readonly fileIds: readonly string[] | null;
  readonly seesBin: boolean;
}

export interface ConditionModel {
  readonly fieldKey: string;
  readonly operator: string;
  readonly value: string | null;
}

export interface FilterModel {
  readonly documentTypeId: string | null;
  readonly fileId: string | null;
  readonly tagIds: readonly string[];
  readonly metadataConditions: readonly ConditionModel[];
}

type Comparison = (one: DocumentModel, other: DocumentModel) => number;

function compareBy(sort: string): Comparison {
  if (sort.includes('fields.')) return compareByNumber(sort);
  const key = sort.replace('-', '') as 'createdAt' | 'updatedAt' | 'title';
  const sign = sort.startsWith('-') ? -1 : 1;
  const byKey = (one: DocumentModel, other: DocumentModel) =>
    key === 'title' ? TITLES.indexOf(one.title) - TITLES.indexOf(other.title) : compare(one[key], other[key]);
  return (one, other) => sign * (byKey(one, other) || compare(one.id, other.id));
}

/** By a field of type Number; documents without a value are last, newest first. */
function compareByNumber(sort: string): Comparison {
  const key = sort.replace(/^-?fields\./, '');
  const sign = sort.startsWith('-') ? -1 : 1;
  return (one, other) => {
    const [value, otherValue] = [one.values[key], other.values[key]];
    const byTime = compare(one.createdAt, other.createdAt) || compare(one.id, other.id);
    if (value === undefined || otherValue === undefined)
      return Number(value === undefined) - Number(otherValue === undefined) || -byTime;
    return sign * (compare(scaled(value as string), scaled(otherValue as string)) || byTime);
  };
}

type Predicate = (document: DocumentModel) => boolean;

/** Ids of the documents in order, or the paths of invalid members of the filter. */
export type SearchResult = { readonly ids: string[] } | { readonly errorPaths: string[] };

export class SearchModel {
  private readonly lexicon: ReadonlySet<string>;

  constructor(
    private readonly types: readonly TypeModel[],
    private readonly documents: readonly DocumentModel[],
  ) {
    this.lexicon = lexiconOf(documents.flatMap(({ listed, texts }) => (listed === null ? [texts] : [])));
  }

  search(
    caller: CallerModel,
    filter: FilterModel,
    view: FilterModel | null,
    status: string | null,
    words: readonly QueryItem[] = [],
    { sort = '-createdAt', createdFrom = '', createdTo = '~' }: ListModel = {},
  ): SearchResult {
    const { predicates, errorPaths } = this.readConditions(filter);
    if (errorPaths.length > 0) return { errorPaths };
    const saved = view === null ? { predicates: [], errorPaths: [] } : this.readConditions(view);
    if (saved.errorPaths.length > 0) return { ids: [] };
    const ids = this.documents
      .filter((document) => this.isVisible(caller, document))
      .filter((document) => (status === null ? document.status !== 'Deleted' : document.status === status))
      .filter((document) =>
        [filter, view].every((one) => one === null || this.hasTypeFileAndTags(caller, document, one)),
      )
      .filter((document) => [...predicates, ...saved.predicates].every((matches) => matches(document)))
      .filter(({ texts }) => hasWords(texts, words, this.lexicon))
      .filter(({ createdAt }) => createdAt >= createdFrom && createdAt < createdTo)
      .sort(compareBy(sort))
      .map(({ id }) => id);
    return { ids };
  }

  private isVisible({ userId, fileIds, seesBin }: CallerModel, document: DocumentModel): boolean {
    if (document.status === 'Deleted' && !seesBin) return false;
    if (document.listed) return document.listed.includes(userId);
    return (
      fileIds === null ||
      document.createdBy === userId ||
      document.fileIds.some((fileId) => fileIds.includes(fileId))
    );
  }

  private hasTypeFileAndTags(caller: CallerModel, document: DocumentModel, filter: FilterModel): boolean {
    const { documentTypeId, fileId, tagIds } = filter;
    const seen = caller.fileIds;
    return (
      (documentTypeId === null || document.typeId === documentTypeId) &&
      (fileId === null || (document.fileIds.includes(fileId) && (seen === null || seen.includes(fileId)))) &&
      tagIds.every((tagId) => document.tagIds.includes(tagId))
    );
  }

  private readConditions({ documentTypeId, metadataConditions }: FilterModel): {
    predicates: Predicate[];
    errorPaths: string[];
  } {
    const types = this.types.filter(({ id }) => documentTypeId === null || id === documentTypeId);
    // No document has an unknown type, whatever the conditions are.
    if (types.length === 0) return { predicates: [() => false], errorPaths: [] };
    const errorPaths: string[] = [];
    const predicates = metadataConditions.flatMap((condition, index) => {
      const read = readCondition(types, condition);
      if (typeof read !== 'string') return [read];
      errorPaths.push(`metadataConditions[${index}].${read}`);
      return [];
    });
    return { predicates, errorPaths };
  }
}

/** A predicate for the condition, or the name of its invalid member. */
function readCondition(
  types: readonly TypeModel[],
  condition: ConditionModel,
): Predicate | keyof ConditionModel {
  const { fieldKey, operator, value } = condition;
  const kinds = new Map<string, FieldType>();
  for (const { id, fields } of types) {
    const kind = fields[fieldKey];
    if (kind) kinds.set(id, kind);
  }
  if (kinds.size === 0) return 'fieldKey';
  for (const [id, kind] of kinds) if (!supportsOperator(operator, kind)) kinds.delete(id);
  if (kinds.size === 0) return 'operator';
  if (value !== null) for (const [id, kind] of kinds) if (!isComparable(kind, value)) kinds.delete(id);
  if (kinds.size === 0) return 'value';
  return ({ typeId, values }) => {
    const kind = typeId === null ? undefined : kinds.get(typeId);
    return kind !== undefined && matches(kind, values[fieldKey], operator, value);
  };
}

function supportsOperator(operator: string, kind: FieldType): boolean {
  switch (operator) {
    case 'Contains':
      return kind === 'Text';
    case 'GreaterThan':
    case 'GreaterThanOrEqual':
    case 'LessThan':
    case 'LessThanOrEqual':
      return kind === 'Number' || kind === 'Date' || kind === 'Money';
    default:
      return true;
  }
}

function isComparable(kind: FieldType, value: string): boolean {
  switch (kind) {
    case 'Number':
      return /^-?\d{1,38}(\.\d+)?$/.test(value);
    case 'Date':
      return /^\d{4}-\d\d-\d\d$/.test(value);
    case 'Money':
      return /^-?\d{1,38}(\.\d+)?( [A-Z]{3})?$/.test(value);
    case 'Reference':
      return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);
    default:
      return true;
  }
}

function matches(
  kind: FieldType,
  stored: Value | undefined,
  operator: string,
  operand: string | null,
): boolean {
  if (operator === 'IsEmpty') return stored === undefined;
  if (operator === 'IsNotEmpty') return stored !== undefined;
  if (stored === undefined) return operator === 'NotEqualTo';
  if (operator === 'Contains') return caseFold(stored as string).includes(caseFold(operand ?? ''));
  const order = orderOf(kind, stored, operand ?? '');
  switch (operator) {
    case 'EqualTo':
      return order === 0;
    case 'NotEqualTo':
      return order !== 0;
    case 'GreaterThan':
      return order !== null && order > 0;
    case 'GreaterThanOrEqual':
      return order !== null && order >= 0;
    case 'LessThan':
      return order !== null && order < 0;
    default:
      return order !== null && order <= 0;
  }
}

/** Negative when the value is smaller than the operand, null when they cannot be compared. */
function orderOf(kind: FieldType, stored: Value, operand: string): number | null {
  if (typeof stored !== 'string') {
    const [amount = '', currency] = operand.split(' ');
    return currency !== undefined && currency !== stored.currency
      ? null
      : compare(scaled(stored.amount), scaled(amount));
  }
  switch (kind) {
    case 'Number':
      return compare(scaled(stored), scaled(operand));
    case 'Text':
      return compare(caseFold(stored), caseFold(operand));
    case 'Reference':
      return compare(stored, operand.toLowerCase());
    default:
      return compare(stored, operand);
  }
}

/** The decimal number times 10^38. */
function scaled(decimal: string): bigint {
  const [whole = '', fraction = ''] = decimal.replace('-', '').split('.');
  const digits = BigInt(whole + fraction.padEnd(38, '0'));
  return decimal.startsWith('-') ? -digits : digits;
}

function compare<T extends string | bigint>(one: T, other: T): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
