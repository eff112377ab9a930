import { beforeEach, describe, expect, it } from '@jest/globals';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { conditionalWrites } from '../../support/operations/conditional-writes.js';
import { textRules } from '../../support/operations/text-rules.js';
import { service } from '../../support/service/shared-service.js';
import { DisposalScene } from './support/disposal-scene.js';

describe('UpdateDisposal', () => {
  let scene: DisposalScene;
  let id: string;
  let path: string;
  beforeEach(async () => {
    scene = await DisposalScene.create(service);
    id = await scene.save();
    path = `/disposals/${id}`;
  });
  const body = { name: 'Bauakten bis 2015' };

  textRules({
    tenant: () => scene.tenant,
    member: 'name',
    max: 200,
    body: () => body,
    send: (sent) => scene.maker.put(path, sent),
    success: 200,
  });
  conditionalWrites({
    actor: () => scene.maker,
    path: () => path,
    send: (actor, at) => actor.put(at, body),
    success: 200,
  });

  it('returns 200 with the new name, and makes the caller one who may not approve', async () => {
    const before = (await scene.maker.get(path)).body as object;
    const response = await scene.approver.put(path, body);
    expect([response.status, response.body]).toEqual([200, { ...before, ...body }]);
    expect((await scene.stored(id)).editors).toEqual([scene.maker.userId, scene.approver.userId]);
    expect(await scene.tenant.audit()).toEqual(scene.entry(scene.approver, 'DisposalUpdated', id, body.name));
    expect(await scene.tenant.notifications()).toEqual([]);
  });

  it('returns 200 and decides on all files without a decision', async () => {
    const [decided, other] = [await scene.dueFile(), await scene.dueFile()];
    id = await scene.save({ fileIds: [decided, other], decision: null });
    await scene.maker.put(`/disposals/${id}/files/${decided}`, { decision: 'Destroy' }).expect(204);
    const reference = 'Zugang 2026/17';
    await scene.maker.put(`/disposals/${id}`, { ...body, decision: 'Transferred', reference }).expect(200);
    expect((await scene.stored(id)).files).toEqual({
      [decided]: expect.objectContaining({ decision: 'Destroy', reference: null }),
      [other]: expect.objectContaining({ decision: 'Transferred', reference }),
    });
  });

  it('returns 200 and writes nothing when nothing changes', async () => {
    await scene.maker.put(path, body).expect(200);
    const before = await scene.tenant.fingerprint();
    await scene.approver.put(path, { ...body, decision: 'Destroy' }).expect(200);
    expect(await scene.tenant.fingerprint()).toEqual(before);
  });

  it.each([
    [{ decision: 'Burn' }, 'decision'],
    [{ decision: 'Transferred' }, 'reference'],
    [{ decision: 'Keep' }, 'keepUntil'],
    [{ decision: 'Keep', keepUntil: '2099-13-01' }, 'keepUntil'],
    [{ decision: 'Destroy', reference: 'x' }, 'reference'],
    [{ decision: 'Transferred', reference: 'x', keepUntil: '2099-01-01' }, 'keepUntil'],
  ])('returns 400 for %j', async (rest, member) => {
    const before = await scene.tenant.fingerprint();
    expectProblem(await scene.maker.put(path, { ...body, ...rest }), 'request.invalid', [member]);
    expect(await scene.tenant.fingerprint()).toEqual(before);
  });

  it.each(['Submitted', 'Approved', 'Completed'] as const)(
    'returns 409 for the status %s',
    async (status) => {
      id = await scene.save({ status });
      await expectRefused(scene.tenant, scene.maker.put(`/disposals/${id}`, body), 'disposal.not-draft');
    },
  );
});
