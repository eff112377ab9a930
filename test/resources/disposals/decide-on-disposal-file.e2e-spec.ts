import { beforeEach, describe, expect, it } from '@jest/globals';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { service } from '../../support/service/shared-service.js';
import { DisposalScene } from './support/disposal-scene.js';

describe('DecideOnDisposalFile', () => {
  let scene: DisposalScene;
  let id: string;
  let fileId: string;
  beforeEach(async () => {
    scene = await DisposalScene.create(service);
    fileId = await scene.dueFile();
    id = await scene.save({ fileIds: [fileId], decision: null });
  });
  const path = () => `/disposals/${id}/files/${fileId}`;
  const body = { decision: 'Transferred', reference: 'Stadtarchiv, Zugang 2026/17' };

  it.each([
    [{ decision: 'Destroy' }, { decision: 'Destroy', reference: null, keep_until: null }],
    [body, { ...body, keep_until: null }],
    [
      { decision: 'Keep', keepUntil: '2040-12-31' },
      { decision: 'Keep', reference: null, keep_until: '2040-12-31' },
    ],
  ])('returns 204 and stores %j', async (sent, line) => {
    const response = await scene.approver.put(path(), sent);
    expect([response.status, response.text]).toEqual([204, '']);
    const { files, editors } = await scene.stored(id);
    expect(files[fileId]).toEqual({ ...line, outcome: null, because: null });
    expect(editors).toEqual([scene.maker.userId, scene.approver.userId]);
    expect(await scene.tenant.audit()).toEqual(
      scene.entry(scene.approver, 'DisposalUpdated', id, 'Aussonderung 2026'),
    );
    expect(await scene.tenant.notifications()).toEqual([]);
  });

  it.each([
    [{}, 'decision'],
    [{ decision: null }, 'decision'],
    [{ decision: 'Transferred' }, 'reference'],
    [{ decision: 'Transferred', reference: 'x'.repeat(201) }, 'reference'],
    [{ decision: 'Keep', keepUntil: 'soon' }, 'keepUntil'],
    [{ decision: 'Destroy', keepUntil: '2040-12-31' }, 'keepUntil'],
  ])('returns 400 for %j', async (sent, member) => {
    await expectRefused(scene.tenant, () => scene.maker.put(path(), sent), 'request.invalid', [member]);
  });

  it('returns 404 for a file that is not in the disposal', async () => {
    const other = await scene.dueFile();
    expectProblem(await scene.maker.put(`/disposals/${id}/files/${other}`, body), 'resource.not-found');
  });

  it.each(['Submitted', 'Approved', 'Completed'] as const)(
    'returns 409 for the status %s',
    async (status) => {
      fileId = await scene.dueFile();
      id = await scene.save({ fileIds: [fileId], status });
      await expectRefused(scene.tenant, () => scene.maker.put(path(), body), 'disposal.not-draft');
    },
  );
});
