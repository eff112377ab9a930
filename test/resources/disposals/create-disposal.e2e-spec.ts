import { beforeEach, describe, expect, it } from '@jest/globals';
import { type ProblemCode } from '../../../src/common/messages/problems.js';
import { newId } from '../../../src/common/identifier.js';
import { saveFileType } from '../../factories/files.js';
import { saveClosedFile } from '../../factories/disposals.js';
import { saveHold } from '../../factories/holds.js';
import { saveRetention } from '../../factories/retentions.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { idempotentCreation } from '../../support/operations/idempotent-creation.js';
import { textRules } from '../../support/operations/text-rules.js';
import { service } from '../../support/service/shared-service.js';
import { DisposalScene } from './support/disposal-scene.js';

describe('CreateDisposal', () => {
  let scene: DisposalScene;
  let typeIds: string[];
  beforeEach(async () => {
    scene = await DisposalScene.create(service);
    await scene.dueFile();
    typeIds = [scene.fileTypeId];
    for (let n = 0; n < 2; n += 1) {
      const fileTypeId = (await saveFileType(scene.tenant)).id;
      await saveRetention(scene.tenant, fileTypeId, 'P1Y');
      await saveClosedFile(scene.tenant, scene.maker, { fileTypeId });
      typeIds.push(fileTypeId);
    }
  });
  const body = () => ({ name: 'Aussonderung', fileTypeId: scene.fileTypeId, dueBefore: '2026-01-01' });
  const refused = async (rest: object, code: ProblemCode, members?: string[]) => {
    await expectRefused(scene.tenant, scene.maker.post('/disposals', { ...body(), ...rest }), code, members);
  };

  textRules({
    tenant: () => scene.tenant,
    member: 'name',
    max: 200,
    body,
    send: (sent) => scene.maker.post('/disposals', sent),
    success: 201,
    remove: (id) => scene.maker.delete(`/disposals/${id}`),
  });

  idempotentCreation({
    actor: () => scene.maker,
    permission: 'disposals.manage',
    otherPermissions: ['files.read'],
    send: (actor, n) => actor.post('/disposals', { ...body(), fileTypeId: typeIds[n - 1] }),
  });

  it('returns 403 to a member without files.read', async () => {
    const member = await scene.tenant.with('disposals.manage');
    expectProblem(await member.post('/disposals', body()), 'permission.missing');
  });

  it('returns 201 with a draft of the due files, oldest first, decided by the rule', async () => {
    const older = await scene.dueFile(5);
    await scene.dueFile(0);
    const held = await scene.dueFile();
    await saveHold(scene.tenant, scene.maker, { fileIds: [held] });
    await saveClosedFile(scene.tenant, scene.maker, { years: 9 });
    const response = await scene.maker.post('/disposals', body()).expect(201);
    const { id } = response.body as { id: string };
    const unknown = { submittedById: null, submittedAt: null, approvedById: null, approvedAt: null };
    expect(response.body).toEqual({
      ...body(),
      ...unknown,
      id: expect.any(String),
      status: 'Draft',
      period: 'P1Y',
      startsAt: 'Closing',
      disposition: 'Destroy',
      ruleChangedAt: expect.any(String),
      createdById: scene.maker.userId,
      createdAt: expect.any(String),
      rejection: null,
      completedAt: null,
    });
    const { items } = (await scene.maker.get(`/disposals/${id}/files`)).body as {
      items: { fileId: string; decision: string }[];
    };
    expect(items.map(({ decision }) => decision)).toEqual(['Destroy', 'Destroy']);
    expect(items[0]?.fileId).toBe(older);
    expect(await scene.tenant.audit()).toEqual(
      scene.entry(scene.maker, 'DisposalCreated', id, 'Aussonderung'),
    );
    expect(await scene.tenant.notifications()).toEqual([]);
    const read = await scene.maker.get(`/disposals/${id}`);
    expect([read.text, read.headers.etag]).toEqual([response.text, response.headers.etag]);
  });

  it.each(['Transfer', 'Review'] as const)('returns 201 without decisions for the rule %s', async (rule) => {
    await saveRetention(scene.tenant, scene.fileTypeId, 'P1Y', 'Closing', rule);
    const { id } = (await scene.maker.post('/disposals', body())).body as { id: string };
    const { files } = await scene.stored(id);
    expect(Object.values(files)).toEqual([expect.objectContaining({ decision: null })]);
  });

  it('returns 201 only with files that are due before the day', async () => {
    const [older] = [await scene.dueFile(7)];
    const response = await scene.maker.post('/disposals', { ...body(), dueBefore: '2022-01-01' });
    expect(Object.keys((await scene.stored((response.body as { id: string }).id)).files)).toEqual([older]);
  });

  it('returns 400 for a day after today', () =>
    refused({ dueBefore: '2999-01-01' }, 'request.invalid', ['dueBefore']));

  it.each(['yesterday', '2026-02-30', '2026-1-1', 5, null])('returns 400 for the day %p', (dueBefore) =>
    refused({ dueBefore }, 'request.invalid', ['dueBefore']),
  );

  it('returns 400 for an unknown file type and for one of another tenant', async () => {
    const foreign = (await saveFileType(await service.tenant())).id;
    for (const fileTypeId of [newId(), foreign])
      await refused({ fileTypeId }, 'request.invalid', ['fileTypeId']);
  });

  it('returns 409 when no file is due, also because all are in another disposal', async () => {
    expect((await scene.maker.post('/disposals', body())).status).toBe(201);
    await refused({}, 'disposal.nothing-due');
  });

  it('returns 409 when the files of the type are kept for ever', async () => {
    await saveRetention(scene.tenant, scene.fileTypeId, null);
    await refused({}, 'disposal.nothing-due');
    await refused({ fileTypeId: (await saveFileType(scene.tenant)).id }, 'disposal.nothing-due');
  });
});
