import { Injectable } from '@nestjs/common';
import {
  type TenantTransaction,
  type WriteTransaction,
} from '../../database/transactions/tenant-transaction.js';
import { type ExpiringRows } from './expiry-sweep.js';

const RUN_OUT = `tenant_id = $1 AND created_at <= now() - interval '24 hours'`;
const BATCH = 5_000;

/** Forgets stored answers once their keys have run out; from that moment on nothing honours them anyway. */
@Injectable()
export class IdempotencyKeysRepository implements ExpiringRows {
  async hasUnmarked(tx: TenantTransaction): Promise<boolean> {
    const rows = await tx.query(`SELECT FROM idempotency_keys WHERE ${RUN_OUT} LIMIT 1`, [tx.tenantId]);
    return rows.length > 0;
  }

  /** A batch at a time: what is left goes with the next sweep. */
  async markExpired(tx: WriteTransaction): Promise<void> {
    await tx.query(
      `DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM idempotency_keys WHERE ${RUN_OUT} ORDER BY created_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`,
      [tx.tenantId],
    );
  }
}
