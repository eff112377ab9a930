import { boundedPage } from '../../../platform/database/paging/bounded-page.js';
import { type Bind } from '../../../platform/database/sql-parameters.js';
import { excerptPartSql, excerptSourceSql } from './excerpt-source.js';
import { type TextSearch } from './text-search.js';

/** What is shown of documents that were found. */
export interface ShownDocuments {
  /** Select list of a row `d` of `documents`. */
  readonly own: string;
  /** The same for `tagIds` and `fileIds`. */
  readonly links: (bind: Bind) => string;
  /** What excerpts are made for; null for none. */
  readonly text: TextSearch | null;
}

/** Documents that were found. */
interface FoundDocuments {
  /** A SELECT with their `id`. */
  readonly sql: string;
  /** What else to keep of its rows `found`. */
  readonly columns: string;
  /** Columns that the rows that are kept are sorted by, given a prefix of their names. */
  readonly order: (prefix: string) => string;
  /** Select list of a row `d` that is kept: what is told beside the document. */
  readonly extra?: string;
}

/** Bytes of an id in JSON, with quotes and comma. */
const ID_BYTES = 39;
/** The text of an excerpt's source is read, and only a small piece of it answered. */
const SOURCE_SHARE = 0.5;

/**
 * The page of documents that were found. Links are counted before the page ends, values and texts are read only for
 * what is on it: `OFFSET 0` keeps the planner from reading them earlier.
 */
export function pageSql(found: FoundDocuments, { own, links, text }: ShownDocuments, bind: Bind): string {
  const { order } = found;
  const part = text && excerptPartSql(text, bind);
  const rows = `
    SELECT d.*, ${links(bind)}, ${found.columns}${part ? ', source.part, source.bytes' : ''}
      FROM (${found.sql}) found
      JOIN documents d ON d.tenant_id = $1 AND d.id = found.id
      ${part ? `LEFT JOIN LATERAL ${part} source ON true` : ''}
     WHERE d.tenant_id = $1 ORDER BY ${order('')} OFFSET 0`;
  const size = [
    'r.fields_size',
    `${ID_BYTES} * (cardinality(r."tagIds") + cardinality(r."fileIds"))`,
    ...(part ? [`${SOURCE_SHARE} * coalesce(r.bytes, 0)`] : []),
  ].join(' + ');
  const shown = [
    own,
    'd."tagIds", d."fileIds", d."hasMore"',
    ...(text ? [`${excerptSourceSql(text, bind)} AS "excerptSource"`] : []),
    ...(found.extra ? [found.extra] : []),
  ];
  return `SELECT ${shown.join(', ')} FROM ${boundedPage(rows, size, order('r.'))} d ORDER BY ${order('d.')}`;
}
