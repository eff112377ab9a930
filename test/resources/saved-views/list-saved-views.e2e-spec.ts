import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { saveView } from '../../factories/saved-views.js';
import { type Actor } from '../../support/actor.js';
import { everyOperation } from '../../support/operations/every-operation.js';
import { TestService } from '../../support/service/service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('ListSavedViews', () => {
  let service: TestService;
  let tenant: TestTenant;
  let viewer: Actor;
  beforeAll(async () => {
    service = await TestService.shared();
  });
  beforeEach(async () => {
    tenant = await service.tenant();
    viewer = await tenant.as('viewer');
  });

  const names = async (actor = viewer) =>
    ((await actor.get('/saved-views')).body as { name: string }[]).map(({ name }) => name);

  everyOperation({
    service: () => service,
    tenant: () => tenant,
    permitted: () => viewer,
    permission: null,
    send: (actor) => actor.get('/saved-views'),
  });

  it('200: an empty list when there is none', async () => {
    const response = await viewer.get('/saved-views');
    expect([response.status, response.body]).toEqual([200, []]);
  });

  it('200: the views as they are, without an envelope', async () => {
    const view = (await viewer.post('/saved-views', { name: 'Meine' })).body as object;
    const response = await viewer.get('/saved-views');
    expect([response.status, response.body]).toEqual([200, [view]]);
    expect(response.headers.etag).toBeUndefined();
  });

  it('200: for a member without any permission', async () => {
    const member = await tenant.with();
    await saveView(tenant, member, { name: 'Von früher' });
    expect(await names(member)).toEqual(['Von früher']);
  });

  it('200: none of others, in this tenant or another', async () => {
    await saveView(tenant, await tenant.as('administrator'));
    const elsewhere = await service.tenant();
    await elsewhere.admit(viewer, 'viewer');
    await saveView(elsewhere, viewer);
    await saveView(tenant, viewer, { name: 'Meine' });
    expect(await names()).toEqual(['Meine']);
  });

  it('200: by name without regard to case, as the root collation has it', async () => {
    const sorted = [
      '_x',
      '😀',
      '1',
      '10',
      '2',
      'a',
      'Ab',
      'aß',
      'asz',
      'Äx',
      'Az',
      'b',
      'É',
      'f',
      'z',
      'ж',
      '漢',
    ];
    for (const name of sorted.toReversed()) await saveView(tenant, viewer, { name });
    expect(await names()).toEqual(sorted);
  });

  it('200: all that there can be, whatever parameters come along', async () => {
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
