import { ApiProperty, ApiSchema, OmitType } from '@nestjs/swagger';
import { type SentRequest } from '../../platform/documentation/sent-requests.js';
import { EventResponse } from '../../platform/events/event.dto.js';

@ApiSchema({ name: 'WebhookEvent' })
export class WebhookEventResponse extends OmitType(EventResponse, ['sequence', 'type']) {
  @ApiProperty({
    type: 'integer',
    format: 'int64',
    minimum: 0,
    nullable: true,
    example: 1042,
    description: 'Place in the event log of the tenant. Null for a test.',
  })
  sequence!: number | null;

  @ApiProperty({
    example: 'FileRenamed',
    description: 'A type of events, or `WebhookTest`. Later versions can have more values.',
  })
  type!: string;

  @ApiProperty({ format: 'uuid' })
  tenantId!: string;
}

@ApiSchema({ name: 'WebhookPayload' })
export class WebhookPayload {
  @ApiProperty({ example: 'FileRenamed', description: '`type` of the event' })
  type!: string;

  @ApiProperty({ format: 'date-time', description: 'Time of the event' })
  timestamp!: string;

  @ApiProperty({ type: WebhookEventResponse })
  data!: WebhookEventResponse;
}

/** The section `webhooks` of the OpenAPI document. */
export const EVENT_REQUEST: SentRequest = {
  name: 'event',
  summary: 'An event of the tenant',
  description:
    'Sent to the URL of a webhook, by [Standard Webhooks](https://www.standardwebhooks.com). Libraries of Standard Webhooks verify the signature with the secret of the webhook. Every event is sent at least once while the webhook is active, in any order; `webhook-id` identifies repetitions. Without a 2xx response within 15 seconds, the request is repeated after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h.',
  group: 'Webhooks',
  body: WebhookPayload,
  headers: {
    'webhook-id': {
      description: 'Id of the event, the same for each repetition',
      example: '0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d',
    },
    'webhook-timestamp': {
      description: 'Time of this request, in seconds since 1970',
      example: '1795478400',
    },
    'webhook-signature': {
      description:
        'One or two signatures, separated by a space: `v1,` and the Base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`. Two during 24 hours after RotateWebhookSecret.',
      example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    },
  },
  responses: {
    '2XX': 'The event is delivered. The body is ignored.',
    '410': 'The receiver no longer exists. The webhook is disabled.',
    default:
      'The request is repeated later, not before the time in `Retry-After`. Redirects are not followed.',
  },
};
