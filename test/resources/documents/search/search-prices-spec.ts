import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { TenantBatch } from '../../../../src/platform/database/transactions/tenant-batch.js';
import { saveTypeWithAllFieldTypes, saveView } from '../../../factories/saved-views.js';
import { type Actor } from '../../../support/actor.js';
import { priceOf } from '../../../support/price.js';
import { TestService } from '../../../support/service/service.js';
import { type TestTenant } from '../../../support/tenant.js';

const conditions = (count: number, operator = 'GreaterThan') =>
  Array.from({ length: count }, (_, n) => ({ fieldKey: 'count', operator, value: String(n) }));

describe('The price of a search', () => {
  let tenant: TestTenant;
  let viewer: Actor;
  beforeAll(async () => {
    tenant = await (await TestService.shared()).tenant();
    // The bucket does not refill during a test.
    await tenant.limitRequests(1, 1000);
    viewer = await tenant.as('viewer');
    await saveTypeWithAllFieldTypes(tenant);
  });

  const search = (metadataConditions: object[], rest: object = {}) =>
    priceOf(viewer, () =>
      viewer.post('/documents/search', { filter: { metadataConditions }, ...rest }).expect(200),
    );

  it('is one request without conditions, or with few of them', async () => {
    expect(await priceOf(viewer, () => viewer.get('/documents?limit=200').expect(200))).toBe(1);
    expect(await search([], { limit: 200 })).toBe(1);
    expect(await search(conditions(1), { limit: 200 })).toBe(1);
    expect(await search(conditions(7))).toBe(1);
  });

  it('is one more for each 400 of conditions times limit', async () => {
    expect(await search(conditions(8))).toBe(2);
    expect(await search(conditions(20), { limit: 20 })).toBe(2);
    expect(await search(conditions(20), { limit: 200 })).toBe(11);
  });

  it('includes the conditions of a saved view', async () => {
    const few = await saveView(tenant, viewer, { filter: { metadataConditions: conditions(3) } });
    const many = await saveView(tenant, viewer, {
      filter: { metadataConditions: conditions(20, 'LessThan') },
    });
    const list = (query: string) => priceOf(viewer, () => viewer.get(`/documents?${query}`).expect(200));
    expect(await list(`savedViewId=${few.id}`)).toBe(1);
    expect(await list(`savedViewId=${many.id}&limit=200`)).toBe(11);
    expect(await search(conditions(20), { savedViewId: many.id, limit: 200 })).toBe(21);
  });

  it('counts conditions with the same field, operator and value once, and searches for them once', async () => {
    const same = ['1', '1', '1.0', '01'].map((value) => ({ fieldKey: 'count', operator: 'EqualTo', value }));
    const view = await saveView(tenant, viewer, { filter: { metadataConditions: same.slice(0, 2) } });
    const submit = jest.spyOn(TenantBatch.prototype, 'submit');
    try {
      expect(await search(same.slice(0, 2), { savedViewId: view.id, limit: 200 })).toBe(1);
      const texts = submit.mock.contexts.flatMap((batch) =>
        (batch as TenantBatch).statements.map(({ text }) => text),
      );
      const found = texts.filter((text) => text.includes('document_values_search'));
      expect(found.map((text) => text.split('document_values_search').length - 1)).toEqual([1]);
    } finally {
      submit.mockRestore();
    }
  });
});
