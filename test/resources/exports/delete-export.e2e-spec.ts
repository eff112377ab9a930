import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveExport } from '../../factories/exports.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { conditionalWrites } from '../../support/operations/conditional-writes.js';
import { storedHashes } from '../../support/stored-content.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('DeleteExport', () => {
  let tenant: TestTenant;
  let viewer: Actor;
  let id: string;
  let hash: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    viewer = await tenant.as('viewer');
    ({ id, sha256: hash } = await saveExport(tenant, viewer, { name: 'Neubau' }));
  });
  conditionalWrites({
    actor: () => viewer,
    path: () => `/exports/${id}`,
    send: (actor, path) => actor.delete(path),
    success: 204,
  });

  it('returns 204, removes the package at once, and writes an audit entry', async () => {
    expect(await storedHashes(tenant)).toEqual([hash]);
    const response = await viewer.delete(`/exports/${id}`);
    expect([response.status, response.text]).toEqual([204, '']);
    expect(await storedHashes(tenant)).toEqual([]);
    expect(await tenant.query('SELECT FROM contents WHERE tenant_id = $1')).toEqual([]);
    expectProblem(await viewer.get(`/exports/${id}`), 'resource.not-found');
    expectProblem(await viewer.delete(`/exports/${id}`), 'resource.not-found');
    expect(await tenant.audit()).toMatchObject([
      { action: 'ExportDeleted', subject_type: 'Export', subject_id: id, summary: 'Neubau' },
    ]);
  });

  it('keeps bytes that a document has, too', async () => {
    await saveExport(tenant, await tenant.as('administrator'), { bytes: 'same' });
    const { id: other } = await saveExport(tenant, viewer, { bytes: 'same' });
    await viewer.delete(`/exports/${other}`).expect(204);
    expect(await storedHashes(tenant)).toHaveLength(2);
  });

  it('returns 404 to other members', async () => {
    const before = await tenant.fingerprint();
    const admin = await tenant.as('administrator');
    expectProblem(await admin.delete(`/exports/${id}`), 'resource.not-found');
    expect({ ...(await tenant.fingerprint()), members: '' }).toEqual({ ...before, members: '' });
  });
});
