import { beforeEach, describe, expect, it } from '@jest/globals';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { service } from '../../support/service/shared-service.js';
import { DisposalScene } from './support/disposal-scene.js';

describe('RemoveDisposalFile', () => {
  let scene: DisposalScene;
  let id: string;
  let fileId: string;
  beforeEach(async () => {
    scene = await DisposalScene.create(service);
    fileId = await scene.dueFile();
    id = await scene.save({ fileIds: [fileId] });
  });
  const path = () => `/disposals/${id}/files/${fileId}`;

  it('returns 204 and takes the file out, but not a second time', async () => {
    const response = await scene.approver.delete(path());
    expect([response.status, response.text]).toEqual([204, '']);
    expect(await scene.stored(id)).toEqual({
      status: 'Draft',
      editors: [scene.maker.userId, scene.approver.userId],
      files: {},
    });
    expect(await scene.ids('files')).toEqual([fileId]);
    expect(await scene.tenant.audit()).toEqual(
      scene.entry(scene.approver, 'DisposalUpdated', id, 'Aussonderung 2026'),
    );
    expect(await scene.tenant.notifications()).toEqual([]);
    expectProblem(await scene.approver.delete(path()), 'resource.not-found');
  });

  it.each(['Submitted', 'Approved', 'Completed'] as const)(
    'returns 409 for the status %s',
    async (status) => {
      fileId = await scene.dueFile();
      id = await scene.save({ fileIds: [fileId], status });
      await expectRefused(scene.tenant, () => scene.maker.delete(path()), 'disposal.not-draft');
    },
  );
});
