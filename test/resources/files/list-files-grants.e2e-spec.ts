import { beforeEach, describe, expect, it } from '@jest/globals';
import { FILE_SORTS } from '../../../src/resources/files/file-sorts.js';
import { type GrantOverrides, saveAccessGrant } from '../../factories/access-grants.js';
import { saveFile } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { type PageBody, readAll } from '../../support/operations/paged-list.js';
import { waitUntil } from '../../support/wait-until.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

type SavedFile = Awaited<ReturnType<typeof saveFile>>;

describe('ListFiles and GetFile by access grants', () => {
  let tenant: TestTenant;
  let guest: Actor;
  let files: SavedFile[];
  beforeEach(async () => {
    tenant = await service.tenant();
    guest = await tenant.as('guest');
    const creator = await tenant.as('editor');
    const first = await saveFile(tenant, creator, { name: 'Halle A' });
    const second = await saveFile(tenant, creator, { fileTypeId: first.fileTypeId, name: 'Halle B' });
    files = [first, second, await saveFile(tenant, creator, { name: 'Halle C' })];
  });

  /** Names of the files that the actor sees in lists and one by one, in order; null when ListFiles returns 403. */
  const visibleTo = async (actor: Actor): Promise<string[] | null> => {
    const response = await actor.get('/files');
    const single: string[] = [];
    for (const { id, name } of files) {
      const read = await actor.get(`/files/${id}`);
      if (read.status === 200) single.push(name);
      else expectProblem(read, response.status === 403 ? 'permission.missing' : 'resource.not-found');
    }
    if (response.status === 403) {
      expectProblem(response, 'permission.missing');
      return null;
    }
    const names = (items: object[]) => items.map((item) => (item as { name: string }).name).sort();
    const listed = names((response.body as PageBody).items);
    expect(names(await readAll(actor, '/files?q=halle&status=Open', 1))).toEqual(listed);
    expect(names(await readAll(actor, '/files?q=ha', 1))).toEqual(listed);
    expect(single).toEqual(listed);
    return listed;
  };

  it('returns 403 without any grant', async () => {
    expect(await visibleTo(guest)).toBeNull();
  });

  const cases: [string, 'file' | 'fileType', GrantOverrides][] = [
    ['Read on the file', 'file', {}],
    ['Write on the file', 'file', { level: 'Write' }],
    ['Read on the file to the role', 'file', { toRole: true }],
    ['Read on the file until later', 'file', { expiresAt: `now() + interval '1 hour'` }],
    ['Read on the type', 'fileType', {}],
    ['Write on the type', 'fileType', { level: 'Write' }],
    ['Write on the type to the role', 'fileType', { level: 'Write', toRole: true }],
  ];
  it.each(cases)('returns 200 with granted files only: %s', async (_, kind, overrides) => {
    const [file] = files as [SavedFile];
    await saveAccessGrant(
      tenant,
      guest,
      kind === 'file' ? { file: file.id } : { fileType: file.fileTypeId },
      overrides,
    );
    expect(await visibleTo(guest)).toEqual(kind === 'file' ? ['Halle A'] : ['Halle A', 'Halle B']);
    const colleague = await tenant.as('guest');
    expect(await visibleTo(colleague)).toEqual(overrides.toRole ? await visibleTo(guest) : null);
    expect(await visibleTo(await tenant.as('auditor'))).toBeNull();
  });

  it.each([
    ['has expired', { expiresAt: 'now()' }],
    ['was revoked', { revoked: true }],
    ['was revoked before it would have expired', { revoked: true, expiresAt: `now() + interval '1 day'` }],
  ])('returns 403 with a grant that %s', async (_, overrides) => {
    const [file] = files as [SavedFile];
    await saveAccessGrant(tenant, guest, { file: file.id }, overrides);
    await saveAccessGrant(tenant, guest, { fileType: file.fileTypeId }, { ...overrides, toRole: true });
    expect(await visibleTo(guest)).toBeNull();
  });

  it('returns 403 as soon as the grant expires, without any other change', async () => {
    const [file] = files as [SavedFile];
    const grant = await saveAccessGrant(
      tenant,
      guest,
      { file: file.id },
      { expiresAt: `now() + interval '1 hour'` },
    );
    expect((await guest.get(`/files/${file.id}`)).status).toBe(200);
    // Expires in a second, without raising the access version.
    await service.query(`UPDATE access_grants SET expires_at = now() + interval '1 second' WHERE id = $1`, [
      grant,
    ]);
    await waitUntil(async () => (await guest.get(`/files/${file.id}`)).status !== 200, 'The answer 403');
    expectProblem(await guest.get(`/files/${file.id}`), 'permission.missing');
  });

  it('returns 200 with the files of all grants, each file once', async () => {
    const [first, , third] = files as [SavedFile, SavedFile, SavedFile];
    await saveAccessGrant(tenant, guest, { file: first.id });
    await saveAccessGrant(tenant, guest, { file: first.id }, { level: 'Write', toRole: true });
    await saveAccessGrant(tenant, guest, { fileType: first.fileTypeId });
    await saveAccessGrant(tenant, guest, { file: third.id });
    expect(await visibleTo(guest)).toEqual(['Halle A', 'Halle B', 'Halle C']);
  });

  describe('of files and file types, several for some files', () => {
    let granted: Set<string>;
    let typeId: string;
    let reader: Actor;
    beforeEach(async () => {
      reader = await tenant.as('editor');
      const day = (n: number) => `2026-03-0${n}T12:00:00.000Z`;
      // The order of creation is not that of the ids, and some files were created at the same time.
      const times = [4, 2, 4, 1, 3, 5, 4, 2];
      const saved: SavedFile[] = [];
      for (const [index, time] of times.entries())
        saved.push(
          await saveFile(tenant, reader, {
            ...{ name: `Halle ${index % 3}`, createdAt: day(time), status: index % 2 ? 'Open' : 'Closed' },
            ...(index > 4 && { fileTypeId: saved[4]?.fileTypeId ?? '' }),
          }),
        );
      const ids = saved.map(({ id }) => id);
      typeId = saved[4]?.fileTypeId as string;
      const grant = (index: number, overrides: GrantOverrides = {}) =>
        saveAccessGrant(tenant, guest, { file: ids[index] as string }, overrides);
      await grant(0);
      await grant(0, { toRole: true, level: 'Write' });
      await grant(1, { toRole: true });
      await grant(2, { revoked: true });
      await grant(2, { expiresAt: 'now()' });
      await grant(3);
      await grant(5);
      await grant(6, { toRole: true });
      await grant(6);
      await saveAccessGrant(tenant, guest, { fileType: typeId });
      await saveAccessGrant(tenant, guest, { fileType: typeId }, { toRole: true });
      granted = new Set(ids.filter((_, index) => index !== 2));
    });

    it.each(FILE_SORTS)('returns 200 with each file once, page by page, sorted by %s', async (sort) => {
      for (const filter of ['', '&status=Open', '&q=halle', '&q=0', `&fileTypeId=${typeId}`]) {
        const path = `/files?sort=${sort}${filter}`;
        const expected = (await readAll(reader, path, 200)).filter(({ id }) => granted.has(id));
        for (const limit of [1, 3, 200]) expect(await readAll(guest, path, limit)).toEqual(expected);
      }
    });
  });

  it('returns 200 with an empty page for a grant on an unknown file', async () => {
    await saveAccessGrant(tenant, guest, { file: '0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d' });
    expect(await visibleTo(guest)).toEqual([]);
  });

  it('returns 200 with all files for files.read, whatever the grants', async () => {
    const reader = await tenant.with('files.read');
    await saveAccessGrant(tenant, reader, { file: (files[0] as SavedFile).id });
    expect(await visibleTo(reader)).toEqual(['Halle A', 'Halle B', 'Halle C']);
  });

  it('returns 200 with the next page of granted files, without one whose grant was revoked', async () => {
    for (const { id } of files) await saveAccessGrant(tenant, guest, { file: id });
    const page = (await guest.get('/files?limit=1')).body as PageBody;
    expect(page.items.map(({ id }) => id)).toEqual([files[2]?.id]);
    await service.query(
      'UPDATE access_grants SET revoked_at = now() WHERE tenant_id = $1 AND target_id = $2',
      [tenant.id, files[1]?.id],
    );
    await tenant.increaseAccessVersion();
    const rest = (await guest.get(`/files?cursor=${page.nextCursor}`)).body as PageBody;
    expect(rest.items.map(({ id }) => id)).toEqual([files[0]?.id]);
  });

  it('returns 403 when only a grant of another tenant has the same ids', async () => {
    const other = await service.tenant();
    await other.addMember(guest, 'guest');
    await saveAccessGrant(other, guest, { file: (files[0] as SavedFile).id });
    expect(await visibleTo(guest)).toBeNull();
    expectProblem(await guest.inTenant(other).get(`/files/${files[0]?.id}`), 'resource.not-found');
  });
});
