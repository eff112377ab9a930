import { beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '../../../src/common/identifier.js';
import { saveDisposal } from '../../factories/disposals.js';
import { saveFileType } from '../../factories/files.js';
import { pagedList } from '../../support/operations/paged-list.js';
import { service } from '../../support/service/shared-service.js';
import { DisposalScene } from './support/disposal-scene.js';
import { onlyForReaders } from './support/only-for-readers.js';

describe('ListDisposals', () => {
  let scene: DisposalScene;
  beforeEach(async () => {
    scene = await DisposalScene.create(service);
  });

  onlyForReaders({ tenant: () => scene.tenant, send: (actor) => actor.get('/disposals') });
  pagedList({
    actor: () => scene.maker,
    other: () => scene.tenant.as('administrator'),
    path: '/disposals',
    otherPath: '/tags',
    fill: async (where, count) => {
      const fileTypeId = (await saveFileType(where)).id;
      const ids = Array.from({ length: count }, () => newId());
      for (const id of ids) await saveDisposal(where, scene.maker, { id, fileTypeId });
      return ids.reverse();
    },
  });

  it('returns 200 with disposals of every status, and not those of other tenants', async () => {
    const id = await scene.save({ status: 'Completed' });
    await scene.foreign();
    const response = await scene.maker.get('/disposals');
    expect([response.status, response.body]).toEqual([
      200,
      { items: [expect.objectContaining({ id, status: 'Completed' })], nextCursor: null },
    ]);
  });
});
