import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { entityTag } from '../../common/entity-tag.js';
import { message } from '../../common/messages/message.js';
import { readUrl } from '../../common/url.js';
import { AUDIT_ACTIONS, type AuditAction } from '../../common/vocabulary/audit.js';
import { WEBHOOK_DISABLED_REASONS, type WebhookDisabledReason } from '../../common/vocabulary/webhooks.js';
import { EnumField } from '../../platform/http/input/enum-field.js';
import { Field } from '../../platform/http/input/field.js';
import { ListField } from '../../platform/http/input/list-field.js';
import { ReadWith, readText } from '../../platform/http/input/read-with.js';
import { Rule } from '../../platform/http/input/rule.js';
import { TextField } from '../../platform/http/input/text-field.js';
import { textError } from '../../common/text-error.js';
import { WEBHOOK_STATUSES, type WebhookStatus } from './webhook.entity.js';

const MAX_URL_LENGTH = 2048;
const EVENT_TYPES = Object.keys(AUDIT_ACTIONS) as AuditAction[];

function urlError(text: string) {
  const url = readUrl(text);
  const isHttp = url !== null && ['https:', 'http:'].includes(url.protocol) && url.hostname !== '';
  return isHttp && url.username === '' && url.password === '' ? null : message('value.webhook-url');
}

export class CreateWebhookBody {
  /** WebhooksService checks what depends on the settings: `http`, and addresses that are not public. */
  @Field(
    { type: String, minLength: 1, maxLength: MAX_URL_LENGTH },
    {
      description:
        'URL of the receiver. It must begin with https:// and have no user and password. The service connects to public addresses only.',
      example: 'https://receiver.example/events',
    },
    ReadWith(readText),
    Rule('url', (value) => textError(value, 1, MAX_URL_LENGTH) ?? urlError(value as string)),
  )
  url!: string;

  @TextField({
    nullable: true,
    min: 0,
    max: 200,
    description: 'What the webhook is for; null or absent for none',
    example: 'Copy of the file list in the citizen portal',
  })
  description?: string | null;

  @ListField(
    { type: 'string', enum: EVENT_TYPES },
    (value) =>
      typeof value === 'string' && Object.hasOwn(AUDIT_ACTIONS, value)
        ? null
        : message('reference.event-type'),
    {
      optional: true,
      max: EVENT_TYPES.length,
      description: 'Types of events to deliver; empty or absent for all, including those of later versions',
      example: ['FileCreated', 'FileClosed'],
    },
  )
  types?: AuditAction[];
}

export class UpdateWebhookBody extends CreateWebhookBody {
  @EnumField(WEBHOOK_STATUSES, { description: '`Disabled` stops the deliveries', example: 'Active' })
  status!: WebhookStatus;
}

@ApiSchema({ name: 'Webhook' })
export class WebhookResponse {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'https://receiver.example/events' })
  url!: string;

  @ApiProperty({ type: String, nullable: true, example: 'Copy of the file list in the citizen portal' })
  description!: string | null;

  @ApiProperty({
    type: 'array',
    items: { type: 'string' },
    description: 'Types of events that are delivered; empty for all',
    example: ['FileCreated', 'FileClosed'],
  })
  types!: string[];

  @ApiProperty({ enum: WEBHOOK_STATUSES })
  status!: WebhookStatus;

  @ApiProperty({
    enum: WEBHOOK_DISABLED_REASONS,
    nullable: true,
    description:
      'Only for the status Disabled. Manual: by a request; Gone: the receiver answered 410; Failing: deliveries failed for five days; CreatorLostRight: the creator left or lost `auditLog.read`.',
  })
  disabledReason!: WebhookDisabledReason | null;

  @ApiProperty({
    format: 'uuid',
    description:
      'User whose rights decide what is delivered: who created the webhook or last changed its URL',
  })
  createdById!: string;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ format: 'date-time' })
  updatedAt!: string;
}

/** `secret` is not stored with the answer, so the response to a repeated request does not contain it. */
@ApiSchema({ name: 'WebhookWithSecret' })
export class WebhookWithSecretResponse extends WebhookResponse {
  @ApiProperty({
    required: false,
    description: 'Returned only once. Key of the signatures, in the form of Standard Webhooks.',
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
  })
  secret?: string;
}

/** The entity tag of the webhook without its secret, as GetWebhook returns it. */
export function tagWithoutSecret(answer: object): string {
  const { secret: _secret, ...webhook } = answer as WebhookWithSecretResponse;
  return entityTag(webhook);
}
