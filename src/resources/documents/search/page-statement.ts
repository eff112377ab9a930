import { boundedPage } from '../../../platform/database/paging/bounded-page.js';
import { byKey } from '../../../platform/database/paging/by-key.js';
import { type Bind } from '../../../platform/database/sql-parameters.js';
import { creatorsOf } from '../documents.repository.js';
import { type TextSearch, lexemesOf, sequencesIn, tsquery } from './text-search.js';

/** Maximum number of matching parts that are compared. */
const MAX_COMPARED_PARTS = 50;

/**
 * FROM item: the part of a document `d` for its excerpt, with the size of its text in bytes. Chooses the part
 * with the best match, and prefers the text over values and title, which the response contains anyway. No row
 * if no part matches.
 */
function excerptPartSql(search: TextSearch, bind: Bind): string {
  const query = `${bind(tsquery(sequencesIn(search.wanted)))}::tsquery`;
  return `(SELECT t.part, octet_length(t.text) AS bytes
             FROM (SELECT c.* FROM document_texts c
                    WHERE c.tenant_id = $1 AND c.document_id = d.id AND c.vector @@ ${query}
                    ORDER BY c.part <= 0, c.part LIMIT ${MAX_COMPARED_PARTS}) t
            ORDER BY t.part <= 0, ts_rank(t.vector, ${query}) DESC, t.part LIMIT 1)`;
}

/**
 * SQL expression: an `ExcerptSource` as JSON text, from the part `d.part` that {@link excerptPartSql} found.
 * Reads the table under row-level security, only for documents on the page.
 */
function excerptSourceSql(search: TextSearch, bind: Bind): string {
  const lexemes = lexemesOf(search);
  const words = lexemes.filter(({ isPrefix }) => !isPrefix).map(({ key }) => key);
  const prefixes = lexemes.filter(({ isPrefix }) => isPrefix).map(({ key }) => `${key}%`);
  return `(SELECT json_build_object('text', t.text, 'lexemes', (
              SELECT coalesce(json_agg(json_build_array(u.lexeme, u.positions, u.weights)), '[]')
                FROM unnest(t.vector) u
               WHERE u.lexeme = ANY (${bind(words)}::text[]) OR u.lexeme LIKE ANY (${bind(prefixes)}::text[])))::text
             FROM document_texts t
            WHERE t.tenant_id = $1 AND t.document_id = d.id AND t.part = d.part)`;
}

export interface PageColumns {
  /** Select list of a row `d` of `documents` for its own columns. */
  readonly own: string;
  /** Select list for `tagIds` and `fileIds`. */
  readonly links: (bind: Bind) => string;
  /** The words that excerpts show; null: no excerpts. */
  readonly text: TextSearch | null;
}

interface FoundDocuments {
  /** SELECT that returns their `id`. */
  readonly sql: string;
  /** Further columns of its rows `found` to keep. */
  readonly columns: string;
  /** ORDER BY columns of the kept rows, with the given prefix; their id is `found_id`. */
  readonly order: (prefix: string) => string;
  /** Select list of a kept row `d` for values besides the document. */
  readonly extra?: string;
  /** Maximum size of the page, if it differs from that of other lists. */
  readonly bytes?: number;
}

/** Size of an id in JSON in bytes, with quotes and comma. */
const ID_BYTES = 39;
/**
 * The weight of an excerpt source in the size of a page: its text is read, but the response contains only a
 * small part.
 */
const SOURCE_SHARE = 0.5;

/**
 * Returns the statement for one page of documents. Counts links before the page is cut; reads values and
 * texts only for documents on the page. `OFFSET 0` keeps the planner from reading them earlier.
 */
export function pageSql(found: FoundDocuments, { own, links, text }: PageColumns, bind: Bind): string {
  const { order } = found;
  const part = text && excerptPartSql(text, bind);
  const rows = `
    SELECT d.*, ${links(bind)}, found.id AS found_id, ${found.columns}${part ? ', source.part, source.bytes' : ''}
      FROM (${found.sql}) found
     ${byKey('documents', 'd', 'found.id')}
      ${part ? `LEFT JOIN LATERAL ${part} source ON true` : ''}
     ORDER BY ${order('')} OFFSET 0`;
  const size = [
    'r.fields_size',
    `${ID_BYTES} * (cardinality(r."tagIds") + cardinality(r."fileIds"))`,
    ...(part ? [`${SOURCE_SHARE} * coalesce(r.bytes, 0)`] : []),
  ].join(' + ');
  const selectList = [
    own,
    '(SELECT c.name FROM creators c WHERE c.user_id = d.created_by) AS "createdByName"',
    'd."tagIds", d."fileIds", d."hasMore"',
    ...(text ? [`${excerptSourceSql(text, bind)} AS "excerptSource"`] : []),
    ...(found.extra ? [found.extra] : []),
  ];
  return `WITH page AS MATERIALIZED (SELECT * FROM ${boundedPage(rows, size, order('r.'), found.bytes)} p ORDER BY ${order('p.')}),
               creators AS MATERIALIZED (${creatorsOf('page')})
          SELECT ${selectList.join(', ')} FROM page d ORDER BY ${order('d.')}`;
}
