import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveView } from '../../factories/saved-views.js';
import { type Actor } from '../../support/actor.js';
import { conditionalWrites } from '../../support/operations/conditional-writes.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('DeleteSavedView', () => {
  let tenant: TestTenant;
  let viewer: Actor;
  let view: { id: string };
  beforeEach(async () => {
    tenant = await service.tenant();
    viewer = await tenant.as('viewer', 'Vera');
    view = await saveView(tenant, viewer, { name: 'Meine' });
  });
  conditionalWrites({
    actor: () => viewer,
    path: () => `/saved-views/${view.id}`,
    send: (actor, path) => actor.delete(path),
    success: 204,
  });

  it('returns 204, frees the name and writes an audit entry; 404 when repeated', async () => {
    const response = await viewer.delete(`/saved-views/${view.id}`);
    expect([response.status, response.text]).toEqual([204, '']);
    expect(await tenant.audit()).toEqual([viewer.entry('SavedViewDeleted', 'SavedView', view.id, 'Meine')]);
    expect(await tenant.notifications()).toEqual([]);
    expectProblem(await viewer.delete(`/saved-views/${view.id}`), 'resource.not-found');
    expect((await viewer.post('/saved-views', { name: 'MEINE' })).status).toBe(201);
  });

  it('returns 404 for a view of another user, even to an administrator', async () => {
    const admin = await tenant.as('administrator');
    await expectRefused(tenant, admin.delete(`/saved-views/${view.id}`), 'resource.not-found');
  });

  it('returns 204 to exactly one of several concurrent requests, 404 to the others', async () => {
    const statuses = await Promise.all(
      [1, 2, 3].map(async () => (await viewer.delete(`/saved-views/${view.id}`)).status),
    );
    expect(statuses.sort()).toEqual([204, 404, 404]);
    expect(await tenant.audit()).toHaveLength(1);
  });
});
