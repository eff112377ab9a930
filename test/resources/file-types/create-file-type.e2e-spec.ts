import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { typeCreation } from '../../support/operations/type-creation.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('CreateFileType', () => {
  let tenant: TestTenant;
  let manager: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    manager = await tenant.as('records_manager', 'Rita');
  });

  const body = { key: 'construction', nameDe: 'Bauakte', nameEn: 'Construction file' };

  typeCreation({
    tenant: () => tenant,
    manager: () => manager,
    path: '/file-types',
    permission: 'fileTypes.manage',
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
});
