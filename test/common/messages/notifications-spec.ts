import { describe, expect, it } from '@jest/globals';
import {
  GRANT_LEVELS,
  GRANT_TARGET_TYPES,
} from '../../../src/platform/tenancy/access/access-grant.entity.js';
import { NOTIFICATIONS } from '../../../src/common/messages/notifications.js';
import { service } from '../../support/service/shared-service.js';

describe('Texts of notifications', () => {
  it('are sentences', () => {
    const texts = Object.values(NOTIFICATIONS).flatMap(({ text }) => Object.values<string>(text));
    expect(texts.length).toBeGreaterThan(20);
    expect(texts.filter((text) => !/^.*\{\w+\}.*\.$/.test(text))).toEqual([]);
  });

  it('have labels for every level and target type of a grant', () => {
    for (const type of ['AccessGranted', 'AccessRevoked'] as const) {
      const { level, targetType } = NOTIFICATIONS[type].parameters;
      expect(Object.keys(level).sort()).toEqual([...GRANT_LEVELS].sort());
      expect(Object.keys(targetType).sort()).toEqual([...GRANT_TARGET_TYPES].sort());
    }
  });

  it('are served without a token, and with 304 if the client already has them', async () => {
    const response = await fetch(`${service.url}/notification-types`);
    expect({ status: response.status, type: response.headers.get('content-type') }).toEqual({
      status: 200,
      type: 'application/json; charset=utf-8',
    });
    const types = (await response.json()) as object[];
    expect(types).toHaveLength(Object.keys(NOTIFICATIONS).length);
    expect(types).toContainEqual({
      type: 'AccessGranted',
      textEn: '{actorName} granted you {level} access to {targetType}.',
      textDe: '{actorName} hat {level} auf {targetType} erteilt.',
      parameters: [
        { key: 'grantId', options: [] },
        {
          key: 'targetType',
          options: [
            { key: 'File', labelEn: 'a file', labelDe: 'eine Akte' },
            { key: 'FileType', labelEn: 'all files of a type', labelDe: 'alle Akten eines Typs' },
          ],
        },
        { key: 'targetId', options: [] },
        {
          key: 'level',
          options: [
            { key: 'Read', labelEn: 'read', labelDe: 'Lesezugriff' },
            { key: 'Write', labelEn: 'read and write', labelDe: 'Lese- und Schreibzugriff' },
          ],
        },
        { key: 'actorName', options: [] },
      ],
    });
    service.conformance.check('get', '/notification-types', {
      status: 200,
      headers: Object.fromEntries(response.headers),
      body: types,
    });
    const known = { 'If-None-Match': response.headers.get('etag') ?? '' };
    expect((await fetch(`${service.url}/notification-types`, { headers: known })).status).toBe(304);
  });
});
