import { Injectable } from '@nestjs/common';
import { type Page } from '../../common/page.js';
import { Problem } from '../../common/problem.js';
import { PagedReads } from '../../platform/database/paging/paged-reads.js';
import { type WriteTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { type ListWebhookDeliveriesQuery, type WebhookDeliveryResponse } from './webhook-deliveries.dto.js';
import { MAX_PENDING, WebhookDeliveriesRepository } from './webhook-deliveries.repository.js';
import { WebhooksRepository } from './webhooks.repository.js';

@Injectable()
export class WebhookDeliveriesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly webhooks: WebhooksRepository,
    private readonly deliveries: WebhookDeliveriesRepository,
    private readonly pages: PagedReads,
  ) {}

  list(
    caller: Caller,
    webhookId: string,
    query: ListWebhookDeliveriesQuery,
  ): Promise<Page<WebhookDeliveryResponse>> {
    const { status } = query;
    const list = { operation: 'ListWebhookDeliveries', filters: { webhookId, status } };
    return this.pages.page(caller, list, query, {
      rows: async (tx, after, limit) => {
        if (!(await this.webhooks.find(tx, webhookId))) return null;
        return this.deliveries.list(tx, webhookId, status, after, limit);
      },
      position: (row) => [row.createdAt, row.id],
    });
  }

  /** Writes no audit entry, because nothing of the tenant changes. */
  test(caller: Caller, webhookId: string): Promise<WebhookDeliveryResponse> {
    return this.uow.write(caller, async (tx) => {
      const { status } = await this.webhooks.lock(tx, webhookId);
      if (status !== 'Active') throw new Problem('webhook.disabled');
      await this.refuseBacklog(tx, webhookId);
      const delivery = await this.deliveries.insertTest(tx, webhookId);
      await this.webhooks.wake(tx);
      return delivery;
    });
  }

  redeliver(caller: Caller, webhookId: string, id: string): Promise<WebhookDeliveryResponse> {
    return this.uow.write(caller, async (tx) => {
      const { status } = await this.webhooks.lock(tx, webhookId);
      const delivery = await this.deliveries.lockOf(tx, webhookId, id);
      if (status !== 'Active') throw new Problem('webhook.disabled');
      if (delivery.status !== 'Pending') await this.refuseBacklog(tx, webhookId);
      const restarted = await this.deliveries.restart(tx, id);
      await this.webhooks.wake(tx);
      return restarted;
    });
  }

  private async refuseBacklog(tx: WriteTransaction, webhookId: string): Promise<void> {
    if ((await this.deliveries.countPending(tx, webhookId)) >= MAX_PENDING)
      throw new Problem('webhook.too-many-pending');
  }
}
