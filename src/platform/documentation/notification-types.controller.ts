import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type NotificationKind } from '../../common/messages/catalogue.js';
import { NOTIFICATIONS } from '../../common/messages/notifications.js';
import { PublicRoute } from '../http/endpoint/public-route.js';
import { representation, sendRepresentation } from './representation.js';

const string = { type: 'string' };
const label = { labelEn: string, labelDe: string };

const TYPE = {
  type: 'object',
  properties: {
    type: { type: 'string', description: '`type` of notifications', example: 'FileClosed' },
    textEn: {
      type: 'string',
      description: 'What to show, with `{key}` where the value of a parameter belongs',
      example: NOTIFICATIONS.FileClosed.text.en,
    },
    textDe: { type: 'string', example: NOTIFICATIONS.FileClosed.text.de },
    parameters: {
      type: 'array',
      description: 'What notifications of this type carry, in `textEn` and `textDe` or not',
      items: {
        type: 'object',
        properties: {
          key: string,
          options: {
            type: 'array',
            description:
              'For a parameter whose values are codes: what to show in the place of each; otherwise empty',
            items: {
              type: 'object',
              properties: { key: string, ...label },
              required: ['key', 'labelEn', 'labelDe'],
            },
          },
        },
        required: ['key', 'options'],
      },
      example: [
        { key: 'fileNumber', options: [] },
        { key: 'fileName', options: [] },
      ],
    },
  },
  required: ['type', 'textEn', 'textDe', 'parameters'],
};

const TYPES = representation(
  'application/json; charset=utf-8',
  JSON.stringify(
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
  ),
);

/** What clients show for notifications, which carry a type and parameters. The same for all tenants. */
@Controller('notification-types')
export class NotificationTypesController {
  @Get()
  @PublicRoute({
    operation: 'ListNotificationTypes',
    summary: 'List the types of notifications, with what to show for each',
    tag: 'Notifications',
    content: { 'application/json': { schema: { type: 'array', items: TYPE } } },
  })
  list(@Req() request: Request, @Res() response: Response): void {
    sendRepresentation(request, response, TYPES);
  }
}
