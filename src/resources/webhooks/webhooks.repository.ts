import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { orNotFound } from '../../common/problem.js';
import { type WebhookDisabledReason } from '../../common/vocabulary/webhooks.js';
import { TenantRepository } from '../../platform/database/transactions/tenant-repository.js';
import { type Changes, TenantTable } from '../../platform/database/transactions/tenant-table.js';
import { type WriteTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { membersOf } from '../../platform/http/response/members-of.js';
import { WebhookDeliveriesRepository } from './webhook-deliveries.repository.js';
import { WebhookEntity, WebhookScheduleEntity } from './webhook.entity.js';
import { WebhookResponse } from './webhooks.dto.js';

/** How long deliveries also carry the signature of the secret before a rotation. */
const FORMER_SECRET_VALID = '24 hours';

@Injectable()
export class WebhooksRepository extends TenantRepository<WebhookEntity, WebhookResponse> {
  private readonly schedules: TenantTable<WebhookScheduleEntity>;

  constructor(
    dataSource: DataSource,
    private readonly deliveries: WebhookDeliveriesRepository,
  ) {
    super(dataSource, WebhookEntity, { properties: membersOf(WebhookResponse) });
    this.schedules = new TenantTable(dataSource, WebhookScheduleEntity);
  }

  protected override rows() {
    return super.rows().andWhere(`t.status <> 'Deleted'`);
  }

  /** Locks the tenant's schedule first. Its lock serializes the change with the work on deliveries. */
  override async lock(tx: WriteTransaction, id: string): Promise<WebhookResponse> {
    const [, [row]] = await tx.queryAll<[object, WebhookResponse]>([
      this.lockSchedule(tx),
      this.lockStatement(tx, id),
    ]);
    return orNotFound(row);
  }

  /** Locks the tenant's schedule, which it creates for the first webhook, and counts the webhooks. */
  async lockAndCount(tx: WriteTransaction): Promise<number> {
    const [, , webhooks = []] = await tx.queryAll([
      this.schedules.insertStatement(tx, {}, { ifAbsent: true }),
      this.lockSchedule(tx),
      this.selectStatement(tx, {}),
    ]);
    return webhooks.length;
  }

  private lockSchedule(tx: WriteTransaction) {
    return this.schedules.selectStatement(tx, {}, { lock: 'for_no_key_update' });
  }

  rotateSecret(tx: WriteTransaction, id: string, secret: Buffer): Promise<WebhookResponse> {
    return this.update(tx, id, {
      secret,
      formerSecret: () => 'secret',
      formerSecretUntil: () => `now() + interval '${FORMER_SECRET_VALID}'`,
    });
  }

  /** The webhook has no pending deliveries any more. Those in progress still store their outcome. */
  disable(tx: WriteTransaction, id: string, disabledReason: WebhookDisabledReason): Promise<void> {
    return this.end(tx, id, { status: 'Disabled', disabledReason, firstFailedAt: null });
  }

  /** Hides the webhook and erases its secrets. Its deliveries are deleted later, in batches. */
  hide(tx: WriteTransaction, id: string): Promise<void> {
    const erased = { secret: Buffer.alloc(0), formerSecret: null, formerSecretUntil: null };
    return this.end(tx, id, { status: 'Deleted', disabledReason: null, ...erased });
  }

  private async end(
    tx: WriteTransaction,
    id: string,
    changes: Changes<Omit<WebhookEntity, 'id'>>,
  ): Promise<void> {
    await tx.queryAll([
      this.updateStatement(tx, changes, { id }),
      this.deliveries.endPendingStatement(tx, id),
    ]);
    await this.changePrices(tx);
  }

  /**
   * Makes every process read the types of the active webhooks again: the price of a change depends on them. They are
   * cached with the rights of each caller. Call it after the lock of the schedule.
   */
  changePrices(tx: WriteTransaction): Promise<void> {
    return tx.startAccessChange();
  }

  /** Makes the tenant's deliveries due for work after the commit. */
  wake(tx: WriteTransaction): Promise<void> {
    return this.schedule(tx, { dueAt: () => 'now()' });
  }

  /** Stores when work is necessary again: at a time, and when the log grows beyond a sequence. */
  async schedule(tx: WriteTransaction, next: Changes<WebhookScheduleEntity>): Promise<void> {
    await this.schedules.send(tx, this.schedules.updateStatement(tx, next, {}));
  }
}
