import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveFileType } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { conditionalWrites } from '../../support/operations/conditional-writes.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('UpdateFileTypeNumbering', () => {
  let tenant: TestTenant;
  let manager: Actor;
  let type: { id: string; key: string };
  let path: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    manager = await tenant.as('records_manager', 'Rita');
    type = await saveFileType(tenant);
    path = `/file-types/${type.id}/numbering`;
  });
  const body = { pattern: 'BAU-{yyyy}-{seq:4}', next: 412 };
  const numbersOf = async (actor: Actor) => {
    const { items } = (await actor.get('/files')).body as { items: { number: string }[] };
    return items.map(({ number }) => number);
  };
  const create = (name = 'x') => manager.post(`/file-types/${type.id}/files`, { name });
  conditionalWrites({
    actor: () => manager,
    path: () => path,
    send: (actor, at) => actor.put(at, body),
    success: 200,
  });

  it('returns 200 with pattern and next, and writes an audit entry', async () => {
    const response = await manager.put(path, { ...body, pattern: ` ${body.pattern} ` });
    expect([response.status, response.body]).toEqual([200, body]);
    expect(await tenant.audit()).toEqual([
      manager.entry(
        'FileTypeNumberingChanged',
        'FileType',
        type.id,
        `${type.key}: – → BAU-{yyyy}-{seq:4} (412)`,
      ),
    ]);
    expect(await tenant.notifications()).toEqual([]);
    const read = await manager.get(path);
    expect([read.text, read.headers.etag]).toEqual([response.text, response.headers.etag]);
  });

  it('returns 200 and writes nothing when nothing changes', async () => {
    await manager.put(path, body);
    const before = await tenant.fingerprint();
    for (const same of [body, { pattern: body.pattern }]) {
      expect((await manager.put(path, same)).body).toEqual(body);
    }
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it('removes the pattern for null, and continues the counter when it comes back', async () => {
    await manager.put(path, { pattern: 'A-{seq}' });
    await create();
    expect((await manager.put(path, { pattern: null })).body).toEqual({ pattern: null });
    expectProblem(await create(), 'numbering.none');
    expect((await manager.put(path, { pattern: 'a-{seq:3}' })).body).toEqual({
      pattern: 'a-{seq:3}',
      next: 2,
    });
    expect((await create()).body).toMatchObject({ number: 'a-002' });
  });

  it('lets two file types with the same pattern share a counter', async () => {
    const other = await saveFileType(tenant);
    await manager.put(path, { pattern: 'A-{seq}', next: 7 });
    const response = await manager.put(`/file-types/${other.id}/numbering`, { pattern: 'A-{seq}' });
    expect(response.body).toEqual({ pattern: 'A-{seq}', next: 7 });
    await create();
    await manager.post(`/file-types/${other.id}/files`, { name: 'y' });
    expect(await numbersOf(manager)).toEqual(['A-8', 'A-7']);
  });

  it('moves the counter back to a number that it has not given, but not further', async () => {
    await manager.put(path, { pattern: 'A-{seq}' });
    const file = (await create()).body as { id: string };
    await manager.delete(`/files/${file.id}`);
    await manager.put(path, { pattern: 'A-{seq}', next: 4120 });
    expect((await manager.put(path, { pattern: 'A-{seq}', next: 2 })).body).toMatchObject({ next: 2 });
    const refused = await tenant.expectNoChange(() => manager.put(path, { pattern: 'A-{seq}', next: 1 }));
    expectProblem(refused, 'request.invalid', ['next']);
  });

  it.each([
    5,
    '',
    ' ',
    'A',
    '{seq}{seq}',
    '{seq}-{seq:2}',
    '{seq:0}',
    '{seq:10}',
    '{seq:a}',
    '{SEQ}',
    '{seq}{dd}',
    '{seq}{',
    '}{seq}',
    '{{seq}}',
    '{seq}{}',
    '{seq}\u0000',
    '{seq}\nx',
    `${'x'.repeat(64)}{seq}`,
    `${'x'.repeat(56)}{seq:9}`,
    `{seq}${'{yy}'.repeat(32)}`,
    `{seq}${'x'.repeat(126)}`,
  ])('returns 400 for the pattern %j', async (pattern) => {
    await expectRefused(tenant, () => manager.put(path, { pattern }), 'request.invalid', ['pattern']);
  });

  it.each([`${'x'.repeat(55)}{seq:9}`, `${'ü'.repeat(59)}{yyyy}{seq}`, '{yy}{mm}{yyyy}{seq:1}/🗂'])(
    'accepts the pattern %j',
    async (pattern) => {
      expect((await manager.put(path, { pattern })).body).toEqual({ pattern });
      expect((await create()).status).toBe(201);
    },
  );

  it.each([0, -1, 1.5, '5', true, 1e15, {}])('returns 400 for next %j', async (next) => {
    await expectRefused(tenant, () => manager.put(path, { pattern: 'A-{seq}', next }), 'request.invalid', [
      'next',
    ]);
  });

  it('returns 400 for next without a pattern', async () => {
    expectProblem(await manager.put(path, { next: 5 }), 'request.invalid', ['next']);
  });
});
