import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../platform/config/configuration.js';
import {
  type TenantTransaction,
  type WriteTransaction,
} from '../../platform/database/transactions/tenant-transaction.js';
import { type Expiring, ExpirySweep } from '../../platform/tenancy/tenants/expiry-sweep.js';

const RUN_OUT = `tenant_id = $1 AND created_at <= now() - make_interval(days => $2)`;
const BATCH = 5_000;

/** Forgets notifications, read or not, after a time; the audit log still knows what they told of. */
@Injectable()
export class NotificationExpiry implements Expiring, OnModuleInit {
  private readonly days: number;

  constructor(
    @Inject(CONFIGURATION) configuration: Configuration,
    private readonly sweep: ExpirySweep,
  ) {
    this.days = configuration.notificationRetentionDays;
  }

  onModuleInit(): void {
    this.sweep.register(this);
  }

  async hasUnmarked(tx: TenantTransaction): Promise<boolean> {
    const rows = await tx.query(`SELECT FROM notifications WHERE ${RUN_OUT} LIMIT 1`, [
      tx.tenantId,
      this.days,
    ]);
    return rows.length > 0;
  }

  /** A batch at a time: what is left goes with the next sweep. */
  async markExpired(tx: WriteTransaction): Promise<void> {
    await tx.query(
      `DELETE FROM notifications WHERE tenant_id = $1 AND id = ANY (ARRAY(
         SELECT id FROM notifications WHERE ${RUN_OUT} ORDER BY created_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`,
      [tx.tenantId, this.days],
    );
  }
}
