/** Permissions of which one is needed to read a disposal. */
export const DISPOSAL_READERS = ['disposals.manage', 'disposals.approve', 'auditLog.read'] as const;

// SQL conditions on the files of disposals. `$1` of the statement is the tenant; `id` is an SQL expression.

/** The file is in a disposal that is not carried out yet; with a further condition on its row `o`. */
export function inDisposal(id: string, condition = 'true'): string {
  return `coalesce((SELECT true FROM disposal_files o
    WHERE o.tenant_id = $1 AND o.file_id = ${id} AND o.is_unfinished AND ${condition} LIMIT 1), false)`;
}

/** The destruction of the file has begun. Ask in a statement after the one that locks the file. */
export function inDestruction(id: string): string {
  return inDisposal(id, `o.outcome = 'Destroying'`);
}

/** A disposal has destroyed the file. */
export function isDestroyed(id: string): string {
  return `coalesce((SELECT true FROM disposal_files o
    WHERE o.tenant_id = $1 AND o.file_id = ${id} AND o.outcome = 'Destroyed' LIMIT 1), false)`;
}

/** The number belonged to a file that a disposal has destroyed, and stays taken. `key` is an SQL expression. */
export function isNumberOfDestroyed(key: string): string {
  return `coalesce((SELECT true FROM disposal_files o
    WHERE o.tenant_id = $1 AND o.number_key = ${key} AND o.outcome = 'Destroyed' LIMIT 1), false)`;
}
