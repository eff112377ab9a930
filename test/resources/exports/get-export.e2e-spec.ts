import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveExport } from '../../factories/exports.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { notModified } from '../../support/operations/not-modified.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('GetExport', () => {
  let tenant: TestTenant;
  let viewer: Actor;
  let id: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    viewer = await tenant.as('viewer');
    ({ id } = await saveExport(tenant, viewer, { name: 'Neubau', bytes: 'package' }));
  });
  notModified(() => viewer.get(`/exports/${id}`));

  it('returns 200 with the export', async () => {
    const response = await viewer.get(`/exports/${id}`).expect(200);
    expect(response.body).toEqual({
      id,
      name: 'Neubau',
      status: 'Ready',
      documentCount: 0,
      documentsDone: 0,
      size: 7,
      createdById: viewer.userId,
      createdAt: expect.stringMatching(/Z$/),
      expiresAt: expect.stringMatching(/Z$/),
      failure: null,
    });
  });

  it('returns 200 with Expired after the expiry, before the sweep', async () => {
    await tenant.query(`UPDATE exports SET expires_at = now() - interval '1 second' WHERE tenant_id = $1`);
    expect((await viewer.get(`/exports/${id}`).expect(200)).body).toMatchObject({ status: 'Expired' });
  });

  it('returns 404 to other members, and 403 to a former member', async () => {
    expectProblem(await (await tenant.as('administrator')).get(`/exports/${id}`), 'resource.not-found');
    await (await tenant.as('administrator')).delete(`/members/${viewer.userId}`).expect(204);
    expectProblem(await viewer.get(`/exports/${id}`), 'tenant.no-access');
  });
});
