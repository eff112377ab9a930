import { Problem } from '../../../common/problem.js';
import { type Statement } from './tenant-batch.js';
import { type IdempotencyRequest } from './tenant-context.js';
import { type WriteTransaction } from './tenant-transaction.js';

/**
 * Stores the key for this request. Waits while another request with the same key is in progress. Returns the stored
 * body of the other request, or null when this request is the first.
 */
export async function claimKey(tx: WriteTransaction, request: IdempotencyRequest): Promise<string | null> {
  const values = [tx.tenantId, tx.context.actorId, request.operation, request.key];
  const claimed = await tx.query(
    `INSERT INTO idempotency_keys AS k (tenant_id, user_id, operation, key, fingerprint)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (tenant_id, user_id, operation, key) DO UPDATE
       SET fingerprint = excluded.fingerprint, body = NULL, created_at = excluded.created_at
       WHERE excluded.created_at - k.created_at >= interval '24 hours'
     RETURNING key`,
    [...values, request.fingerprint],
  );
  if (claimed.length > 0) return null;
  const [stored] = await tx.query<{ fingerprint: string; body: string | null }>(
    `SELECT fingerprint, body FROM idempotency_keys
      WHERE tenant_id = $1 AND user_id = $2 AND operation = $3 AND key = $4`,
    values,
  );
  const known = [request.fingerprint, request.formerFingerprint];
  if (!stored || !known.includes(stored.fingerprint)) throw new Problem(request.onMismatch);
  return stored.body ?? 'null';
}

/** Returns the statement that stores the body of the answer with the key of the request. */
export function storeAnswer(tx: WriteTransaction, request: IdempotencyRequest, result: unknown): Statement {
  const body = JSON.stringify(result, (member, value: unknown) =>
    request.secrets.includes(member) ? undefined : value,
  );
  return {
    text: `UPDATE idempotency_keys SET body = $5
            WHERE tenant_id = $1 AND user_id = $2 AND operation = $3 AND key = $4`,
    values: [tx.tenantId, tx.context.actorId, request.operation, request.key, body],
  };
}
