import { beforeEach, describe, expect, it } from '@jest/globals';
import { type ProblemCode } from '../../../src/common/messages/problems.js';
import { saveRetention } from '../../factories/retentions.js';
import { expectRefused } from '../../support/expect-refused.js';
import { service } from '../../support/service/shared-service.js';
import { DisposalScene } from './support/disposal-scene.js';

describe('SubmitDisposal', () => {
  let scene: DisposalScene;
  let id: string;
  let fileId: string;
  beforeEach(async () => {
    scene = await DisposalScene.create(service);
    fileId = await scene.dueFile();
    id = await scene.save({ fileIds: [fileId] });
  });
  const submit = () => scene.maker.post(`/disposals/${id}/submit`);
  const refused = async (code: ProblemCode) => {
    await expectRefused(scene.tenant, () => submit(), code);
  };

  it('returns 200 with the rule of today, and notifies those who may approve', async () => {
    await scene.tenant.with('disposals.approve');
    await saveRetention(scene.tenant, scene.fileTypeId, 'P6M');
    const before = (await scene.maker.get(`/disposals/${id}`)).body as object;
    const response = await submit().expect(200);
    expect(response.body).toEqual({
      ...before,
      ...{ status: 'Submitted', period: 'P6M', ruleChangedAt: expect.any(String) },
      ...{ submittedById: scene.maker.userId, submittedAt: expect.any(String) },
    });
    expect((await scene.maker.get(`/disposals/${id}`)).text).toBe(response.text);
    expect(await scene.tenant.audit()).toEqual(
      scene.entry(scene.maker, 'DisposalSubmitted', id, 'Aussonderung 2026'),
    );
    expect(await scene.tenant.notifications()).toEqual([
      {
        user_id: scene.approver.userId,
        type: 'DisposalSubmitted',
        parameters: { disposalId: id, name: 'Aussonderung 2026', actorName: 'Rita' },
      },
    ]);
  });

  it('returns 200 and makes the caller one who may not approve', async () => {
    await scene.approver.post(`/disposals/${id}/submit`).expect(200);
    expect((await scene.stored(id)).editors).toEqual([scene.maker.userId, scene.approver.userId]);
    expect(await scene.tenant.notifications()).toEqual([]);
  });

  it('returns 409 when a file has no decision', async () => {
    id = await scene.save({ fileIds: [await scene.dueFile()], decision: null });
    await refused('disposal.undecided');
  });

  it('returns 409 when the files of the type are kept for ever', async () => {
    await saveRetention(scene.tenant, scene.fileTypeId, null);
    await refused('disposal.nothing-due');
  });

  it.each(['Submitted', 'Approved', 'Completed'] as const)(
    'returns 409 for the status %s',
    async (status) => {
      id = await scene.save({ status });
      await refused('disposal.not-draft');
    },
  );
});
