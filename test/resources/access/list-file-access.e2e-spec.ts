import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { saveAccessGrant } from '../../factories/access-grants.js';
import { saveFile } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { pagedList, readAll } from '../../support/operations/paged-list.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

/** Id of a file in every tenant of the test: ids are unique only within a tenant. */
const FILE = '0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c4e';

describe('ListFileAccess', () => {
  let tenant: TestTenant;
  let admin: Actor;
  let guest: Actor;
  let file: { id: string; fileTypeId: string };
  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator', 'Ada');
    guest = await tenant.as('guest', 'Gerda');
    file = await saveFile(tenant, admin, { id: FILE });
  });

  const send = (actor = admin, id = file.id) => actor.get(`/files/${id}/access`);
  const readers = async (actor = admin) =>
    (await readAll(actor, `/files/${file.id}/access`, 200)) as unknown as {
      userId: string;
      displayName: string | null;
      canWrite: boolean;
      reasons: object[];
      moreReasons: boolean;
    }[];
  const readerOf = async ({ userId }: Actor, actor = admin) =>
    (await readers(actor)).find((reader) => reader.userId === userId);
  pagedList({
    actor: () => admin,
    other: () => tenant.as('administrator'),
    path: `/files/${FILE}/access`,
    otherPath: '/members',
    key: 'userId',
    neverEmpty: true,
    fill: async (where, count) => {
      if (where !== tenant) await saveFile(where, admin, { id: FILE });
      const ids: string[] = [];
      for (let n = 0; n < count; n += 1) {
        // The guest is not in the list. Names differ in case, so that the order is not that of bytes.
        const name = `${n % 2 === 0 ? 'm' : 'M'}ember ${String(n).padStart(3, '0')}`;
        ids.push((await where.as('viewer', name)).userId);
      }
      return [admin.userId, ...ids];
    },
  });

  it('returns 403 without members.read', async () => {
    const member = await tenant.with('accessGrants.read', 'files.read');
    expectProblem(await send(member), 'permission.missing');
  });

  it('returns 200 with name, reasons and whether the member can write, and writes nothing', async () => {
    const editor = await tenant.as('editor', 'Edda');
    const viewer = await tenant.as('viewer', 'Victor');
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const grants = [
      await saveAccessGrant(tenant, guest, { file: file.id }, { expiresAt: `'${expiresAt}'` }),
      await saveAccessGrant(tenant, guest, { fileType: file.fileTypeId }, { toRole: true, level: 'Write' }),
    ];
    const before = await tenant.fingerprint();

    const response = await send(admin, file.id.toUpperCase()).expect(200);

    const roleReason = async (key: 'administrator' | 'editor' | 'viewer') => [
      { kind: 'Role', roleId: await tenant.roleId(key) },
    ];
    expect(response.body).toEqual({
      items: [
        {
          ...{ userId: admin.userId, displayName: 'Ada', canWrite: true, moreReasons: false },
          reasons: await roleReason('administrator'),
        },
        {
          ...{ userId: editor.userId, displayName: 'Edda', canWrite: true, moreReasons: false },
          reasons: await roleReason('editor'),
        },
        {
          ...{ userId: guest.userId, displayName: 'Gerda', canWrite: true, moreReasons: false },
          reasons: [
            { kind: 'GrantOnFile', grantId: grants[0], fileId: file.id, expiresAt },
            {
              ...{ kind: 'GrantOnFileType', roleId: await tenant.roleId('guest'), grantId: grants[1] },
              ...{ fileId: file.id, expiresAt: null },
            },
          ],
        },
        {
          ...{ userId: viewer.userId, displayName: 'Victor', canWrite: false, moreReasons: false },
          reasons: await roleReason('viewer'),
        },
      ],
      nextCursor: null,
    });
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it('returns 200 without members whose grants have expired, were revoked, or cover another file', async () => {
    const { id } = await saveFile(tenant, admin);
    await saveAccessGrant(tenant, guest, { file: file.id }, { expiresAt: `now() - interval '1 second'` });
    await saveAccessGrant(tenant, guest, { file: file.id }, { revoked: true });
    await saveAccessGrant(tenant, guest, { fileType: file.fileTypeId }, { toRole: true, revoked: true });
    await saveAccessGrant(tenant, guest, { file: id });
    // A grant on a file must not be taken for a grant on a file type with the same id.
    await saveAccessGrant(tenant, guest, { fileType: file.id });
    expect(await readerOf(guest)).toBeUndefined();
    expect((await send(guest)).status).toBe(403);
  });

  it('returns 200 with canWrite only for a Write grant that has not ended', async () => {
    await saveAccessGrant(tenant, guest, { file: file.id });
    await saveAccessGrant(tenant, guest, { file: file.id }, { level: 'Write', revoked: true });
    expect(await readerOf(guest)).toMatchObject({ canWrite: false, reasons: [{ kind: 'GrantOnFile' }] });
    await saveAccessGrant(tenant, guest, { file: file.id }, { level: 'Write' });
    expect(await readerOf(guest)).toMatchObject({ canWrite: true });
  });

  it('returns 200 with files.update counted for files that the member sees only', async () => {
    const member = await tenant.with('files.update');
    expect(await readerOf(member)).toBeUndefined();
    await saveAccessGrant(tenant, member, { file: file.id });
    expect(await readerOf(member)).toMatchObject({ canWrite: true });
  });

  it('returns 200 with at most ten reasons, the oldest grants', async () => {
    const grants: string[] = [];
    for (let n = 0; n < 10; n += 1) grants.push(await saveAccessGrant(tenant, guest, { file: file.id }));
    const ten = grants.map((grantId) => expect.objectContaining({ grantId }) as object);
    expect(await readerOf(guest)).toMatchObject({ reasons: ten, moreReasons: false });
    await saveAccessGrant(tenant, guest, { file: file.id });
    expect(await readerOf(guest)).toMatchObject({ reasons: ten, moreReasons: true });
  });

  it('returns 200 without removed members, and with members who have not called the tenant, without name', async () => {
    const viewer = await tenant.as('viewer');
    expect((await admin.delete(`/members/${viewer.userId}`)).status).toBe(204);
    const body = { issuer: service.issuer.url, subject: randomUUID(), roleId: await tenant.roleId('viewer') };
    const { userId } = (await admin.post('/members', body)).body as { userId: string };
    expect((await readers()).map((reader) => [reader.userId, reader.displayName]).sort()).toEqual(
      [
        [admin.userId, 'Ada'],
        [userId, null],
      ].sort(),
    );
  });

  it('returns 200 at once after a change of role', async () => {
    const viewer = await tenant.as('viewer');
    expect((await viewer.get(`/files/${file.id}`)).status).toBe(200);
    expect(await readerOf(viewer)).toBeDefined();
    const roleId = await tenant.roleId('guest');
    expect((await admin.put(`/members/${viewer.userId}`, { roleId })).status).toBe(200);
    expect(await readerOf(viewer)).toBeUndefined();
  });

  describe('for a caller who cannot see the file', () => {
    it('returns 404 without auditLog.read', async () => {
      const member = await tenant.with('accessGrants.read', 'members.read');
      expectProblem(await send(member), 'resource.not-found');
      await saveAccessGrant(tenant, member, { file: file.id });
      expect(await readerOf(member, member)).toMatchObject({ reasons: [{ fileId: file.id }] });
    });

    it('returns 200 to an auditor, without the id of the file', async () => {
      const auditor = await tenant.as('auditor');
      expectProblem(await auditor.get(`/files/${file.id}`), 'permission.missing');
      const grantId = await saveAccessGrant(tenant, guest, { file: file.id });
      expect(await readerOf(guest, auditor)).toMatchObject({
        reasons: [{ kind: 'GrantOnFile', grantId, fileId: null, expiresAt: null }],
      });
      expectProblem(await send(auditor, randomUUID()), 'resource.not-found');
    });
  });
});
