import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { saveFileType } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { pagedList, readAll } from '../../support/operations/paged-list.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('ListFileTypes', () => {
  let tenant: TestTenant;
  let viewer: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    viewer = await tenant.as('viewer');
  });

  pagedList({
    actor: () => viewer,
    other: () => tenant.as('guest'),
    path: '/file-types',
    otherPath: '/tags',
    fill: async (where, count) => {
      // The same name for all, so that the id decides the order; random ids do not follow the creation order.
      const ids: string[] = [];
      for (let n = 0; n < count; n += 1)
        ids.push((await saveFileType(where, { id: randomUUID(), nameDe: 'Akte' })).id);
      return ids.sort();
    },
  });

  it('returns 200 with the file types', async () => {
    const manager = await tenant.as('records_manager');
    const created = await manager.post('/file-types', {
      key: 'build',
      nameDe: 'Bauakte',
      nameEn: 'Building',
    });
    const response = await (await tenant.with('fileTypes.read')).get('/file-types');
    expect([response.status, response.body]).toEqual([200, { items: [created.body], nextCursor: null }]);
    expect(response.headers.etag).toBeUndefined();
  });

  it('returns 200 sorted by German name in the root collation, ignoring case', async () => {
    const sorted = ['1', 'akte', 'Ärger', 'ARZT', 'Straßa', 'strasse', 'Straßf', 'Zoo'];
    for (const [n, nameDe] of sorted.toReversed().entries())
      await saveFileType(tenant, { nameDe, nameEn: `${n}` });
    for (const limit of [1, 3, 200]) {
      const items = (await readAll(viewer, '/file-types', limit)) as unknown as { nameDe: string }[];
      expect(items.map(({ nameDe }) => nameDe)).toEqual(sorted);
    }
  });
});
