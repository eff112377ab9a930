import { beforeEach, describe, expect, it } from '@jest/globals';
import { expectProblem } from '../../support/expect-problem.js';
import { service } from '../../support/service/shared-service.js';
import { DisposalScene } from './support/disposal-scene.js';

describe('RejectDisposal', () => {
  let scene: DisposalScene;
  let id: string;
  beforeEach(async () => {
    scene = await DisposalScene.create(service);
    id = await scene.save({ fileIds: [await scene.dueFile()], status: 'Submitted' });
  });
  const body = { reason: 'Wird noch gebraucht' };

  it('returns 200 with the draft and the reason, and notifies the maker', async () => {
    const before = (await scene.maker.get(`/disposals/${id}`)).body as object;
    const response = await scene.approver.post(`/disposals/${id}/reject`, body);
    expect([response.status, response.body]).toEqual([
      200,
      { ...before, status: 'Draft', submittedById: null, submittedAt: null, rejection: body.reason },
    ]);
    expect(await scene.tenant.audit()).toEqual(
      scene.entry(scene.approver, 'DisposalRejected', id, `Aussonderung 2026: ${body.reason}`),
    );
    expect(await scene.tenant.notifications()).toEqual([
      {
        user_id: scene.maker.userId,
        type: 'DisposalRejected',
        parameters: { disposalId: id, name: 'Aussonderung 2026', actorName: 'Alice' },
      },
    ]);
    expect((await scene.maker.post(`/disposals/${id}/submit`)).body).toMatchObject({ rejection: null });
    expect((await scene.approver.post(`/disposals/${id}/approve`)).status).toBe(200);
  });

  it.each([[{}], [{ reason: '' }], [{ reason: 'x'.repeat(2001) }]])('returns 400 for %j', async (sent) => {
    const before = await scene.tenant.fingerprint();
    expectProblem(await scene.approver.post(`/disposals/${id}/reject`, sent), 'request.invalid', ['reason']);
    expect(await scene.tenant.fingerprint()).toEqual(before);
  });

  it.each(['Draft', 'Approved', 'Completed'] as const)('returns 409 for the status %s', async (status) => {
    id = await scene.save({ status });
    const before = await scene.tenant.fingerprint();
    expectProblem(await scene.approver.post(`/disposals/${id}/reject`, body), 'disposal.not-submitted');
    expect(await scene.tenant.fingerprint()).toEqual(before);
  });
});
