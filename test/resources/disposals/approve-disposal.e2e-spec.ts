import { beforeEach, describe, expect, it } from '@jest/globals';
import { type ProblemCode } from '../../../src/common/messages/problems.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { service } from '../../support/service/shared-service.js';
import { DisposalScene } from './support/disposal-scene.js';

describe('ApproveDisposal', () => {
  let scene: DisposalScene;
  let id: string;
  let fileId: string;
  beforeEach(async () => {
    scene = await DisposalScene.create(service);
    fileId = await scene.dueFile();
    id = await scene.save({ fileIds: [fileId], status: 'Submitted' });
  });
  const approve = (actor = scene.approver) => actor.post(`/disposals/${id}/approve`);
  const refused = async (code: ProblemCode, actor = scene.approver) => {
    await expectRefused(scene.tenant, () => approve(actor), code);
  };

  it('returns 403 to a member without files.read', async () => {
    expectProblem(await approve(await scene.tenant.with('disposals.approve')), 'permission.missing');
  });

  it('returns 200, notifies the maker, and adds the job that carries it out', async () => {
    const before = (await scene.maker.get(`/disposals/${id}`)).body as object;
    const response = await approve().expect(200);
    expect(response.body).toEqual({
      ...before,
      ...{ status: 'Approved', approvedById: scene.approver.userId, approvedAt: expect.any(String) },
    });
    expect(await scene.tenant.audit()).toEqual(
      scene.entry(scene.approver, 'DisposalApproved', id, 'Aussonderung 2026'),
    );
    expect(await scene.tenant.notifications()).toEqual([
      {
        user_id: scene.maker.userId,
        type: 'DisposalApproved',
        parameters: { disposalId: id, name: 'Aussonderung 2026', actorName: 'Alice' },
      },
    ]);
    expect(await scene.tenant.jobs()).toMatchObject([{ payload: { disposalId: id } }]);
    const [line] = await scene.tenant.query<{ due_on: string; expected: string }>(
      `SELECT o.due_on::text, ((f.closed_at AT TIME ZONE $2)::date + interval '1 year')::date::text AS expected
         FROM disposal_files o JOIN files f ON f.tenant_id = $1 AND f.id = o.file_id WHERE o.tenant_id = $1`,
      service.configuration.timeZone,
    );
    expect(line?.due_on).toBe(line?.expected);
  });

  it.each([
    ['made', (other: string) => scene.maker.post(`/disposals/${other}/submit`)],
    ['changed', (other: string) => scene.maker.put(`/disposals/${other}`, { name: 'Changed' })],
  ])('returns 409 to the one who has %s it', async (_, change) => {
    id = await scene.save({ fileIds: [await scene.dueFile()] });
    await change(id).expect(200);
    if ((await scene.stored(id)).status === 'Draft')
      await scene.maker.post(`/disposals/${id}/submit`).expect(200);
    await refused('disposal.same-person', scene.maker);
  });

  it('returns 409 to the one who has submitted it', async () => {
    id = await scene.save({ fileIds: [await scene.dueFile()] });
    await scene.approver.post(`/disposals/${id}/submit`).expect(200);
    await refused('disposal.same-person');
  });

  it('returns 409 when the rule has changed since it was submitted', async () => {
    const rule = { period: 'P2Y', startsAt: 'Closing', disposition: 'Destroy' };
    await scene.maker.put(`/file-types/${scene.fileTypeId}/retention`, rule).expect(200);
    await refused('disposal.rule-changed');
    await scene.maker.put(`/file-types/${scene.fileTypeId}/retention`, { ...rule, period: null }).expect(200);
    await refused('disposal.nothing-due');
  });

  it.each(['Draft', 'Approved', 'Completed'] as const)('returns 409 for the status %s', async (status) => {
    id = await scene.save({ status });
    await refused('disposal.not-submitted');
  });
});
