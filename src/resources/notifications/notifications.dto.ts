import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { BooleanQuery } from '../../platform/http/input/boolean-field.js';
import { PageQuery } from '../../platform/http/input/page-query.js';

export class ListNotificationsQuery extends PageQuery {
  @BooleanQuery({ description: 'Whether to list only unread notifications' })
  unreadOnly?: boolean;
}

@ApiSchema({ name: 'Notification' })
export class NotificationResponse {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'FileClosed' })
  type!: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    example: {
      fileId: '0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d',
      fileNumber: 'AZ-2026/0042',
      fileName: 'Neubau Feuerwache Nord',
      actorName: 'Alice Arnold',
    },
  })
  parameters!: Record<string, string>;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  readAt!: string | null;
}
