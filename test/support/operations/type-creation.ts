import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type Permission } from '../../../src/common/vocabulary/permissions.js';
import { type Actor } from '../actor.js';
import { expectRefused } from '../expect-refused.js';
import { service } from '../service/shared-service.js';
import { type TestTenant } from '../tenant.js';
import { idempotentCreation } from './idempotent-creation.js';
import { ABSENT, bodyWith, textRules } from './text-rules.js';

export interface TypeCreation {
  readonly tenant: () => TestTenant;
  readonly manager: () => Actor;
  readonly path: '/file-types' | '/document-types';
  readonly permission: Permission;
  /** Members that differ in each request, for the cases of repeated and concurrent requests. */
  readonly more?: (n: number) => object;
}

/** Tests of keys and names for the creation of a file type or a document type. */
export function typeCreation({ tenant, manager, path, permission, more = () => ({}) }: TypeCreation): void {
  const body = { key: 'invoice', nameDe: 'Rechnung', nameEn: 'Invoice' };
  const create = (sent: object, actor = manager()) => actor.post(path, sent);

  for (const member of ['nameDe', 'nameEn']) {
    textRules({
      tenant,
      member,
      max: 200,
      body: () => ({ ...body, key: `type-${randomUUID()}` }),
      send: (changed) => create(changed),
      success: 201,
    });
  }
  idempotentCreation({
    actor: manager,
    permission,
    send: (actor, n) => create({ ...body, key: `type-${n}`, ...more(n) }, actor),
  });

  it.each(['a', 'a'.repeat(50), 'aZ09_-', 'a-', ' trimmed '])('returns 201 for the key %j', async (key) => {
    const response = await create({ ...body, key });
    expect([response.status, (response.body as { key: string }).key]).toEqual([201, key.trim()]);
  });

  it.each([
    ...[
      ABSENT,
      null,
      5,
      ['a'],
      { a: 1 },
      '',
      ' ',
      'a'.repeat(51),
      'A',
      '1a',
      '_a',
      '-a',
      'a b',
      'a.b',
      'a/b',
    ],
    ...['ä', 'a\u0000', 'a\nb', 'a\u0308', 'a\ud800', 'ａ'],
  ])('returns 400 for the key %j', async (key) => {
    await expectRefused(tenant(), create(bodyWith(body, 'key', key)), 'request.invalid', ['key']);
  });

  it('returns 201 for a key that another tenant has, one in another case, and repeated names', async () => {
    await create(body, await (await service.tenant()).as('records_manager'));
    expect((await create(body)).status).toBe(201);
    expect((await create({ ...body, key: 'inVoice' })).status).toBe(201);
  });

  it('returns 201 to exactly one of several concurrent requests, 409 to the others', async () => {
    const statuses = await Promise.all(
      [1, 2, 3].map(async (n) => (await create({ ...body, nameEn: `${n}`, ...more(n) })).status),
    );
    expect(statuses.sort()).toEqual([201, 409, 409]);
    expect(await tenant().audit()).toHaveLength(1);
  });
}
