import { beforeEach, describe, expect, it } from '@jest/globals';
import { buildField, saveDocumentType } from '../../factories/document-types.js';
import { type Actor } from '../../support/actor.js';
import { pagedList, readAll } from '../../support/operations/paged-list.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('ListDocumentTypes', () => {
  let tenant: TestTenant;
  let viewer: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    viewer = await tenant.as('viewer');
  });

  pagedList({
    actor: () => viewer,
    other: () => tenant.as('guest'),
    path: '/document-types',
    otherPath: '/file-types',
    fill: async (where, count) => {
      // The same name for all, so that the id decides the order.
      const ids: string[] = [];
      for (let n = 0; n < count; n += 1)
        ids.push((await saveDocumentType(where, { nameDe: 'Beleg', fields: [buildField('note')] })).id);
      return ids.sort();
    },
  });

  it('returns 200 with all document types, including inactive ones', async () => {
    const manager = await tenant.as('records_manager');
    const first = await manager.post('/document-types', {
      key: 'a',
      nameDe: 'A',
      nameEn: 'A',
      fields: [buildField('state', { options: ['open'] }), buildField('note')],
    });
    const second = await manager.post('/document-types', { key: 'b', nameDe: 'B', nameEn: 'B' });
    const { id } = second.body as { id: string };
    const inactive = await manager.post(`/document-types/${id}/deactivate`);
    const response = await (await tenant.with('documentTypes.read')).get('/document-types');
    expect([response.status, response.body]).toEqual([
      200,
      { items: [first.body, inactive.body], nextCursor: null },
    ]);
    expect(response.headers.etag).toBeUndefined();
  });

  it('returns 200 sorted by German name in the root collation, ignoring case', async () => {
    const sorted = ['1', 'akte', 'Ärger', 'ARZT', 'Straßa', 'strasse', 'Straßf', 'Zoo'];
    for (const [n, nameDe] of sorted.toReversed().entries())
      await saveDocumentType(tenant, { nameDe, nameEn: `${n}` });
    for (const limit of [1, 3, 200]) {
      const items = (await readAll(viewer, '/document-types', limit)) as unknown as { nameDe: string }[];
      expect(items.map(({ nameDe }) => nameDe)).toEqual(sorted);
    }
  });

  it('returns 200 without gaps or repetitions when types are added and renamed between pages', async () => {
    const kept: string[] = [];
    for (const nameDe of ['b', 'd', 'd', 'd', 'd', 'f'])
      kept.push((await saveDocumentType(tenant, { nameDe })).id);
    const moved = await saveDocumentType(tenant, { nameDe: 'c' });
    const page = (await viewer.get('/document-types?limit=3')).body as {
      items: { id: string }[];
      nextCursor: string;
    };
    await saveDocumentType(tenant, { nameDe: 'a' });
    await saveDocumentType(tenant, { nameDe: 'e' });
    const manager = await tenant.as('records_manager');
    await manager.put(`/document-types/${moved.id}`, { nameDe: 'a', nameEn: 'a' });
    const rest = (await viewer.get(`/document-types?cursor=${page.nextCursor}`)).body as {
      items: { id: string }[];
    };
    const seen = [...page.items, ...rest.items].map(({ id }) => id).filter((id) => kept.includes(id));
    expect(seen).toEqual([kept[0], ...kept.slice(1, 5).sort(), kept[5]]);
  });
});
