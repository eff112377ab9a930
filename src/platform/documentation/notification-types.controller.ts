import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type NotificationKind } from '../../common/messages/catalogue.js';
import { NOTIFICATIONS } from '../../common/messages/notifications.js';
import { PublicRoute, objectSchema } from '../http/endpoint/public-route.js';
import { jsonRepresentation, sendRepresentation } from './representation.js';

const string = { type: 'string' };

const TYPE = objectSchema({
  type: { type: 'string', description: '`type` of notifications', example: 'FileClosed' },
  textEn: {
    type: 'string',
    description: 'Text to show. `{key}` is a placeholder for the value of a parameter.',
    example: NOTIFICATIONS.FileClosed.text.en,
  },
  textDe: { type: 'string', example: NOTIFICATIONS.FileClosed.text.de },
  parameters: {
    type: 'array',
    description: 'Parameters of notifications of this type. The texts do not use all of them.',
    items: objectSchema({
      key: string,
      options: {
        type: 'array',
        description:
          'For a parameter whose values are codes: the label to show for each code; otherwise empty',
        items: objectSchema({ key: string, labelEn: string, labelDe: string }),
      },
    }),
    example: [
      { key: 'fileNumber', options: [] },
      { key: 'fileName', options: [] },
    ],
  },
});

const TYPES = jsonRepresentation(
  Object.entries(NOTIFICATIONS).map(([type, { text, parameters }]: [string, NotificationKind]) => ({
    type,
    textEn: text.en,
    textDe: text.de,
    parameters: Object.entries(parameters).map(([key, values]) => ({
      key,
      options: Object.entries(values ?? {}).map(([value, { en, de }]) => ({
        key: value,
        labelEn: en,
        labelDe: de,
      })),
    })),
  })),
);

/** Serves the texts for notifications, which contain only a type and parameters. They are the same for all tenants. */
@Controller('notification-types')
export class NotificationTypesController {
  @Get()
  @PublicRoute({
    operation: 'ListNotificationTypes',
    summary: 'List the types of notifications with their texts',
    group: 'Notifications',
    content: { 'application/json': { schema: { type: 'array', items: TYPE } } },
  })
  list(@Req() request: Request, @Res() response: Response): void {
    sendRepresentation(request, response, TYPES);
  }
}
