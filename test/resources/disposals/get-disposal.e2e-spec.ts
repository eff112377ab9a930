import { beforeEach, describe, expect, it } from '@jest/globals';
import { notModified } from '../../support/operations/not-modified.js';
import { service } from '../../support/service/shared-service.js';
import { DisposalScene } from './support/disposal-scene.js';
import { onlyForReaders } from './support/only-for-readers.js';

describe('GetDisposal', () => {
  let scene: DisposalScene;
  let path: string;
  beforeEach(async () => {
    scene = await DisposalScene.create(service);
    path = `/disposals/${await scene.save({ status: 'Submitted' })}`;
  });
  notModified(() => scene.maker.get(path));

  onlyForReaders({ tenant: () => scene.tenant, send: (actor) => actor.get(path) });

  it('returns 200 with the disposal and the rule', async () => {
    const response = await scene.approver.get(path).expect(200);
    const user = scene.maker.userId;
    expect(response.body).toEqual({
      ...{ id: path.split('/').at(-1), name: 'Aussonderung 2026', fileTypeId: scene.fileTypeId },
      ...{ dueBefore: '2026-01-01', status: 'Submitted', period: 'P1Y', startsAt: 'Closing' },
      ...{ disposition: 'Destroy', ruleChangedAt: expect.any(String), createdById: user },
      ...{ createdAt: expect.any(String), submittedById: user, submittedAt: expect.any(String) },
      ...{ approvedById: null, approvedAt: null, rejection: null, completedAt: null },
    });
  });
});
