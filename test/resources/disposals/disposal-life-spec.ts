import { beforeEach, describe, expect, it } from '@jest/globals';
import { DisposalExecution } from '../../../src/resources/disposals/disposal-execution.js';
import { saveDocument, saveVersion } from '../../factories/documents.js';
import { saveFile, saveFileType } from '../../factories/files.js';
import { saveHold } from '../../factories/holds.js';
import { saveRetention } from '../../factories/retentions.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('A disposal', () => {
  let tenant: TestTenant;
  let maker: Actor;
  let approver: Actor;
  let fileTypeId: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    maker = await tenant.as('records_manager');
    approver = await tenant.as('administrator');
    fileTypeId = (await saveFileType(tenant)).id;
    await saveRetention(tenant, fileTypeId, 'P1Y');
  });
  const dueFile = async () => {
    const { id } = await saveFile(tenant, maker, { fileTypeId, status: 'Closed' });
    await service.query(
      `UPDATE files SET closed_at = now() - interval '3 years' WHERE tenant_id = $1 AND id = $2`,
      [tenant.id, id],
    );
    return id;
  };
  const files = async () =>
    (await service.query<{ id: string }>('SELECT id FROM files WHERE tenant_id = $1', [tenant.id])).map(
      ({ id }) => id,
    );

  it('destroys due files after the approval of another person, and skips held ones', async () => {
    const [due, held] = [await dueFile(), await dueFile()];
    const other = (await saveFile(tenant, maker)).id;
    const gone = (await saveDocument(tenant, maker, { fileIds: [due] })).id;
    await saveVersion(tenant, maker, gone, { bytes: 'secret' });
    const stays = (await saveDocument(tenant, maker, { fileIds: [due, other] })).id;
    const created = await maker.post('/disposals', { name: 'D', fileTypeId, dueBefore: '2026-01-01' });
    expect(created.status).toBe(201);
    const { id } = created.body as { id: string };
    await saveHold(tenant, maker, { fileIds: [held] });
    expect((await maker.post(`/disposals/${id}/submit`)).status).toBe(200);
    expectProblem(await maker.post(`/disposals/${id}/approve`), 'disposal.same-person');
    expect((await approver.post(`/disposals/${id}/approve`)).status).toBe(200);
    await service.app.get(DisposalExecution).execute(tenant.id, id);
    expect((await files()).sort()).toEqual([held, other].sort());
    const documents = await service.query<{ id: string }>('SELECT id FROM documents WHERE tenant_id = $1', [
      tenant.id,
    ]);
    expect(documents.map((row) => row.id)).toEqual([stays]);
    expect((await maker.get(`/disposals/${id}`)).body).toMatchObject({ status: 'Completed' });
    const { items } = (await maker.get(`/disposals/${id}/files`)).body as { items: object[] };
    expect(items).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ fileId: due, outcome: 'Destroyed', documentCount: 1 }),
        expect.objectContaining({ fileId: held, outcome: 'Skipped', skippedBecause: 'Held' }),
      ]),
    );
  });
});
