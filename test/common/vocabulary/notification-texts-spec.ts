import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { type ProcessingFailure } from '../../../src/common/vocabulary/processing-failures.js';
import {
  GRANT_LEVELS,
  GRANT_TARGET_TYPES,
} from '../../../src/platform/tenancy/access/access-grant.entity.js';
import {
  type NotificationText,
  NOTIFICATION_TEXTS,
} from '../../../src/common/vocabulary/notification-texts.js';
import { TestService } from '../../support/service.js';

/** The compiler sees to it that none is missing. */
const REASONS: Record<ProcessingFailure, true> = {
  Encrypted: true,
  Corrupted: true,
  TimeLimitExceeded: true,
  MemoryLimitExceeded: true,
  OutputLimitExceeded: true,
  Unreadable: true,
  ContentDamaged: true,
  ContentUnavailable: true,
};

/** The vocabulary has its types at compile time only: they are read from its source. */
async function declaredTypes(): Promise<Record<string, string[]>> {
  const source = await readFile(
    new URL('../../../src/common/vocabulary/notifications.ts', import.meta.url),
    'utf8',
  );
  const file = ts.createSourceFile('notifications.ts', source, ts.ScriptTarget.ES2022, true);
  const interfaces = new Map(
    file.statements
      .filter(ts.isInterfaceDeclaration)
      .map((found) => [found.name.text, found.members] as const),
  );
  const namesOf = (members: Iterable<ts.TypeElement>) =>
    [...members].map(({ name }) => name?.getText(file) ?? '').sort();
  const types = [...(interfaces.get('NotificationParameters') ?? [])].map((member) => {
    const { name, type } = member as ts.PropertySignature;
    const parameters =
      type && ts.isTypeLiteralNode(type) ? type.members : interfaces.get(type?.getText(file) ?? '');
    return [name.getText(file), namesOf(parameters ?? [])] as const;
  });
  return Object.fromEntries(types);
}

describe('The texts of notifications', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.shared();
  });

  const texts = Object.entries(NOTIFICATION_TEXTS) as [string, NotificationText][];

  it('are there for every type, with all its parameters', async () => {
    const declared = await declaredTypes();
    expect(Object.keys(declared).length).toBeGreaterThan(10);
    const told = texts.map(([type, { parameters }]) => [type, Object.keys(parameters).sort()]);
    expect(Object.fromEntries(told)).toEqual(declared);
  });

  it('name only parameters that there are, and the same in both languages', () => {
    const placesOf = (text: string) => [...text.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name).sort();
    for (const [type, { textEn, textDe, parameters }] of texts) {
      const places = placesOf(textEn);
      expect({ type, places: placesOf(textDe) }).toEqual({ type, places });
      expect(places.length).toBeGreaterThan(0);
      expect({ type, unknown: places.filter((place) => !(place in parameters)) }).toEqual({
        type,
        unknown: [],
      });
      expect({ type, ends: [textEn.at(-1), textDe.at(-1)] }).toEqual({ type, ends: ['.', '.'] });
    }
  });

  it('have words for every value that is a code', () => {
    const valuesOf = (type: keyof typeof NOTIFICATION_TEXTS, parameter: string) =>
      Object.keys((NOTIFICATION_TEXTS[type] as NotificationText).parameters[parameter] ?? {}).sort();
    expect(valuesOf('DocumentProcessingFailed', 'reason')).toEqual(Object.keys(REASONS).sort());
    for (const type of ['AccessGranted', 'AccessRevoked'] as const) {
      expect(valuesOf(type, 'level')).toEqual([...GRANT_LEVELS].sort());
      expect(valuesOf(type, 'targetType')).toEqual([...GRANT_TARGET_TYPES].sort());
    }
  });

  it('are served to everybody, and 304 to whoever has them', async () => {
    const response = await fetch(`${service.url}/notification-types`);
    expect({ status: response.status, type: response.headers.get('content-type') }).toEqual({
      status: 200,
      type: 'application/json; charset=utf-8',
    });
    const types = (await response.json()) as object[];
    expect(types).toHaveLength(texts.length);
    expect(types).toContainEqual({
      type: 'AccessGranted',
      textEn: '{actorName} allowed you {level} {targetType}.',
      textDe: '{actorName} hat Ihnen erlaubt, {targetType} {level}.',
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
            { key: 'Read', labelEn: 'to read', labelDe: 'zu lesen' },
            { key: 'Write', labelEn: 'to read and change', labelDe: 'zu lesen und zu ändern' },
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
