import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveView } from '../../factories/saved-views.js';
import { type Actor } from '../../support/actor.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('ListSavedViews', () => {
  let tenant: TestTenant;
  let viewer: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    viewer = await tenant.as('viewer');
  });

  const names = async (actor = viewer) =>
    ((await actor.get('/saved-views')).body as { name: string }[]).map(({ name }) => name);

  it('returns 200 with an empty list without views', async () => {
    const response = await viewer.get('/saved-views');
    expect([response.status, response.body]).toEqual([200, []]);
  });

  it('returns 200 with the views in an array', async () => {
    const view = (await viewer.post('/saved-views', { name: 'Meine' })).body as object;
    const response = await viewer.get('/saved-views');
    expect([response.status, response.body]).toEqual([200, [view]]);
    expect(response.headers.etag).toBeUndefined();
  });

  it('returns 200 to a member without any permission', async () => {
    const member = await tenant.with();
    await saveView(tenant, member, { name: 'Von früher' });
    expect(await names(member)).toEqual(['Von früher']);
  });

  it('returns 200 without views of other users and tenants', async () => {
    await saveView(tenant, await tenant.as('administrator'));
    const elsewhere = await service.tenant();
    await elsewhere.addMember(viewer, 'viewer');
    await saveView(elsewhere, viewer);
    await saveView(tenant, viewer, { name: 'Meine' });
    expect(await names()).toEqual(['Meine']);
  });

  it('returns 200 sorted by name in the root collation, ignoring case', async () => {
    const sorted = '_x 😀 1 10 2 a Ab aß asz Äx Az b É f z ж 漢'.split(' ');
    for (const name of sorted.toReversed()) await saveView(tenant, viewer, { name });
    expect(await names()).toEqual(sorted);
  });

  it('returns 200 with all views and ignores parameters', async () => {
    await service.query(
      `INSERT INTO saved_views (tenant_id, id, owner_id, name, name_key, filter)
       SELECT $1, gen_random_uuid(), $2, n::text, n::text,
              '{"tagIds": [], "fileId": null, "documentTypeId": null, "metadataConditions": []}'
         FROM generate_series(1, 500) n`,
      [tenant.id, viewer.userId],
    );
    expect((await viewer.get('/saved-views?limit=0&cursor=x')).body).toHaveLength(500);
  });
});
