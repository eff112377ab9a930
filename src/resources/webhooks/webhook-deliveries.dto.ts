import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EnumQuery } from '../../platform/http/input/enum-field.js';
import { PageQuery } from '../../platform/http/input/page-query.js';
import {
  DELIVERY_ERRORS,
  DELIVERY_STATUSES,
  type DeliveryError,
  type DeliveryStatus,
} from './webhook-delivery.entity.js';

export class ListWebhookDeliveriesQuery extends PageQuery {
  @EnumQuery(DELIVERY_STATUSES, { description: 'Only deliveries with this status' })
  status?: DeliveryStatus;
}

@ApiSchema({ name: 'WebhookDelivery' })
export class WebhookDeliveryResponse {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    nullable: true,
    example: 1042,
    description: 'Sequence of the event; null for a test',
  })
  sequence!: number | null;

  @ApiProperty({ example: 'FileCreated', description: 'Type of the event' })
  type!: string;

  @ApiProperty({ enum: DELIVERY_STATUSES, description: 'Failed: it is not retried any more' })
  status!: DeliveryStatus;

  @ApiProperty({ type: 'integer', format: 'int32', example: 1 })
  attempts!: number;

  @ApiProperty({
    type: 'integer',
    format: 'int32',
    nullable: true,
    example: 503,
    description: 'Status of the last answer; null if there was none',
  })
  lastStatusCode!: number | null;

  @ApiProperty({
    enum: DELIVERY_ERRORS,
    nullable: true,
    example: 'BadStatus',
    description: 'Why the last attempt failed; null if it succeeded',
  })
  lastError!: DeliveryError | null;

  @ApiProperty({
    type: 'integer',
    format: 'int32',
    nullable: true,
    example: 120,
    description: 'Duration of the last attempt in milliseconds',
  })
  lastDurationMs!: number | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Null if no attempt follows',
  })
  nextAttemptAt!: string | null;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;
}
