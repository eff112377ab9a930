import { type Bind } from '../../../platform/database/sql-parameters.js';
import { type TextSearch, lexemesOf, tsquery } from './text-search.js';

/** Maximum number of matching parts that are compared. */
const MAX_COMPARED_PARTS = 50;

/**
 * FROM item: the part of a document `d` for its excerpt, with the size of its text in bytes. Chooses the part
 * with the best match, and prefers the text over the title, which the response contains anyway. No row if no
 * part matches.
 */
export function excerptPartSql(search: TextSearch, bind: Bind): string {
  const query = `${bind(tsquery(search.wanted))}::tsquery`;
  return `(SELECT t.part, octet_length(t.text) AS bytes
             FROM (SELECT c.* FROM document_texts c
                    WHERE c.tenant_id = $1 AND c.document_id = d.id AND c.vector @@ ${query}
                    ORDER BY c.part = 0, c.part LIMIT ${MAX_COMPARED_PARTS}) t
            ORDER BY t.part = 0, ts_rank(t.vector, ${query}) DESC, t.part LIMIT 1)`;
}

/**
 * SQL expression: an `ExcerptSource` as JSON text, from the part `d.part` that {@link excerptPartSql} found.
 * Reads the table under row level security, only for documents on the page.
 */
export function excerptSourceSql(search: TextSearch, bind: Bind): string {
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
