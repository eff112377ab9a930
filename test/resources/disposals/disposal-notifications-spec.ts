import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Actor } from '../../support/actor.js';
import { service } from '../../support/service/shared-service.js';
import { DisposalScene } from './support/disposal-scene.js';

describe('Notifications of a disposal', () => {
  let scene: DisposalScene;
  let id: string;
  beforeEach(async () => {
    scene = await DisposalScene.create(service);
    id = await scene.save({ fileIds: [await scene.dueFile()] });
    await scene.maker.post(`/disposals/${id}/submit`).expect(200);
    await scene.approver.post(`/disposals/${id}/reject`, { reason: 'Later' }).expect(200);
  });
  const typesFor = async (actor: Actor) => {
    const { items } = (await actor.get('/notifications')).body as { items: { type: string }[] };
    return items.map(({ type }) => type);
  };

  it('are shown to those who may read it', async () => {
    expect(await typesFor(scene.approver)).toEqual(['DisposalSubmitted']);
    expect(await typesFor(scene.maker)).toEqual(['DisposalRejected']);
  });

  it('are hidden from a member who has lost the permissions', async () => {
    await scene.tenant.query(
      `UPDATE members SET role_id = $3 WHERE tenant_id = $1 AND user_id = $2`,
      scene.maker.userId,
      await scene.tenant.roleId('viewer'),
    );
    await scene.tenant.increaseAccessVersion();
    expect(await typesFor(scene.maker)).toEqual([]);
  });

  it('are hidden when it is deleted', async () => {
    await scene.maker.delete(`/disposals/${id}`).expect(204);
    expect([await typesFor(scene.approver), await typesFor(scene.maker)]).toEqual([[], []]);
  });
});
