import { beforeEach, describe, expect, it } from '@jest/globals';
import { expectRefused } from '../../support/expect-refused.js';
import { conditionalWrites } from '../../support/operations/conditional-writes.js';
import { service } from '../../support/service/shared-service.js';
import { DisposalScene } from './support/disposal-scene.js';

describe('DeleteDisposal', () => {
  let scene: DisposalScene;
  let id: string;
  beforeEach(async () => {
    scene = await DisposalScene.create(service);
    id = await scene.save({ fileIds: [await scene.dueFile()] });
  });
  conditionalWrites({
    actor: () => scene.maker,
    path: async () => `/disposals/${await scene.save()}`,
    send: (actor, at) => actor.delete(at),
    success: 204,
  });

  it('returns 204, leaves the files, and allows another disposal of them', async () => {
    const files = await scene.ids('files');
    const response = await scene.maker.delete(`/disposals/${id}`);
    expect([response.status, response.text]).toEqual([204, '']);
    expect([await scene.ids('disposals'), await scene.ids('files')]).toEqual([[], files]);
    expect(await scene.tenant.audit()).toEqual(
      scene.entry(scene.maker, 'DisposalDeleted', id, 'Aussonderung 2026'),
    );
    expect(await scene.tenant.notifications()).toEqual([]);
    const body = { name: 'Next', fileTypeId: scene.fileTypeId, dueBefore: '2026-01-01' };
    expect((await scene.maker.post('/disposals', body)).status).toBe(201);
  });

  it.each(['Submitted', 'Approved', 'Completed'] as const)(
    'returns 409 for the status %s',
    async (status) => {
      id = await scene.save({ status });
      await expectRefused(scene.tenant, () => scene.maker.delete(`/disposals/${id}`), 'disposal.not-draft');
    },
  );
});
