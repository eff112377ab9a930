import { Body, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { CurrentCaller } from '../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../platform/http/endpoint/endpoint.js';
import { pageOf } from '../../platform/http/endpoint/page-of.js';
import { PathId } from '../../platform/http/endpoint/path-id.js';
import { TenantController } from '../../platform/http/endpoint/tenant-controller.js';
import { PageQuery } from '../../platform/http/input/page-query.js';
import { Caller } from '../../platform/tenancy/access/caller.js';
import { ListWebhookDeliveriesQuery, WebhookDeliveryResponse } from './webhook-deliveries.dto.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';
import {
  CreateWebhookBody,
  UpdateWebhookBody,
  WebhookResponse,
  WebhookWithSecretResponse,
  tagWithoutSecret,
} from './webhooks.dto.js';
import { WebhooksService } from './webhooks.service.js';

/** For what makes the service send events to a receiver. */
const SEND = { permission: 'webhooks.manage', andPermission: 'auditLog.read' } as const;

@TenantController('webhooks', 'Webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: WebhookDeliveriesService,
  ) {}

  @Get()
  @Endpoint({
    operation: 'ListWebhooks',
    summary: 'List webhooks, newest first',
    permission: 'webhooks.manage',
    returns: pageOf(WebhookResponse),
  })
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery) {
    return this.webhooks.list(caller, query);
  }

  @Post()
  @Endpoint({
    operation: 'CreateWebhook',
    summary: 'Create a webhook',
    description:
      'Events from now on are delivered to the URL. The deliveries contain what the caller may read; they end when the caller loses `auditLog.read` or leaves the tenant. Only this response and that of RotateWebhookSecret contain the secret.',
    ...SEND,
    success: 201,
    codes: ['webhook.too-many'],
    returns: WebhookWithSecretResponse,
    entityTag: tagWithoutSecret,
    idempotent: { secrets: ['secret'] },
  })
  create(@CurrentCaller() caller: Caller, @Body() body: CreateWebhookBody) {
    return this.webhooks.create(caller, body);
  }

  @Get(':webhookId')
  @Endpoint({
    operation: 'GetWebhook',
    summary: 'Get a webhook',
    permission: 'webhooks.manage',
    returns: WebhookResponse,
    entityTag: true,
  })
  get(@CurrentCaller() caller: Caller, @PathId('webhookId') id: string) {
    return this.webhooks.get(caller, id);
  }

  @Put(':webhookId')
  @Endpoint({
    operation: 'UpdateWebhook',
    summary: 'Change a webhook, disable or enable it',
    description:
      'A caller who changes the URL becomes the creator of the webhook. Disabling ends the pending deliveries.',
    ...SEND,
    codes: ['webhook.creator-lost-right'],
    returns: WebhookResponse,
    entityTag: true,
  })
  update(@CurrentCaller() caller: Caller, @PathId('webhookId') id: string, @Body() body: UpdateWebhookBody) {
    return this.webhooks.update(caller, id, body);
  }

  @Delete(':webhookId')
  @Endpoint({
    operation: 'DeleteWebhook',
    summary: 'Delete a webhook and its deliveries',
    permission: 'webhooks.manage',
    entityTag: true,
  })
  delete(@CurrentCaller() caller: Caller, @PathId('webhookId') id: string) {
    return this.webhooks.delete(caller, id);
  }

  @Post(':webhookId/enable')
  @Endpoint({
    operation: 'EnableWebhook',
    summary: 'Enable a webhook',
    description:
      'Events from now on are delivered; those since it was disabled are not. Changes nothing if the webhook is active.',
    ...SEND,
    codes: ['webhook.creator-lost-right'],
    returns: WebhookResponse,
  })
  enable(@CurrentCaller() caller: Caller, @PathId('webhookId') id: string) {
    return this.webhooks.enable(caller, id);
  }

  @Post(':webhookId/rotate-secret')
  @Endpoint({
    operation: 'RotateWebhookSecret',
    summary: 'Replace the secret of a webhook',
    description: 'For 24 hours, deliveries also carry the signature of the former secret.',
    ...SEND,
    returns: WebhookWithSecretResponse,
    idempotent: { secrets: ['secret'] },
  })
  rotateSecret(@CurrentCaller() caller: Caller, @PathId('webhookId') id: string) {
    return this.webhooks.rotateSecret(caller, id);
  }

  @Post(':webhookId/test')
  @Endpoint({
    operation: 'TestWebhook',
    summary: 'Send a test event to a webhook',
    description:
      'Sends an event of the type `WebhookTest` with the sequence null, once. Returns its delivery, which is still pending; ListWebhookDeliveries shows the outcome.',
    ...SEND,
    codes: ['webhook.disabled', 'webhook.too-many-pending'],
    returns: WebhookDeliveryResponse,
  })
  test(@CurrentCaller() caller: Caller, @PathId('webhookId') id: string) {
    return this.deliveries.test(caller, id);
  }

  @Get(':webhookId/deliveries')
  @Endpoint({
    operation: 'ListWebhookDeliveries',
    summary: 'List the deliveries of a webhook, newest first',
    description: 'Deliveries are kept for 30 days.',
    permission: 'webhooks.manage',
    returns: pageOf(WebhookDeliveryResponse),
  })
  listDeliveries(
    @CurrentCaller() caller: Caller,
    @PathId('webhookId') id: string,
    @Query() query: ListWebhookDeliveriesQuery,
  ) {
    return this.deliveries.list(caller, id, query);
  }

  @Post(':webhookId/deliveries/:deliveryId/redeliver')
  @Endpoint({
    operation: 'RedeliverWebhookDelivery',
    summary: 'Send an event to a webhook again',
    description: 'Also if it was delivered before. A pending delivery becomes due at once.',
    ...SEND,
    codes: ['webhook.disabled', 'webhook.too-many-pending'],
    returns: WebhookDeliveryResponse,
  })
  redeliver(
    @CurrentCaller() caller: Caller,
    @PathId('webhookId') id: string,
    @PathId('deliveryId') deliveryId: string,
  ) {
    return this.deliveries.redeliver(caller, id, deliveryId);
  }
}
