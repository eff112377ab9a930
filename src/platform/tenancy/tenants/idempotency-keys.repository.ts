import { Injectable } from '@nestjs/common';
import { type WriteTransaction } from '../../database/transactions/tenant-transaction.js';
import { type ExpiringRows, ExpirySweep } from './expiry-sweep.js';

const EXPIRED = `tenant_id = $1 AND created_at <= now() - interval '24 hours'`;
const BATCH = 5_000;

/** Deletes expired Idempotency-Keys with their stored answers. Expired keys have no effect anyway. */
@Injectable()
export class IdempotencyKeysRepository implements ExpiringRows {
  readonly unmarked = { function: 'tenants_with_expired_idempotency_keys', since: '24 hours' } as const;

  constructor(sweep: ExpirySweep) {
    sweep.register(this);
  }

  /** Deletes one batch. The next sweep deletes the rest. */
  async markExpired(tx: WriteTransaction): Promise<void> {
    await tx.query(
      `DELETE FROM idempotency_keys WHERE tenant_id = $1 AND ctid = ANY (ARRAY(
         SELECT ctid FROM idempotency_keys WHERE ${EXPIRED} ORDER BY created_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`,
      [tx.tenantId],
    );
  }
}
