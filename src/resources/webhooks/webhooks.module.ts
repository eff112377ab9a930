import { Module, type OnModuleInit } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../platform/config/configuration.js';
import { OpenApiDocument } from '../../platform/documentation/openapi-document.js';
import { DeliveryEngine } from './delivery/delivery-engine.js';
import { DeliveryRound } from './delivery/delivery-round.js';
import { WebhookWorkRepository } from './delivery/webhook-work.repository.js';
import { hostResolver } from './sending/host-names.js';
import { ReceiverAddresses } from './sending/receiver-addresses.js';
import { WebhookClient } from './sending/webhook-client.js';
import { EVENT_REQUEST } from './webhook-payload.dto.js';
import { WebhookDeliveriesRepository } from './webhook-deliveries.repository.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksRepository } from './webhooks.repository.js';
import { WebhooksService } from './webhooks.service.js';

@Module({
  controllers: [WebhooksController],
  providers: [
    WebhooksRepository,
    WebhookDeliveriesRepository,
    WebhooksService,
    WebhookDeliveriesService,
    WebhookWorkRepository,
    DeliveryRound,
    DeliveryEngine,
    {
      provide: WebhookClient,
      useFactory: ({ environment, webhookAllowedNetworks }: Configuration) => {
        const isProduction = environment === 'production';
        return new WebhookClient({
          addresses: new ReceiverAddresses(webhookAllowedNetworks, !isProduction),
          resolveHost: hostResolver(!isProduction || webhookAllowedNetworks.length > 0),
          allowHttp: !isProduction,
        });
      },
      inject: [CONFIGURATION],
    },
  ],
})
export class WebhooksModule implements OnModuleInit {
  constructor(private readonly documentation: OpenApiDocument) {}

  onModuleInit(): void {
    this.documentation.addSentRequest(EVENT_REQUEST);
  }
}
