import { byKey } from '../../platform/database/paging/by-key.js';

// SQL conditions for what an active hold contains. `$1` of the statement is the tenant. A statement that decides about a
// change must run after the one that locks the file or document: it would not see a hold that was placed while it waited.
//
// Scalar subqueries instead of EXISTS, for which the planner may read all items of the tenant.

const ACTIVE_HOLD = `JOIN holds h ON h.tenant_id = $1 AND h.id = i.hold_id AND h.status = 'Active'`;

/** An active hold contains the file. `id` is an SQL expression. */
export function heldFile(id: string): string {
  return `coalesce((SELECT true FROM hold_files i ${ACTIVE_HOLD}
                     WHERE i.tenant_id = $1 AND i.file_id = ${id} LIMIT 1), false)`;
}

/** An active hold contains the document or one of its files. `id` is an SQL expression. */
export function heldDocument(id: string): string {
  return `coalesce(
    (SELECT true FROM hold_documents i ${ACTIVE_HOLD} WHERE i.tenant_id = $1 AND i.document_id = ${id} LIMIT 1),
    (SELECT true FROM document_files df JOIN hold_files i ON i.tenant_id = $1 AND i.file_id = df.file_id ${ACTIVE_HOLD}
      WHERE df.tenant_id = $1 AND df.document_id = ${id} LIMIT 1),
    false)`;
}

/**
 * Statement: those of the documents `$2` that {@link heldDocument} finds. As joins, because PostgreSQL plans the condition
 * of an unknown number of documents each time, which takes longer than running it.
 */
export const HELD_DOCUMENTS = `
  SELECT held.id
    FROM (SELECT i.document_id AS id, i.hold_id FROM hold_documents i
           WHERE i.tenant_id = $1 AND i.document_id = ANY ($2::uuid[])
          UNION ALL
          SELECT df.document_id, i.hold_id FROM document_files df
           ${byKey('hold_files', 'i', 'df.file_id', { column: 'file_id' })}
           WHERE df.tenant_id = $1 AND df.document_id = ANY ($2::uuid[]) OFFSET 0) held
   ${byKey('holds', 'h', 'held.hold_id', { condition: `h.status = 'Active'` })}`;
