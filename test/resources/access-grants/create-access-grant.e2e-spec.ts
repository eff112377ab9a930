import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { saveFile, saveFileType } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { idempotentCreation } from '../../support/operations/idempotent-creation.js';
import { duringTransaction } from '../../support/locks.js';
import { SecondInstance } from '../../support/service/second-instance.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';
import { ABSENT, bodyWith } from '../../support/operations/text-rules.js';
import { RAISE_ACCESS_VERSION } from '../../support/database.js';

const LATER = '2999-12-31T23:30:00.500+01:00';
const WRITE = [
  'files.read',
  'files.update',
  'documents.create',
  'documents.update',
  'documents.file',
] as const;

describe('CreateAccessGrant', () => {
  let tenant: TestTenant;
  let manager: Actor;
  let guest: Actor;
  let file: { id: string; fileTypeId: string; number: string; name: string };
  beforeEach(async () => {
    tenant = await service.tenant();
    manager = await tenant.as('records_manager', 'Rita');
    guest = await tenant.as('guest', 'Gustav');
    file = await saveFile(tenant, manager, { number: 'AZ-1', name: 'Fire station' });
  });

  const toGuest = (changes: object = {}) => ({
    subjectType: 'User',
    subjectId: guest.userId,
    targetType: 'File',
    targetId: file.id,
    level: 'Read',
    ...changes,
  });
  const grant = (changes: object = {}, actor = manager) => actor.post('/access-grants', toGuest(changes));

  idempotentCreation({
    actor: () => manager,
    permission: 'accessGrants.manage',
    otherPermissions: ['files.read'],
    send: (actor, n) => grant({ reason: `Reason ${n}` }, actor),
    failing: (actor) => grant({ subjectId: randomUUID() }, actor),
  });

  it('returns 201 with the grant, writes an audit entry and notifies the user', async () => {
    const response = await grant({
      level: 'Write',
      reason: ' Stands in ',
      expiresAt: LATER,
      id: 'x',
      status: 1,
    });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      subjectType: 'User',
      subjectId: guest.userId,
      targetType: 'File',
      targetId: file.id,
      level: 'Write',
      status: 'Active',
      reason: 'Stands in',
      expiresAt: '2999-12-31T22:30:00.500Z',
      createdById: manager.userId,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      revokedAt: null,
    });
    expect(response.headers.etag).toBeUndefined();
    const { id } = response.body as { id: string };
    expect(await tenant.audit()).toEqual([
      manager.entry('AccessGranted', 'AccessGrant', id, 'Write: Gustav → AZ-1: Fire station'),
    ]);
    expect(await tenant.notifications()).toEqual([
      {
        user_id: guest.userId,
        type: 'AccessGranted',
        parameters: { grantId: id, targetType: 'File', targetId: file.id, level: 'Write', actorName: 'Rita' },
      },
    ]);
  });

  it('returns 201 without reason and end, for uppercase ids, and for a second identical grant', async () => {
    const first = await grant({ subjectId: guest.userId.toUpperCase(), targetId: file.id.toUpperCase() });
    expect(first.body).toMatchObject({
      subjectId: guest.userId,
      targetId: file.id,
      reason: null,
      expiresAt: null,
    });
    const second = await grant({ reason: null, expiresAt: null });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(((await manager.get('/access-grants')).body as { items: unknown[] }).items).toEqual([
      second.body,
      first.body,
    ]);
  });

  it('returns 201 and stores when the file was created, for the order of lists', async () => {
    const createdAt = '2026-03-01T12:00:00.123Z';
    const { id: targetId } = await saveFile(tenant, manager, { createdAt });
    expect((await grant({ targetId })).status).toBe(201);
    const grants = 'SELECT target_created_at FROM access_grants WHERE tenant_id = $1 AND target_id = $2';
    expect(await tenant.query(grants, targetId)).toEqual([{ target_created_at: new Date(createdAt) }]);
  });

  it('returns 201 and notifies each member of the role except the caller', async () => {
    const colleague = await tenant.as('guest');
    await tenant.as('viewer');
    const roleId = await tenant.roleId('guest');
    const granted = await grant({ subjectType: 'Role', subjectId: roleId }).expect(201);
    const notified = (await tenant.notifications()).map(({ user_id, type }) => ({ user_id, type }));
    expect(notified).toHaveLength(2);
    for (const { userId } of [guest, colleague])
      expect(notified).toContainEqual({ user_id: userId, type: 'AccessGranted' });
    expect((await tenant.audit()).map(({ subject_id, summary }) => ({ subject_id, summary }))).toEqual([
      { subject_id: (granted.body as { id: string }).id, summary: 'Read: Guest → AZ-1: Fire station' },
    ]);
    await grant({ subjectType: 'Role', subjectId: await tenant.roleId('records_manager') }).expect(201);
    await grant({ subjectId: manager.userId }).expect(201);
    expect(await tenant.notifications()).toHaveLength(2);
  });

  describe('access by the grant', () => {
    it.each([
      ['the file, for one user', () => toGuest(), 1],
      [
        'all files of the type, for one user',
        () => toGuest({ targetType: 'FileType', targetId: file.fileTypeId }),
        2,
      ],
    ])('starts immediately on every instance, for %s', async (_, body, seen) => {
      const second = await SecondInstance.start(service);
      try {
        await saveFile(tenant, manager, { fileTypeId: file.fileTypeId });
        await saveFile(tenant, manager);
        const onOtherInstance = second.actor(guest);
        // Both instances have now cached that the guest's role has no permission for files.
        for (const actor of [guest, onOtherInstance])
          expectProblem(await actor.get('/files'), 'permission.missing');
        await manager.post('/access-grants', body()).expect(201);
        for (const actor of [guest, onOtherInstance]) {
          const response = await actor.get('/files');
          expect([response.status, (response.body as { items: unknown[] }).items?.length]).toEqual([
            200,
            seen,
          ]);
          expect((await actor.get(`/files/${file.id}`)).status).toBe(200);
        }
        expectProblem(await guest.put(`/files/${file.id}`, { name: 'Mine' }), 'permission.missing');
      } finally {
        await second.stop();
      }
    });

    it('includes members who get the role later', async () => {
      await grant({ subjectType: 'Role', subjectId: await tenant.roleId('guest') }).expect(201);
      expect((await guest.get(`/files/${file.id}`)).status).toBe(200);
      expect((await (await tenant.as('guest')).get(`/files/${file.id}`)).status).toBe(200);
      expectProblem(await (await tenant.as('auditor')).get(`/files/${file.id}`), 'permission.missing');
    });

    it('includes changing the file with the level Write', async () => {
      await grant({ level: 'Write' }).expect(201);
      expect((await guest.put(`/files/${file.id}`, { name: 'Ours' })).status).toBe(200);
    });
  });

  it.each([
    ['subjectType', 'absent', ABSENT],
    ['subjectType', 'null', null],
    ['subjectType', 'unknown', 'Group'],
    ['subjectType', 'in lowercase', 'user'],
    ['subjectId', 'absent', ABSENT],
    ['subjectId', 'not a UUID', 'x'],
    ['subjectId', 'a number', 5],
    ['targetType', 'absent', ABSENT],
    ['targetType', 'unknown', 'Document'],
    ['targetId', 'absent', ABSENT],
    ['targetId', 'empty', ''],
    ['level', 'absent', ABSENT],
    ['level', 'unknown', 'Own'],
    ['level', 'a list', ['Read']],
    ['reason', 'a number', 5],
    ['reason', 'too long', 'x'.repeat(2001)],
    ['reason', 'a text with NUL', 'a\u0000b'],
    ['reason', 'a text of two lines', 'two\nlines'],
    ['reason', 'a text with half a surrogate pair', 'half \ud83d'],
    ['expiresAt', 'not a date-time', 'tomorrow'],
    ['expiresAt', 'a day', '2999-12-31'],
    ['expiresAt', 'a time without offset', '2999-12-31T12:00:00'],
    ['expiresAt', 'a day that does not exist', '2999-02-30T12:00:00Z'],
    ['expiresAt', 'a number', 32503680000],
    ['expiresAt', 'empty', ''],
  ])('returns 400 when %s is %s', (member, _, value) => {
    const request = manager.post('/access-grants', bodyWith(toGuest(), member, value));
    return expectRefused(tenant, request, 'request.invalid', [member]);
  });

  it('returns 400 and lists all errors of the request together', async () => {
    expectProblem(await manager.post('/access-grants', { level: 1, expiresAt: 'x' }), 'request.invalid', [
      ...['subjectType', 'subjectId', 'targetType', 'targetId', 'level', 'expiresAt'],
    ]);
  });

  it('returns 400 for a subject that is not a member or role of this tenant', async () => {
    const other = await service.tenant();
    const [stranger, foreignRole] = [await other.as('guest'), await other.roleId('guest')];
    for (const subjectId of [stranger.userId, randomUUID(), file.id, await tenant.roleId('guest')])
      await expectRefused(tenant, grant({ subjectId }), 'request.invalid', ['subjectId']);
    for (const subjectId of [foreignRole, randomUUID(), guest.userId]) {
      const request = grant({ subjectType: 'Role', subjectId });
      await expectRefused(tenant, request, 'request.invalid', ['subjectId']);
    }
  });

  it('returns 400 for a target that is not in this tenant', async () => {
    const other = await service.tenant();
    const foreign = await saveFile(other, await other.as('editor'));
    for (const targetId of [foreign.id, randomUUID(), file.fileTypeId])
      await expectRefused(tenant, grant({ targetId }), 'request.invalid', ['targetId']);
    for (const targetId of [foreign.fileTypeId, randomUUID(), file.id]) {
      const request = grant({ targetType: 'FileType', targetId });
      await expectRefused(tenant, request, 'request.invalid', ['targetId']);
    }
  });

  it('returns 400 for a file that the caller cannot see', async () => {
    const granter = await tenant.with('accessGrants.manage');
    await expectRefused(tenant, grant({}, granter), 'request.invalid', ['targetId']);
  });

  it.each(['2020-01-01T00:00:00Z', '0001-01-01T00:00:00Z'])(
    'returns 400 when expiresAt is %s, in the past',
    (expiresAt) => expectRefused(tenant, grant({ expiresAt }), 'request.invalid', ['expiresAt']),
  );

  it('returns 400 and lists all errors found in stored data, before checking for escalation (403)', async () => {
    const granter = await tenant.with('accessGrants.manage');
    const body = { subjectId: randomUUID(), targetId: randomUUID(), expiresAt: '2020-01-01T00:00:00Z' };
    expectProblem(await grant(body, granter), 'request.invalid', ['subjectId', 'targetId', 'expiresAt']);
  });

  it('returns 403 for the level Write when the role of the caller lacks one of its permissions', async () => {
    for (const missing of WRITE.slice(1)) {
      const granter = await tenant.with(
        'accessGrants.manage',
        ...WRITE.filter((permission) => permission !== missing),
      );
      await expectRefused(tenant, grant({ level: 'Write' }, granter), 'permission.escalation');
      await grant({ level: 'Read' }, granter).expect(201);
    }
    const all = await tenant.with('accessGrants.manage', ...WRITE);
    await grant({ level: 'Write' }, all).expect(201);
  });

  it('returns 403 when the caller has access only through a grant', async () => {
    const granter = await tenant.with('accessGrants.manage');
    await grant({ subjectId: granter.userId, level: 'Write', expiresAt: LATER }).expect(201);
    for (const changes of [{}, { subjectId: granter.userId }])
      await expectRefused(tenant, grant(changes, granter), 'permission.escalation');
  });

  it('returns 403 for all files of a type without files.read', async () => {
    const granter = await tenant.with('accessGrants.manage', 'fileTypes.read');
    const { id } = await saveFileType(tenant);
    const request = grant({ targetType: 'FileType', targetId: id }, granter);
    await expectRefused(tenant, request, 'permission.escalation');
  });

  it('returns 400 for a member who is removed at the same time', async () => {
    const response = await duringTransaction(
      service,
      `WITH turn AS (${RAISE_ACCESS_VERSION})
       DELETE FROM members WHERE tenant_id = $1 AND user_id = $2`,
      [tenant.id, guest.userId],
      () => grant(),
    );
    expectProblem(response, 'request.invalid', ['subjectId']);
    expect(await tenant.query('SELECT FROM access_grants WHERE tenant_id = $1')).toEqual([]);
  });

  it('returns 403 when the caller loses the permission at the same time', async () => {
    const response = await duringTransaction(
      service,
      `WITH turn AS (${RAISE_ACCESS_VERSION})
       UPDATE members SET role_id = $3 WHERE tenant_id = $1 AND user_id = $2`,
      [tenant.id, manager.userId, await tenant.roleId('viewer')],
      () => grant(),
    );
    expectProblem(response, 'permission.missing');
    expect(await tenant.query('SELECT FROM access_grants WHERE tenant_id = $1')).toEqual([]);
  });
});
