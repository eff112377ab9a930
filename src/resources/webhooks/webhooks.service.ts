import { Injectable } from '@nestjs/common';
import { newId } from '../../common/identifier.js';
import { message } from '../../common/messages/message.js';
import { type Page } from '../../common/page.js';
import { Problem, invalid } from '../../common/problem.js';
import { PagedReads } from '../../platform/database/paging/paged-reads.js';
import { type WriteTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { EventsReader } from '../../platform/events/events.reader.js';
import { type PageQuery } from '../../platform/http/input/page-query.js';
import { AccessDirectory } from '../../platform/tenancy/access/access.directory.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { WebhookClient } from './sending/webhook-client.js';
import { newSecret, presentSecret } from './webhook-secret.js';
import {
  type CreateWebhookBody,
  type UpdateWebhookBody,
  type WebhookResponse,
  type WebhookWithSecretResponse,
} from './webhooks.dto.js';
import { WebhooksRepository } from './webhooks.repository.js';

const MAX_WEBHOOKS = 20;

@Injectable()
export class WebhooksService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly webhooks: WebhooksRepository,
    private readonly directory: AccessDirectory,
    private readonly events: EventsReader,
    private readonly client: WebhookClient,
    private readonly pages: PagedReads,
  ) {}

  list(caller: Caller, page: PageQuery): Promise<Page<WebhookResponse>> {
    return this.pages.list(caller, 'ListWebhooks', page, this.webhooks);
  }

  get(caller: Caller, id: string): Promise<WebhookResponse> {
    return this.uow.read(caller, (tx) => this.webhooks.get(tx, id));
  }

  create(caller: Caller, body: CreateWebhookBody): Promise<WebhookWithSecretResponse> {
    this.refuseUrl(body.url);
    const { url, description, types = [] } = body;
    const secret = newSecret();
    return this.uow.write(caller, async (tx) => {
      if ((await this.webhooks.lockAndCount(tx)) >= MAX_WEBHOOKS) throw new Problem('webhook.too-many');
      const { next } = await this.events.head(tx);
      const webhook = await this.webhooks.insert(tx, {
        id: newId(),
        url,
        description: description || null,
        types: [...types],
        status: 'Active',
        createdById: caller.user.id,
        secret,
        position: next,
      });
      await this.webhooks.wake(tx);
      await this.webhooks.changePrices(tx);
      tx.record({ action: 'WebhookCreated', subjectId: webhook.id, summary: receiverOf(url) });
      return { ...webhook, secret: presentSecret(secret) };
    });
  }

  update(caller: Caller, id: string, body: UpdateWebhookBody): Promise<WebhookResponse> {
    this.refuseUrl(body.url);
    const { url, types = [], status } = body;
    const description = body.description || null;
    return this.uow.write(caller, async (tx) => {
      const webhook = await this.lock(tx, id);
      const createdById = url === webhook.url ? webhook.createdById : caller.user.id;
      const isChanged =
        url !== webhook.url || description !== webhook.description || !isSameSet(types, webhook.types);
      if (!isChanged && status === webhook.status) return webhook;
      if (isChanged) {
        await this.webhooks.update(tx, id, { url, description, types: [...types], createdById });
        await this.webhooks.changePrices(tx);
        tx.record({ action: 'WebhookUpdated', subjectId: id, summary: receiverOf(url) });
      }
      if (status !== webhook.status) {
        if (status === 'Active') await this.activate(tx, { ...webhook, url, createdById });
        else await this.disable(tx, { ...webhook, url });
      }
      return await this.webhooks.get(tx, id);
    });
  }

  async delete(caller: Caller, id: string): Promise<void> {
    await this.uow.write(caller, async (tx) => {
      const webhook = await this.lock(tx, id);
      await this.webhooks.hide(tx, id);
      tx.record({ action: 'WebhookDeleted', subjectId: id, summary: receiverOf(webhook.url) });
    });
  }

  enable(caller: Caller, id: string): Promise<WebhookResponse> {
    return this.uow.write(caller, async (tx) => {
      const webhook = await this.webhooks.lock(tx, id);
      if (webhook.status === 'Active') return webhook;
      await this.activate(tx, webhook);
      return await this.webhooks.get(tx, id);
    });
  }

  rotateSecret(caller: Caller, id: string): Promise<WebhookWithSecretResponse> {
    const secret = newSecret();
    return this.uow.write(caller, async (tx) => {
      await this.webhooks.lock(tx, id);
      const webhook = await this.webhooks.rotateSecret(tx, id, secret);
      tx.record({ action: 'WebhookSecretRotated', subjectId: id, summary: receiverOf(webhook.url) });
      return { ...webhook, secret: presentSecret(secret) };
    });
  }

  /** Delivers from now on: events while the webhook was disabled are skipped. */
  private async activate(tx: WriteTransaction, { id, url, createdById }: WebhookResponse): Promise<void> {
    const creator = await this.directory.findMember(tx, createdById);
    if (!creator?.has('auditLog.read')) throw new Problem('webhook.creator-lost-right');
    const { next } = await this.events.head(tx);
    await this.webhooks.update(tx, id, { status: 'Active', disabledReason: null, position: next });
    await this.webhooks.wake(tx);
    await this.webhooks.changePrices(tx);
    tx.record({ action: 'WebhookEnabled', subjectId: id, summary: receiverOf(url) });
  }

  private async disable(tx: WriteTransaction, { id, url, createdById }: WebhookResponse): Promise<void> {
    await this.webhooks.disable(tx, id, 'Manual');
    tx.record({ action: 'WebhookDisabled', subjectId: id, summary: `${receiverOf(url)}: Manual` });
    if (await this.directory.findMember(tx, createdById))
      tx.notify(createdById, 'WebhookDisabled', { webhookId: id, reason: 'Manual' });
  }

  private async lock(tx: WriteTransaction, id: string): Promise<WebhookResponse> {
    const webhook = await this.webhooks.lock(tx, id);
    await tx.expectRepresentation(() => webhook);
    return webhook;
  }

  private refuseUrl(text: string): void {
    const { protocol, address } = this.client.accepts(new URL(text));
    if (!protocol) throw invalid({ url: [message('value.webhook-url')] });
    if (!address) throw invalid({ url: [message('value.webhook-address')] });
  }
}

/** Origin of the URL. Path and query are not in the audit log, because they may contain a secret of the receiver. */
export function receiverOf(url: string): string {
  return new URL(url).origin;
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item) => other.includes(item));
}
