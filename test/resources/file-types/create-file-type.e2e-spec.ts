import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { idempotentCreation } from '../../support/operations/idempotent-creation.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';
import { ABSENT, bodyWith, textRules } from '../../support/operations/text-rules.js';

describe('CreateFileType', () => {
  let tenant: TestTenant;
  let manager: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    manager = await tenant.as('records_manager', 'Rita');
  });

  const body = { key: 'construction', nameDe: 'Bauakte', nameEn: 'Construction file' };

  for (const member of ['nameDe', 'nameEn']) {
    textRules({
      tenant: () => tenant,
      member,
      max: 200,
      body: () => ({ ...body, key: `type-${randomUUID()}` }),
      send: (changed) => manager.post('/file-types', changed),
      success: 201,
    });
  }
  idempotentCreation({
    tenant: () => tenant,
    actor: () => manager,
    permission: 'fileTypes.manage',
    send: (actor, n) => actor.post('/file-types', { ...body, key: `type-${n}` }),
    reusedKeyProblem: 'request.idempotency-conflict',
  });

  it('returns 201 with the file type and its entity tag, and writes an audit entry', async () => {
    const response = await manager.post('/file-types', { ...body, id: 'x', createdAt: 'x', isActive: false });
    expect(response.status).toBe(201);
    const { id, createdAt } = response.body as { id: string; createdAt: string };
    expect(response.body).toEqual({ id, ...body, createdAt, updatedAt: createdAt });
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(await tenant.audit()).toEqual([
      manager.entry('FileTypeCreated', 'FileType', id, 'construction: Bauakte / Construction file'),
    ]);
    expect(await tenant.notifications()).toEqual([]);
    const read = await manager.get(`/file-types/${id}`);
    expect([read.body, read.headers.etag]).toEqual([response.body, response.headers.etag]);
  });

  it.each(['a', 'a'.repeat(50), 'aZ09_-', 'a-', ' trimmed '])('returns 201 for the key %j', async (key) => {
    const response = await manager.post('/file-types', { ...body, key });
    expect([response.status, (response.body as { key: string }).key]).toEqual([201, key.trim()]);
  });

  it.each([
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
    'ä',
    'a\u0000',
    'a\nb',
    'a\u0308',
    'a\ud800',
    'ａ',
  ])('returns 400 for the key %j', async (key) => {
    const before = await tenant.fingerprint();
    expectProblem(await manager.post('/file-types', bodyWith(body, 'key', key)), 'request.invalid', ['key']);
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it('returns 400 and lists all errors of the body together', async () => {
    const response = await manager.post('/file-types', { key: 'A', nameDe: '' });
    expectProblem(response, 'request.invalid', ['key', 'nameDe', 'nameEn']);
  });

  it('returns 409 for a key that another type of the tenant has', async () => {
    expect((await manager.post('/file-types', body)).status).toBe(201);
    const before = await tenant.fingerprint();
    expectProblem(await manager.post('/file-types', { ...body, nameDe: 'Andere' }), 'file-type.key-taken');
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it('returns 201 for a key that another tenant has, one in another case, and repeated names', async () => {
    const other = await service.tenant();
    await (await other.as('records_manager')).post('/file-types', body);
    expect((await manager.post('/file-types', body)).status).toBe(201);
    expect((await manager.post('/file-types', { ...body, key: 'conStruction' })).status).toBe(201);
  });

  it('returns 201 to exactly one of several concurrent requests, 409 to the others', async () => {
    const statuses = await Promise.all(
      [1, 2, 3].map(async (n) => (await manager.post('/file-types', { ...body, nameEn: `${n}` })).status),
    );
    expect(statuses.sort()).toEqual([201, 409, 409]);
    expect(await tenant.audit()).toHaveLength(1);
  });
});
