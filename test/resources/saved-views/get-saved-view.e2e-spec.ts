import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type SavedViewBody, saveView } from '../../factories/saved-views.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { notModified } from '../../support/operations/not-modified.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('GetSavedView', () => {
  let tenant: TestTenant;
  let viewer: Actor;
  let view: Awaited<ReturnType<typeof saveView>>;
  beforeEach(async () => {
    tenant = await service.tenant();
    viewer = await tenant.as('viewer');
    view = await saveView(tenant, viewer);
  });
  notModified(() => viewer.get(`/saved-views/${view.id}`));

  it('returns 200 with the view and its entity tag, for an uppercase id too', async () => {
    const response = await viewer.get(`/saved-views/${view.id.toUpperCase()}`);
    const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect([response.status, response.body]).toEqual([
      200,
      { ...view, createdAt: timestamp, updatedAt: timestamp },
    ]);
    expect(response.headers.etag).toMatch(/^"[^"]+"$/);
  });

  it('returns 200 to the owner without savedViews.manage', async () => {
    const member = await tenant.with();
    const { id } = await saveView(tenant, member);
    expect((await member.get(`/saved-views/${id}`)).status).toBe(200);
  });

  it('returns 200 with the stored filter when everything in it has been deleted', async () => {
    const filter = {
      documentTypeId: randomUUID(),
      fileId: randomUUID(),
      tagIds: [randomUUID()],
      metadataConditions: [{ fieldKey: 'gone', operator: 'EqualTo', value: 'x' }],
    };
    const { id } = await saveView(tenant, viewer, { filter });
    expect(((await viewer.get(`/saved-views/${id}`)).body as SavedViewBody).filter).toEqual(filter);
  });

  it('returns 404 for a view of another user, even to an administrator', async () => {
    expectProblem(
      await (await tenant.as('administrator')).get(`/saved-views/${view.id}`),
      'resource.not-found',
    );
  });
});
