import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Actor } from '../../support/actor.js';
import { conditionalWrites } from '../../support/operations/conditional-writes.js';
import { expectProblem } from '../../support/expect-problem.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';
import { textRules } from '../../support/operations/text-rules.js';
import { saveFileType } from '../../factories/files.js';

interface FileType {
  id: string;
  key: string;
  nameDe: string;
  nameEn: string;
  createdAt: string;
  updatedAt: string;
}

describe('UpdateFileType', () => {
  let tenant: TestTenant;
  let manager: Actor;
  let type: FileType;
  let etag: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    manager = await tenant.as('records_manager', 'Rita');
    const response = await manager.post('/file-types', {
      key: 'build',
      nameDe: 'Bauakte',
      nameEn: 'Building',
    });
    type = response.body as FileType;
    etag = response.headers.etag ?? '';
  });

  const names = { nameDe: 'Personalakte', nameEn: 'Personnel file' };

  for (const member of ['nameDe', 'nameEn']) {
    textRules({
      tenant: () => tenant,
      member,
      max: 200,
      body: () => names,
      send: (body) => manager.put(`/file-types/${type.id}`, body),
      success: 200,
    });
  }
  conditionalWrites({
    actor: () => manager,
    path: () => `/file-types/${type.id}`,
    send: (actor, path) => actor.put(path, names),
    success: 200,
  });

  it('returns 200 with the new names and the same key, and writes an audit entry', async () => {
    const response = await manager.put(`/file-types/${type.id}`, { ...names, key: 'other', id: 'x' });
    const { updatedAt } = response.body as FileType;
    expect([response.status, response.body]).toEqual([200, { ...type, ...names, updatedAt }]);
    expect(updatedAt > type.updatedAt).toBe(true);
    expect((await tenant.audit())[1]).toEqual(
      manager.entry(
        'FileTypeUpdated',
        'FileType',
        type.id,
        'build: Bauakte / Building → Personalakte / Personnel file',
      ),
    );
    expect(await tenant.notifications()).toEqual([]);
    const read = await manager.get(`/file-types/${type.id}`);
    expect([read.body, read.headers.etag]).toEqual([response.body, response.headers.etag]);
    expect(response.headers.etag).not.toBe(etag);
  });

  it('returns 200 and sorts the type by its new name', async () => {
    const other = (await manager.post('/file-types', { key: 'c', nameDe: 'Charta', nameEn: 'Charter' }))
      .body as FileType;
    const order = async () =>
      ((await manager.get('/file-types')).body as { items: FileType[] }).items.map(({ id }) => id);
    expect(await order()).toEqual([type.id, other.id]);
    await manager.put(`/file-types/${type.id}`, names);
    expect(await order()).toEqual([other.id, type.id]);
  });

  it.each([
    ['nameDe', { nameDe: 'BAUAKTE', nameEn: 'Building' }],
    ['nameEn', { nameDe: 'Bauakte', nameEn: 'building' }],
  ])('returns 200 and updates the type when only the case of %s changes', async (_, changed) => {
    const response = await manager.put(`/file-types/${type.id}`, changed);
    expect([response.status, response.body]).toMatchObject([200, changed]);
    expect(await tenant.audit()).toHaveLength(2);
  });

  it('returns 200 and writes nothing for the same names', async () => {
    const before = await tenant.fingerprint();
    const response = await manager.put(`/file-types/${type.id}`, { nameDe: ' Bauakte', nameEn: 'Building ' });
    expect([response.status, response.body, response.headers.etag]).toEqual([200, type, etag]);
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it('returns 200 for the names of another file type', async () => {
    const { nameDe, nameEn } = await saveFileType(tenant);
    expect((await manager.put(`/file-types/${type.id}`, { nameDe, nameEn })).status).toBe(200);
  });

  it('checks the body (400) before the id (404)', async () => {
    expectProblem(await manager.put('/file-types/x', {}), 'request.invalid', ['nameDe', 'nameEn']);
  });
});
