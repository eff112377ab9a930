import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type NotificationText, NOTIFICATION_TEXTS } from '../../common/vocabulary/notification-texts.js';
import { PublicRoute } from '../http/endpoint/public-route.js';
import { representation, sendRepresentation } from './representation.js';

const text = { type: 'string' };
const label = { labelEn: text, labelDe: text };

const TYPE = {
  type: 'object',
  properties: {
    type: { type: 'string', description: '`type` of notifications', example: 'FileClosed' },
    textEn: {
      type: 'string',
      description: 'What to show, with `{key}` where the value of a parameter belongs',
      example: NOTIFICATION_TEXTS.FileClosed.textEn,
    },
    textDe: { type: 'string', example: NOTIFICATION_TEXTS.FileClosed.textDe },
    parameters: {
      type: 'array',
      description: 'What notifications of this type carry, in `textEn` and `textDe` or not',
      items: {
        type: 'object',
        properties: {
          key: text,
          options: {
            type: 'array',
            description:
              'For a parameter whose values are codes: what to show in the place of each; otherwise empty',
            items: {
              type: 'object',
              properties: { key: text, ...label },
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
    Object.entries(NOTIFICATION_TEXTS).map(
      ([type, { textEn, textDe, parameters }]: [string, NotificationText]) => ({
        type,
        textEn,
        textDe,
        parameters: Object.entries(parameters).map(([key, values]) => ({
          key,
          options: Object.entries(values ?? {}).map(([value, wording]) => ({ key: value, ...wording })),
        })),
      }),
    ),
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
